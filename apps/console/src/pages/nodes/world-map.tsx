import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import land from 'world-atlas/land-110m.json'
import type { ReplyOf } from '#lib/api.ts'

type Node = ReplyOf<'listConsoleNodes'>[number]
type Ring = readonly (readonly number[])[]

/** Degrees as they are: a map of places, not of areas. The ice at both ends is left out. */
const NORTH = 80
const SOUTH = -58
const HALF = 180
const x = (longitude: number) => longitude + 180
const y = (latitude: number) => NORTH - latitude

const topology = land as unknown as Topology<{ land: GeometryCollection }>

const rings: Ring[] = feature(topology, topology.objects.land).features.flatMap(({ geometry }) => {
  if (geometry.type === 'Polygon') return geometry.coordinates
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : []
})

/** A coast that crosses the edge of the map goes on beyond it, rather than back along the whole of it. */
const unbroken = (ring: Ring): Ring => {
  let turn = 0
  return ring.map(([longitude = 0, latitude = 0], at) => {
    const before = ring[at - 1]?.[0] ?? longitude
    if (longitude - before > HALF) turn -= 2 * HALF
    if (before - longitude > HALF) turn += 2 * HALF
    return [longitude + turn, latitude]
  })
}

const pathOf = (ring: Ring, shift: number) =>
  `M${ring.map(([longitude = 0, latitude = 0]) => `${x(longitude + shift).toFixed(1)} ${y(latitude).toFixed(1)}`).join('L')}Z`

/** What lies beyond one edge is drawn at the other, too. */
const pathsOf = (ring: Ring): string => {
  const longitudes = ring.map(([longitude = 0]) => longitude)
  const shifts = [
    0,
    ...(Math.max(...longitudes) > HALF ? [-2 * HALF] : []),
    ...(Math.min(...longitudes) < -HALF ? [2 * HALF] : []),
  ]
  return shifts.map((shift) => pathOf(ring, shift)).join('')
}

const LAND = rings
  .filter((ring) => ring.some(([, latitude = 0]) => latitude > SOUTH))
  .map((ring) => pathsOf(unbroken(ring)))
  .join('')

const FILLS: Readonly<Record<Node['state'], string>> = {
  up: 'fill-hedge',
  failing: 'fill-berry',
  down: 'fill-berry',
  drained: 'fill-straw',
  awaiting: 'fill-outline',
  demonstration: 'fill-outline',
}

type Box = { left: number; top: number; right: number; bottom: number }
type Label = { x: number; y: number; anchor: 'start' | 'end' | 'middle' }

/** Of a letter, about; and of a line. */
const LETTER = 3.2
const LINE = 7

const boxOf = ({ x: at, y: base, anchor }: Label, width: number): Box => {
  const left = anchor === 'start' ? at : anchor === 'end' ? at - width : at - width / 2
  return { left, right: left + width, top: base - LINE + 1, bottom: base + 1 }
}

const isApart = (one: Box, other: Box) =>
  one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top

type Spot = { cx: number; cy: number; name: string }

/** Right of the dot, or wherever around it there is room: names of places that are near each other do not cover each other. */
const labelsOf = (spots: readonly Spot[]): Label[] => {
  const taken: Box[] = spots.map(({ cx, cy }) => ({
    left: cx - 3,
    right: cx + 3,
    top: cy - 3,
    bottom: cy + 3,
  }))
  return spots.map(({ cx, cy, name }) => {
    const around: Label[] = [
      { x: cx + 5, y: cy + 2, anchor: 'start' },
      { x: cx - 5, y: cy + 2, anchor: 'end' },
      { x: cx, y: cy - 5, anchor: 'middle' },
      { x: cx, y: cy + 10, anchor: 'middle' },
      { x: cx, y: cy - 12, anchor: 'middle' },
      { x: cx, y: cy + 17, anchor: 'middle' },
    ]
    const width = name.length * LETTER
    const free = around.find((label) => taken.every((box) => isApart(box, boxOf(label, width))))
    const chosen = free ?? (around[0] as Label)
    taken.push(boxOf(chosen, width))
    return chosen
  })
}

/** Where the nodes are. The list below it says the same in words. */
const WorldMap = ({ nodes }: { nodes: readonly Node[] }) => {
  const spots = nodes.flatMap(({ id, name, state, place }) =>
    place ? [{ id, name, state, cx: x(place.longitude), cy: y(place.latitude) }] : [],
  )
  const labels = labelsOf(spots)
  return (
    <svg
      viewBox={`0 0 360 ${NORTH - SOUTH}`}
      aria-hidden="true"
      className="mx-auto block h-auto w-full max-w-[52rem]"
    >
      <path d={LAND} className="fill-line" />
      {spots.map(({ id, name, state, cx, cy }, at) => (
        <g key={id}>
          <circle cx={cx} cy={cy} r="3" className={`${FILLS[state]} stroke-surface`} />
          <text
            x={labels[at]?.x}
            y={labels[at]?.y}
            textAnchor={labels[at]?.anchor}
            className="fill-ink text-[6px] max-sm:hidden"
          >
            {name}
          </text>
        </g>
      ))}
    </svg>
  )
}

export default WorldMap
