import fc from 'fast-check'
import { HOSTILE_JSON, HOSTILE_TEXTS } from './hostile.ts'
import { MOST } from './judge.ts'
import { pick } from './pick.ts'

/** Something that reads what others wrote, without any other work. */
export type Parser = {
  name: string
  parse: (text: string) => unknown
  /** The longest text that comes as far as this. */
  longest?: number
  /** Whether what it throws is how it says no. */
  isRefusal?: (error: unknown) => boolean
}

const LENGTHS = [40, 2_000, 12_000, 64 * 1024]
const REPEATS = 4

const timed = (work: () => void): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Returns what is wrong with how a parser takes a text; undefined where nothing is. */
const judgeParser = ({ name, parse, isRefusal }: Parser, what: string, text: string): string | undefined => {
  let fault: string | undefined
  const run = () => {
    try {
      parse(text)
    } catch (error) {
      if (!isRefusal?.(error)) fault = `throws ${String(error)}`
    }
  }
  // The least of several: other work of the process cannot make it less.
  let ms = timed(run)
  for (let i = 0; i < REPEATS && ms > MOST.processorMs; i++) ms = Math.min(ms, timed(run))
  if (ms > MOST.processorMs) fault ??= `takes ${Math.round(ms)} ms`
  return fault && `${name} (${what}) ${fault}`
}

type Given = { what: string; text: () => string }

const GIVEN: readonly Given[] = [
  ...LENGTHS.flatMap((length) =>
    HOSTILE_TEXTS.map(({ what, text }) => ({ what: `${what}, ${length}`, text: () => text(length) })),
  ),
  ...LENGTHS.flatMap((length) =>
    HOSTILE_JSON.map(({ what, json }) => ({ what: `${what}, ${length}`, text: () => json(length) })),
  ),
]

const randomTexts = (count: number, seed: number): Given[] =>
  fc
    .sample(fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.json()), { seed, numRuns: count })
    .map((text) => ({ what: JSON.stringify(text).slice(0, 300), text: () => text }))

/** Gives each parser so many hostile texts and so many random ones, drawn by the seed; returns what was wrong. */
export const fuzzParsers = (
  parsers: readonly Parser[],
  count: number,
  seed: number,
  onNext: (name: string) => void = () => undefined,
): string[] =>
  parsers.flatMap((parser) => {
    onNext(parser.name)
    const { longest = Number.POSITIVE_INFINITY } = parser
    return [...pick(GIVEN, count, seed), ...randomTexts(count, seed)].flatMap(({ what, text: make }) => {
      const text = make()
      return text.length > longest ? [] : (judgeParser(parser, what, text) ?? [])
    })
  })

/** A parser of values: what is no JSON never reaches it. */
export const ofJson =
  (read: (value: unknown) => unknown) =>
  (text: string): unknown => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return undefined
    }
    return read(value)
  }
