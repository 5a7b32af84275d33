/** How long one run of each recurring job takes, and how long its transactions hold what they have changed. */
import { setTimeout as pause } from 'node:timers/promises'
import { RECURRING_JOBS, type RecurringJob } from '@hedgerow/api/queue/add-job'
import type { Pool } from 'pg'
import { round } from '../measure.ts'

const LOOK_EVERY_MS = 2
const LONGEST_RUN_MS = 120_000

/** Milliseconds from when a run was due until it has planned the next one, which it does at its end. */
const timeRun = async (pool: Pool, job: RecurringJob): Promise<number> => {
  const end = performance.now() + LONGEST_RUN_MS
  while (performance.now() < end) {
    const { rows: hurried } = await pool.query<{ id: string; at: Date }>(
      `select id::text, clock_timestamp() as at from graphile_worker.reschedule_jobs(
        array(select id from graphile_worker.jobs where key = $1 and locked_at is null), run_at := now())`,
      [job],
    )
    await pool.query(`select pg_notify('jobs:insert', '{"count":1}')`)
    const [run] = hurried
    while (run && performance.now() < end) {
      const { rows } = await pool.query<{ at: Date }>(
        'select created_at as at from graphile_worker.jobs where key = $1 and id > $2::bigint',
        [job, run.id],
      )
      if (rows[0]) return rows[0].at.getTime() - run.at.getTime()
      await pause(LOOK_EVERY_MS)
    }
    await pause(LOOK_EVERY_MS)
  }
  throw new Error(`${job} did not come round`)
}

type Longest = { ms: number; what: string }

/** Watches which transaction of the shop has held what it changed for the longest, until it is stopped. */
const watchLongest = (pool: Pool): { stop: () => Promise<Longest> } => {
  let longest: Longest = { ms: 0, what: '' }
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      const { rows } = await pool.query<Longest>(
        `select extract(epoch from clock_timestamp() - xact_start)::float8 * 1000 as ms,
          regexp_replace(left(query, 60), '\\s+', ' ', 'g') as what from pg_stat_activity
        where datname = current_database() and application_name = 'hedgerow' and backend_xid is not null
        order by xact_start limit 1`,
      )
      if (rows[0] && rows[0].ms > longest.ms) longest = rows[0]
      await pause(LOOK_EVERY_MS)
    }
  })()
  return {
    stop: async () => {
      isStopped = true
      await watching
      return longest
    },
  }
}

/** The second of two runs of each: a plan is made in the first. */
export const compareRounds = async (empty: Pool, full: Pool): Promise<void> => {
  const rows: object[] = []
  for (const job of RECURRING_JOBS) {
    const times: number[] = []
    for (const pool of [empty, full]) {
      await timeRun(pool, job)
      times.push(await timeRun(pool, job))
    }
    const [small = 0, large = 0] = times
    rows.push({
      job,
      'empty ms': round(small),
      'full ms': round(large),
      ratio: round(large / Math.max(1, small), 1),
    })
  }
  console.log('One run of each recurring job with nothing due, from when it is due')
  console.table(rows)
}

/** What a shop finds that was away for weeks, in rows of each kind. */
const DUE: readonly ((rows: number) => { what: string; make: string; old: string })[] = [
  (rows) => ({
    what: 'sessions',
    make: `update sessions set expires_at = now() - interval '1 minute'
      where token_hash in (select token_hash from sessions where length(token_hash) = 16 limit ${rows})`,
    old: 'delete from sessions where expires_at < now()',
  }),
  (rows) => ({
    what: 'connections that ended',
    make: `update connections set expires_at = now() - interval '40 days'
      where id in (select id from connections order by expires_at limit ${rows})`,
    old: "delete from connections where expires_at < now() - interval '30 days'",
  }),
  (rows) => ({
    what: 'orders that nobody tried to pay',
    make: `insert into orders (id, customer_id, days, connections, options, total_minor, currency, expires_at)
      select md5('untried' || n)::uuid, md5('customer' || n)::uuid, 30, 3, 2, 3003, 'EUR', now() - interval '40 days'
      from generate_series(1, ${rows}) n`,
    old: "delete from orders where status = 'New' and expires_at < now() - interval '30 days'",
  }),
  (rows) => ({
    what: 'networks of payments',
    make: `update payments set network_hash = '\\x00'
      where id in (select id from payments order by created_at limit ${rows})`,
    old: "update payments set network_hash = null where network_hash is not null and created_at < now() - interval '90 days'",
  }),
]

/** Lets rows of four kinds be due, asks how long one statement would hold all of a kind, and lets the shop tidy up. */
export const tidyBacklog = async (pool: Pool, rows: number): Promise<void> => {
  const kinds = DUE.map((kind) => kind(rows))
  // Else the shop would tidy while it is asked what one statement holds.
  const atOnce: number[] = []
  for (const { make, old } of kinds) {
    const client = await pool.connect()
    await client.query('begin')
    await client.query(make)
    const start = performance.now()
    await client.query(old)
    atOnce.push(performance.now() - start)
    await client.query('rollback')
    client.release()
  }
  await pool.query('vacuum analyze')
  for (const { make } of kinds) await pool.query(make)
  const longest = watchLongest(pool)
  const runs: number[] = []
  const left = async () => {
    const { rows: counts } = await pool.query<{ left: number }>(
      `select (select count(*) from sessions where expires_at < now())
        + (select count(*) from connections where expires_at < now() - interval '30 days')
        + (select count(*) from orders where status = 'New' and expires_at < now() - interval '30 days')
        + (select count(*) from payments where network_hash is not null and created_at < now() - interval '90 days') as left`,
    )
    return Number(counts[0]?.left)
  }
  while ((await left()) > 0) runs.push(await timeRun(pool, 'tidy-up'))
  const { ms, what } = await longest.stop()
  console.log(
    `Tidying up ${rows} rows of each of ${kinds.length} kinds: ${kinds.map((kind) => kind.what).join(', ')}`,
  )
  const most = Math.max(...atOnce)
  console.table([
    { what: 'one statement for all of a kind, the longest', ms: round(most), ratio: 1 },
    { what: `slices, the longest transaction: ${what}`, ms: round(ms), ratio: round(ms / most, 3) },
    { what: `the longest of ${runs.length} runs`, ms: round(Math.max(...runs)), ratio: '' },
  ])
}
