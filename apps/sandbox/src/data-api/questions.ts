import { DataRefusal } from '#data-api/data-call.ts'

const MOST_ROWS = 1_000
const USUAL_ROWS = 100

type Question = Record<string, unknown>

const TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/

/** How far a zone's clock is ahead of UTC at an instant, in milliseconds. */
const aheadBy = (tz: string, ms: number): number =>
  Date.parse(`${new Date(ms).toLocaleString('sv-SE', { timeZone: tz }).replace(' ', 'T')}Z`) -
  Math.floor(ms / 1000) * 1000

const readTime = (value: unknown, tz: string, name: string): number => {
  const match = typeof value === 'string' ? TIME.exec(value) : null
  const asUtc = match ? Date.parse(`${match[1]}T${match[2]}Z`) : Number.NaN
  if (Number.isNaN(asUtc)) throw new DataRefusal(`interval.${name} must be like 2026-11-05 14:03:22.`)
  return asUtc - aheadBy(tz, asUtc)
}

export const readZone = ({ tz }: Question): string => {
  if (tz === undefined) return 'UTC'
  try {
    new Intl.DateTimeFormat('en', { timeZone: String(tz) })
  } catch {
    throw new DataRefusal('tz must be a time zone.')
  }
  return String(tz)
}

/** From the first instant up to the second, in milliseconds. */
export const readInterval = (question: Question): { from: number; to: number } => {
  const { interval } = question
  if (typeof interval !== 'object' || interval === null) throw new DataRefusal('interval must be an object.')
  const tz = readZone(question)
  const { from, to } = interval as Question
  const read = { from: readTime(from, tz, 'from'), to: readTime(to, tz, 'to') }
  if (read.from > read.to) throw new DataRefusal('interval.from is after interval.to.')
  return read
}

const readWhole = (value: unknown, usual: number, least: number, most: number, name: string): number => {
  const number = value ?? usual
  if (typeof number !== 'number' || !Number.isInteger(number) || number < least || number > most)
    throw new DataRefusal(`${name} must be a whole number from ${least} to ${most}.`)
  return number
}

export const readPage = ({ limit, offset }: Question): { limit: number; offset: number } => ({
  limit: readWhole(limit, USUAL_ROWS, 1, MOST_ROWS, 'limit'),
  offset: readWhole(offset, 0, 0, Number.MAX_SAFE_INTEGER, 'offset'),
})

/** The names that are wanted; undefined for all. */
export const readFields = ({ fields }: Question, known: readonly string[]): string[] | undefined => {
  if (fields === undefined) return undefined
  if (!Array.isArray(fields) || !fields.every((field) => typeof field === 'string'))
    throw new DataRefusal('fields must be a list of names.')
  const strange = fields.find((field) => !known.includes(field))
  if (strange !== undefined) throw new DataRefusal(`There is no field ${strange.slice(0, 100)}.`)
  return fields
}
