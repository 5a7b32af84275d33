import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import land from 'world-atlas/land-110m.json'

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

export type MapSpot = {
  id: string
  name: string
  latitude: number
  longitude: number
  /** 'fill-…': what colour its dot has. */
  look: string
}

type Box = { left: number; top: number; right: number; bottom: number }
type Label = { x: number; y: number; anchor: 'start' | 'end' | 'middle' }

/** Of a letter, about; and of a line. */
const LETTER = 3.2
const LINE = 7

const boxOf = ({ x: at, y: base, anchor }: Label, name: string, size: number): Box => {
  const width = name.length * LETTER * size
  const left = anchor === 'start' ? at : anchor === 'end' ? at - width : at - width / 2
  return { left, right: left + width, top: base - (LINE - 1) * size, bottom: base + size }
}

const isApart = (one: Box, other: Box) =>
  one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top

type Drawn = { cx: number; cy: number; name: string }

/**
 * Right of the dot, or wherever around it there is room: names of places that are near each other do not cover each other.
 * `size`: of a letter beside the usual.
 */
const labelsOf = (spots: readonly Drawn[], size: number): Label[] => {
  const taken: Box[] = spots.map(({ cx, cy }) => ({
    left: cx - 3 * size,
    right: cx + 3 * size,
    top: cy - 3 * size,
    bottom: cy + 3 * size,
  }))
  return spots.map(({ cx, cy, name }) => {
    const around: Label[] = [
      { x: cx + 5 * size, y: cy + 2 * size, anchor: 'start' },
      { x: cx - 5 * size, y: cy + 2 * size, anchor: 'end' },
      { x: cx, y: cy - 5 * size, anchor: 'middle' },
      { x: cx, y: cy + 10 * size, anchor: 'middle' },
      { x: cx, y: cy - 12 * size, anchor: 'middle' },
      { x: cx, y: cy + 17 * size, anchor: 'middle' },
    ]
    const free = around.find((label) => taken.every((box) => isApart(box, boxOf(label, name, size))))
    const chosen = free ?? (around[0] as Label)
    taken.push(boxOf(chosen, name, size))
    return chosen
  })
}

const WORLD = { left: 0, top: 0, width: 2 * HALF, height: NORTH - SOUTH }

/** Not closer than this many degrees, or nobody knows where it is; as high as half its width. */
const CLOSEST = 70
const ROOM = 30

/** The part of the map that the spots are in. */
const partAround = (spots: readonly Drawn[]) => {
  const xs = spots.map(({ cx }) => cx)
  const ys = spots.map(({ cy }) => cy)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const width = Math.max(CLOSEST, right - left + ROOM, 2 * (bottom - top + ROOM / 2))
  return { left: (left + right - width) / 2, top: (top + bottom - width / 2) / 2, width, height: width / 2 }
}

type WorldMapProps = {
  spots: readonly MapSpot[]
  /** Only the part of the world where they are, in larger letters. */
  isClose?: boolean
}

/** Where something is. What stands beside it says the same in words. */
const WorldMap = ({ spots: given, isClose = false }: WorldMapProps) => {
  const spots = given.map((spot) => ({ ...spot, cx: x(spot.longitude), cy: y(spot.latitude) }))
  const { left, top, width, height } = isClose && spots.length > 0 ? partAround(spots) : WORLD
  const size = isClose ? (width / WORLD.width) * 2 : 1
  const labels = labelsOf(spots, size)
  return (
    <svg
      viewBox={`${left} ${top} ${width} ${height}`}
      aria-hidden="true"
      className="mx-auto block h-auto w-full max-w-[52rem]"
    >
      <path d={LAND} className="fill-line" />
      {spots.map(({ id, name, look, cx, cy }, at) => (
        <g key={id}>
          <circle cx={cx} cy={cy} r={3 * size} className={`${look} stroke-surface`} strokeWidth={size} />
          <text
            x={labels[at]?.x}
            y={labels[at]?.y}
            textAnchor={labels[at]?.anchor}
            fontSize={6 * size}
            className="fill-ink max-sm:hidden"
          >
            {name}
          </text>
        </g>
      ))}
    </svg>
  )
}

export default WorldMap
