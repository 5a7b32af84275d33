/** A shop with five million payments beside an empty one. */
import { join } from 'node:path'
import { databaseAt, onServer } from '@hedgerow/api/testing/template-database'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { Pool } from 'pg'
import { openConsole } from '../console-calls.ts'
import { fillShop, type Past } from '../fill-shop.ts'
import { round } from '../measure.ts'
import { startBenchShop } from '../shop.ts'
import { compareRounds, tidyBacklog } from './rounds.ts'
import { compareVisits, rowOf } from './visits.ts'

const PAYMENTS = Number(process.env.BENCH_PAYMENTS ?? 5_000_000)
const PAST: Past = { customers: PAYMENTS / 10, payments: PAYMENTS, connections: PAYMENTS * 0.4 }
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 200)
const LANES = 4
const LIST_CALLS = 60
const BACKLOG = Math.min(20_000, PAYMENTS / 10)

const GiB = 1024 ** 3

/** Started once to make its tables and its key, and again on what it finds: it has no part in the filling. */
const start = async (
  serverUrl: string,
  folder: string,
  name: string,
  fill: (pool: Pool) => Promise<void>,
) => {
  await onServer(serverUrl, `create database ${name}`)
  const url = databaseAt(serverUrl, name)
  const dataDir = join(folder, name)
  const first = await startBenchShop(url, dataDir, 0)
  await first.stop()
  const pool = new Pool({ connectionString: url, max: 3 })
  // At the end, by the server's stop.
  pool.on('error', () => undefined)
  await fill(pool)
  const consolePort = String(await freePort())
  const shop = await startBenchShop(url, dataDir, ROUNDS, { CONSOLE_PORT: consolePort })
  return { shop, pool, console: `http://127.0.0.1:${consolePort}` }
}

const printSizes = async (pool: Pool) => {
  const { rows } = await pool.query<{ table: string; rows: string; bytes: string; indexes: string }>(
    `select relname as table, reltuples::bigint as rows, pg_total_relation_size(oid) as bytes,
      pg_indexes_size(oid) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 3 desc limit 7`,
  )
  const { rows: all } = await pool.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  console.table([
    ...rows.map(({ table, rows: count, bytes, indexes }) => ({
      table,
      rows: Number(count),
      GiB: round(Number(bytes) / GiB, 2),
      'of it indexes': round(Number(indexes) / GiB, 2),
    })),
    { table: 'the database', GiB: round(Number(all[0]?.bytes) / GiB, 2) },
  ])
}

/** Returns the database that it has filled. */
export const comparePast = async (serverUrl: string, folder: string): Promise<string> => {
  const begun = performance.now()
  const full = await start(serverUrl, folder, 'full_shop', (pool) => fillShop(pool, PAST))
  console.log('A past of', PAST, `filled in ${round((performance.now() - begun) / 1000)} s`)
  const empty = await start(serverUrl, folder, 'empty_shop', async () => undefined)
  await printSizes(full.pool)

  console.log(`${ROUNDS * LANES} visits to each shop`)
  console.table((await compareVisits(empty.shop, full.shop, ROUNDS, LANES)).map(rowOf))

  const [small, large] = [
    await (await openConsole(empty.pool, empty.console)).lists(PAST.customers, LIST_CALLS),
    await (await openConsole(full.pool, full.console)).lists(PAST.customers, LIST_CALLS),
  ]
  console.log('The console')
  console.table(
    large.map(({ what, p50, p99 }, place) =>
      rowOf({ what, p50: [small[place]?.p50 ?? 0, p50], p99: [small[place]?.p99 ?? 0, p99] }),
    ),
  )

  await compareRounds(empty.pool, full.pool)
  await tidyBacklog(full.pool, BACKLOG)
  await empty.shop.stop()
  await full.shop.stop()
  await empty.pool.end()
  await full.pool.end()
  return databaseAt(serverUrl, 'full_shop')
}
