import { randomInt } from 'node:crypto'
import { MARKS, NOBODY, PRIORITY_BIT } from '#network/marks.ts'

/**
 * Where a connection may lead is looked up until it is answered. Then it is marked with its customer's mark and the
 * number of what was checked, and as long as both are still right only the customer's own mark is looked up for each
 * packet. With another mark, another uplink or other networks beside the node all is checked again.
 */
export const SETTLED_MAPS = `
  map settled { type ifname . mark . mark : verdict; }
  map settling { type mark : mark; }`

/** By the interface that is not the tunnel. An ICMP error belongs to the connection that it is about, but is not of this state. */
export const passSettled = (interfaceAt: 'iifname' | 'oifname'): string =>
  `ct state established ${interfaceAt} . ct mark . meta mark vmap @settled`

/** After all checks. Not at once: answers to a first packet are still looked at. */
export const SETTLE = 'ct state established ct mark set meta mark map @settling'

const CHECKS = 2 ** 24
const MARKS_AT_MOST = 2 * MARKS.length

/** Settles nothing that was settled before. */
export const settledText = (
  table: string,
  uplinks: readonly string[],
  check = randomInt(1, CHECKS),
): string => {
  const marks = MARKS.filter((mark) => mark !== NOBODY)
  const settledMark = (mark: number) => check * MARKS_AT_MOST + mark
  const settled = uplinks.flatMap((name) =>
    marks.map(
      (mark) =>
        `"${name}" . ${settledMark(mark)} . ${mark} : goto ${mark & PRIORITY_BIT ? 'with_priority' : 'without_priority'}`,
    ),
  )
  const settling = marks.map((mark) => `${mark} : ${settledMark(mark)}`)
  return [
    `flush map inet ${table} settled`,
    ...(settled.length > 0 ? [`add element inet ${table} settled { ${settled.join(', ')} }`] : []),
    `flush map inet ${table} settling`,
    `add element inet ${table} settling { ${settling.join(', ')} }`,
    '',
  ].join('\n')
}
