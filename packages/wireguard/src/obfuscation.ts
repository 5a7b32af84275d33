import type { Obfuscation } from './amneziawg.ts'

/** A whole number from the first to the last of these, both included. */
export type Draw = (least: number, most: number) => number

type Range = { from: number; to: number }

/** What WireGuard's own messages begin with: 1 to 4. */
const LAST_OWN_TYPE = 4
const LARGEST_TYPE = 2 ** 32 - 1
/** Some clients read a type as a signed number. */
const LARGEST_DRAWN = 2 ** 31 - 1
/**
 * How many types one message has. A packet of data that happens to be as long as a message of the handshake is taken for one
 * where its bytes happen to be such a type: with the widest range once in 65,536 of them.
 */
const WIDTH = { least: 1_000, most: 65_536 } as const

/** Random bytes before a message. S4 costs so many of every packet. */
const PADDING = {
  s1: { least: 15, most: 150 },
  s2: { least: 15, most: 150 },
  s3: { least: 8, most: 55 },
  s4: { least: 4, most: 27 },
} as const

/** By how much an initiation is longer than a response: with as much more before the response both would be of one length. */
const LENGTHS_APART = 56

export const typesOf = (range: string): Range | undefined => {
  const [, from, to] = /^(\d{1,10})-(\d{1,10})$/.exec(range) ?? []
  return from === undefined ? undefined : { from: Number(from), to: Number(to) }
}

/** What is wrong with parameters, in a sentence; undefined: both ends can use them. */
export const obfuscationFault = (parameters: Obfuscation): string | undefined => {
  for (const name of ['s1', 's2', 's3', 's4'] as const) {
    const { least, most } = PADDING[name]
    const bytes = parameters[name]
    if (!Number.isInteger(bytes) || bytes < least || bytes > most)
      return `${name.toUpperCase()} is a number from ${least} to ${most}.`
  }
  if (parameters.s1 + LENGTHS_APART === parameters.s2)
    return `S2 is ${LENGTHS_APART} more than S1: the first two messages would be of one length.`
  const ranges = [parameters.h1, parameters.h2, parameters.h3, parameters.h4].map(typesOf)
  for (const range of ranges)
    if (!range || range.from <= LAST_OWN_TYPE || range.to < range.from || range.to > LARGEST_TYPE)
      return `H1 to H4 are ranges x-y of numbers from ${LAST_OWN_TYPE + 1} to ${LARGEST_TYPE}.`
  const inOrder = ranges.flatMap((range) => range ?? []).sort((one, other) => one.from - other.from)
  const overlaps = inOrder.some(({ from }, i) => i > 0 && from <= (inOrder[i - 1]?.to ?? 0))
  return overlaps ? 'The ranges H1 to H4 overlap.' : undefined
}

/** Four ranges that have nothing in common, each in a part of its own, in no order. */
const drawRanges = (draw: Draw): [string, string, string, string] => {
  const part = Math.floor((LARGEST_DRAWN - LAST_OWN_TYPE) / 4)
  const parts = [0, 1, 2, 3]
  const next = () => {
    const [which = 0] = parts.splice(draw(0, parts.length - 1), 1)
    const width = draw(WIDTH.least, WIDTH.most)
    const from = LAST_OWN_TYPE + 1 + which * part + draw(0, part - width)
    return `${from}-${from + width - 1}`
  }
  return [next(), next(), next(), next()]
}

/** Parameters for a node, which both ends of its tunnels are to have. */
export const drawObfuscation = (draw: Draw): Obfuscation => {
  const padding = (name: keyof typeof PADDING) => draw(PADDING[name].least, PADDING[name].most)
  const s1 = padding('s1')
  let s2 = padding('s2')
  if (s2 === s1 + LENGTHS_APART) s2--
  const [h1, h2, h3, h4] = drawRanges(draw)
  return { version: 2, s1, s2, s3: padding('s3'), s4: padding('s4'), h1, h2, h3, h4 }
}
