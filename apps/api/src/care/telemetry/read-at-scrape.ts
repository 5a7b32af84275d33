import { Counter, Gauge, type Registry } from 'prom-client'
import { type Db, withTimeouts } from '#platform/database/client.ts'

export type Sample = { value: number; labels?: Readonly<Record<string, string>> }

type Family = {
  help: string
  labelNames?: readonly string[]
  /** One that only grows: a sum over all that ever happened. */
  isTotal?: boolean
}

/** What is asked of the database at every scrape, in one query or few, and the metrics that this fills. */
export type Source<N extends string = string> = {
  families: Readonly<Record<N, Family>>
  read: (db: Db) => Promise<Readonly<Record<N, readonly Sample[]>>>
}

export const source = <N extends string>(given: Source<N>): Source<N> => given

/** A scrape must not hurt: what takes the database longer is left out. */
const QUERY_MS = 3_000
/** Prometheus gives up after ten seconds. */
const ALL_MS = 8_000

type Readings = ReadonlyMap<string, readonly Sample[]>

const readOne = async (db: Db, { read }: Source): Promise<[string, readonly Sample[]][] | undefined> => {
  try {
    return Object.entries(await read(db))
  } catch {
    return undefined
  }
}

/** One after the other on one connection, so that a scrape takes no more than that from those who serve customers. */
const readAll = (db: Db, sources: readonly Source[]) =>
  withTimeouts(db, { statement_timeout: QUERY_MS }, async (own) => {
    const readings = new Map<string, readonly Sample[]>()
    let isWhole = true
    for (const one of sources) {
      const read = await readOne(own, one)
      for (const [name, samples] of read ?? []) readings.set(name, samples)
      isWhole &&= read !== undefined
    }
    return { readings, isWhole }
  })

const late = (): Promise<never> =>
  new Promise((_, fail) => setTimeout(() => fail(new Error('The database took too long')), ALL_MS).unref())

/** Fills metrics from the database at each scrape. What cannot be read is left out, and logged. */
export const readAtScrape = (registry: Registry, db: Db, sources: readonly Source[]): void => {
  let asked: Promise<{ readings: Readings; isWhole: boolean }> | undefined
  /** All metrics are read at once; a scrape that comes meanwhile gets the same. */
  const read = () => {
    asked ??= readAll(db, sources).finally(() => {
      asked = undefined
    })
    return Promise.race([asked, late()]).catch(() => ({ readings: new Map() as Readings, isWhole: false }))
  }
  const registers = [registry]
  for (const [name, { help, labelNames = [], isTotal = false }] of sources.flatMap(({ families }) =>
    Object.entries(families),
  )) {
    const config = { name, help, labelNames: [...labelNames], registers }
    const collect = async () => {
      const { readings } = await read()
      metric.reset()
      if (!readings.has(name)) metric.remove({})
      for (const { labels = {}, value } of readings.get(name) ?? []) metric.inc(labels, value)
    }
    const metric = isTotal ? new Counter({ ...config, collect }) : new Gauge({ ...config, collect })
  }
  const isUp = new Gauge({
    name: 'hedgerow_database_up',
    help: 'Whether everything that is asked of the database for these metrics was answered',
    registers,
    collect: async () => {
      isUp.set((await read()).isWhole ? 1 : 0)
    },
  })
}
