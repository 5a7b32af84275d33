import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'

const ms = z.number().check(z.gte(0), z.lte(60_000))
const count = z.number().check(z.gte(0))

/** Processor time of one call, in milliseconds, by who needs it. */
const Cost = z.object({ main: ms, documents: ms, threads: ms, database: ms, gateway: ms, client: ms })
export type Cost = z.infer<typeof Cost>

/** So many of one call. */
export const scaled = (cost: Cost, by: number): Cost => ({
  main: cost.main * by,
  documents: cost.documents * by,
  threads: cost.threads * by,
  database: cost.database * by,
  gateway: cost.gateway * by,
  client: cost.client * by,
})

export const CALLS = [
  'order',
  'pay',
  'outcome',
  'receipt',
  'poll',
  'list',
  'profile',
  'history',
  'logIn',
  'page',
  'file',
  'agentPoll',
  'agentPeer',
  'limit',
] as const
export type CallName = (typeof CALLS)[number]

/** Processors that others may use beside a load: more of it makes everybody's processor time dearer, by shared caches. */
export const QUIET = 0.15

/** What was seen end to end, which the model has to meet before it predicts. */
const Point = z.object({
  what: z.string(),
  offered: z.union([z.object({ buyers: z.int() }), z.object({ perSecond: z.number() })]),
  seconds: z.number(),
  /** Processors that other programs of the machine used meanwhile. */
  others: count,
  /** Processor time of buyers, gateway, shop and database together for each purchase. */
  processorMs: ms,
  perSecond: count,
  p50: ms,
  p99: ms,
})
export type Point = z.infer<typeof Point>

export const Measured = z.object({
  measuredAt: z.iso.date(),
  machine: z.string(),
  cores: z.int().check(z.gte(1)),
  /** Processors that an idle shop uses. */
  idle: z.object({ main: count, threads: count, database: count, gateway: count }),
  calls: z.record(z.enum(CALLS), Cost),
  /** Scripts, styles and fonts that the home page asks for. */
  filesOfPage: z.int(),
  purchase: z.object({
    /** Statements that were each a transaction, and those that notified. */
    commits: count,
    notifications: count,
    /** On disk, with indexes; and of write-ahead log. */
    bytes: count,
    walBytes: count,
  }),
  commit: z.object({
    /** One after the other, until it is on disk. */
    aloneMs: ms,
    /** By eight connections at once: without a notification, and with one. */
    plainPerSecond: count,
    notifyingPerSecond: count,
  }),
  points: z.array(Point).check(z.minLength(2)),
})
export type Measured = z.infer<typeof Measured>

export const MEASURED_FILE = fileURLToPath(new URL('measured.json', import.meta.url))

/** Throws an error whose message says what is wrong with the file. */
export const readMeasured = (file: string): Measured => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new Error(`${file} cannot be read. Make it by: node bench/simulation/measure.ts`)
  }
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw new Error(`${file} is not JSON. Make it anew by: node bench/simulation/measure.ts`)
  }
  const { success, error, data: measured } = z.safeParse(Measured, data)
  if (success) return measured
  const [first] = error.issues
  throw new Error(
    `${file}: ${first?.path.join('.') || 'the file'}: ${first?.message}. Make it anew by: node bench/simulation/measure.ts`,
  )
}
