import { Client, Pool } from 'pg'

const LANES = 8

const QUEUE_OF_JOBS = 'jobs:insert'
const CHANGED = 'changed'

/** Transactions a second, each with one row: one after the other, or by eight connections at once. */
const commitsPerSecond = async (url: string, lanes: number, seconds: number, notifies: boolean) => {
  const pool = new Pool({ connectionString: url, max: lanes })
  await pool.query('create table if not exists simulation_commits (id bigserial primary key, text text)')
  const insert = "insert into simulation_commits (text) values ('x') returning id"
  const text = notifies
    ? `with one as (${insert}) select pg_notify('simulation', id::text) from one`
    : `with one as (${insert}) select id from one`
  const end = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      const client = await pool.connect()
      while (performance.now() < end) {
        await client.query({ name: `commit-${notifies}`, text })
        done++
      }
      client.release()
    }),
  )
  await pool.query('drop table simulation_commits')
  await pool.end()
  return done / seconds
}

/**
 * What a commit costs in time. PostgreSQL lets one transaction that notifies end after the other, for the whole server, the
 * flush to disk included (PreCommit_Notify in its async.c): those cannot share a flush.
 */
export const measureCommits = async (url: string, seconds: number) => ({
  aloneMs: 1000 / (await commitsPerSecond(url, 1, seconds, false)),
  plainPerSecond: await commitsPerSecond(url, LANES, seconds, false),
  notifyingPerSecond: await commitsPerSecond(url, LANES, seconds, true),
})

type Totals = { commits: number; notifications: number; bytes: number; walBytes: number }

/** Counts what the database did between a start and an end. */
export const createCounter = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  let notifications = 0
  client.on('notification', () => notifications++)
  await client.query(`listen "${QUEUE_OF_JOBS}"`)
  await client.query(`listen ${CHANGED}`)
  const look = async (): Promise<Totals> => {
    const { rows } =
      await client.query(`select xact_commit::float8 as commits, pg_database_size(datname)::float8 as bytes,
      (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as wal from pg_stat_database where datname = current_database()`)
    const [{ commits, bytes, wal }] = rows
    return { commits, notifications, bytes, walBytes: wal }
  }
  return {
    start: async () => {
      const before = await look()
      return async (): Promise<Totals> => {
        const after = await look()
        return {
          commits: after.commits - before.commits,
          notifications: after.notifications - before.notifications,
          bytes: after.bytes - before.bytes,
          walBytes: after.walBytes - before.walBytes,
        }
      }
    },
    stop: () => client.end(),
  }
}
