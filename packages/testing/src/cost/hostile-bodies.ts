import fc from 'fast-check'
import type { Json } from '../call.ts'
import { HOSTILE_JSON, HOSTILE_TEXTS } from './hostile.ts'

/** What a schema of OpenAPI says of a value, as far as it matters here. */
type Schema = Json

const FORMATS: Readonly<Record<string, string>> = {
  uuid: '7f9c24e5-1c1b-4d59-9a3e-2a54d5f0a6b1',
  email: 'ada@example.org',
}

/** Texts of the kinds that are asked for anywhere: the first that fits is the sample. */
const TEXTS = [
  'Ada Lovelace',
  'The tunnel drops every night at about eleven.',
  'ADA',
  'ada@example.org',
  '123',
  '4000000000000077',
  '12345678',
  'GB82WEST12345698765432',
  '800x600',
  '0'.repeat(32),
  'A'.repeat(43),
  `${'A'.repeat(43)}=`,
]

const fitsAll = (
  text: string,
  { pattern, minLength = 0, maxLength = Infinity, allOf = [] }: Schema,
): boolean =>
  (pattern === undefined || new RegExp(pattern, 'u').test(text)) &&
  text.length >= minLength &&
  text.length <= maxLength &&
  allOf.every((one: Schema) => fitsAll(text, one))

const sampleText = (schema: Schema): string =>
  FORMATS[schema.format ?? ''] ?? TEXTS.find((text) => fitsAll(text, schema)) ?? ''

/** Returns a value that a schema may well take; `special` has the values of fields that it says too little of. */
export const sampleOf = (schema: Schema, special: Readonly<Record<string, unknown>> = {}): Json => {
  const choice = (schema?.anyOf ?? schema?.oneOf ?? (schema?.type ? undefined : schema?.allOf))?.[0]
  if (choice) return sampleOf(choice, special)
  if (schema?.const !== undefined) return schema.const
  if (schema?.enum) return schema.enum[0]
  switch (schema?.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, one]) => [
          name,
          Object.hasOwn(special, name) && one?.type === 'string' ? special[name] : sampleOf(one, special),
        ]),
      )
    case 'array':
      return [sampleOf(schema.items, special)]
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'string':
      return sampleText(schema)
    default:
      return null
  }
}

/** Where the leaves of a value are. */
const leavesOf = (value: Json, path: readonly string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, one]) => leavesOf(one, [...path, name]))
    : [[...path]]

const withLeaves = (value: Json, change: (path: readonly string[], old: Json) => Json): Json => {
  const visit = (one: Json, path: readonly string[]): Json => {
    if (Array.isArray(one)) return one.map((item, at) => visit(item, [...path, String(at)]))
    if (typeof one !== 'object' || one === null) return change(path, one)
    return Object.fromEntries(Object.entries(one).map(([name, item]) => [name, visit(item, [...path, name])]))
  }
  return visit(value, [])
}

export type HostileBody = { what: string; body: () => string }

const PLACE = '"the hostile part"'

/** The sample with something else in the place of one leaf, or with one key more. */
const placed = (sample: Json, path: readonly string[] | undefined, json: string): string => {
  const marker = JSON.parse(PLACE)
  if (path === undefined) return JSON.stringify({ ...sample, hostile: marker }).replace(PLACE, () => json)
  const isHere = (at: readonly string[]) => at.join('\0') === path.join('\0')
  return JSON.stringify(withLeaves(sample, (at, old) => (isHere(at) ? marker : old))).replace(
    PLACE,
    () => json,
  )
}

/** A text in JSON of at most so many bytes, which takes more room than the text by itself. */
const inJson = (text: (length: number) => string, most: number): string => {
  const json = JSON.stringify(text(most))
  const bytes = Buffer.byteLength(json)
  return bytes <= most ? json : JSON.stringify(text(Math.floor((most * most) / bytes)))
}

/** What is left of the limit beside the sample and some punctuation. */
const roomBeside = (sample: Json, bytes: number): number =>
  bytes - Buffer.byteLength(JSON.stringify(sample)) - 64

/** Bodies of all kinds of JSON, whether the sample fits or not; each at most so many bytes. */
export const hostileShapes = (sample: Json, bytes: number): HostileBody[] => {
  const room = roomBeside(sample, bytes)
  const [first = []] = leavesOf(sample)
  const inside = first.length > 0 ? first : undefined
  return HOSTILE_JSON.flatMap(({ what, json }) => [
    { what, body: () => json(bytes) },
    { what: `besides, ${what}`, body: () => placed(sample, undefined, json(room)) },
    ...(inside
      ? [{ what: `${inside.join('.')}: ${what}`, body: () => placed(sample, inside, json(room)) }]
      : []),
  ])
}

/** Lengths at which a text may be taken, and gets further than the first look. */
const TAKEN_LENGTHS = [30, 100, 200, 4_000]

/**
 * Bodies with a hostile text in one leaf, and with such in all leaves that are texts; each at most so many bytes, in one
 * leaf also shorter.
 */
export const hostileLeaves = (sample: Json, bytes: number): HostileBody[] => {
  const room = roomBeside(sample, bytes)
  const leaves = leavesOf(sample).filter((path) => path.length > 0)
  const share = Math.floor(room / Math.max(1, leaves.length))
  const inEach = (json: string) =>
    JSON.stringify(withLeaves(sample, (_, old) => (typeof old === 'string' ? JSON.parse(json) : old)))
  return HOSTILE_TEXTS.flatMap(({ what, text }) => [
    { what: `every text: ${what}`, body: () => inEach(inJson(text, share)) },
    ...leaves.flatMap((path) =>
      [room, ...TAKEN_LENGTHS].map((length) => ({
        what: `${path.join('.')}: ${what}, ${length} bytes`,
        body: () => placed(sample, path, inJson(text, length)),
      })),
    ),
  ])
}

/** Bodies with a random value in a random place, drawn by the seed. */
export const randomBodies = (sample: Json, count: number, seed: number): HostileBody[] => {
  const places = leavesOf(sample).filter((path) => path.length > 0)
  const body = fc.record({ place: fc.constantFrom(undefined, ...places), json: fc.json() })
  return fc.sample(body, { seed, numRuns: count }).map(({ place, json }) => ({
    what: `random: ${json.slice(0, 200)}`,
    body: () => placed(sample, place, json),
  }))
}
