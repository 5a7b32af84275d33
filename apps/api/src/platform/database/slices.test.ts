import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { deleteDue, inSlices } from '#platform/database/slices.ts'
import { cloneDatabase } from '#testing/test-database.ts'

const IS_OVER = sql`ends_at < now()`

/** A table with so many rows that are due, and a note of how many each statement deletes of it, in which transaction. */
const aTableOf = async (count: number) => {
  const { url, drop } = await cloneDatabase()
  const { db } = openDatabase(url, () => undefined, 3)
  onTestFinished(async () => {
    await db.destroy()
    await drop()
  })
  await sql`insert into rate_counts (key, calls, ends_at)
    select n::text::bytea, 1, now() - interval '1 second' from generate_series(1, ${count}::int) n`.execute(
    db,
  )
  await sql`create table slices (count integer, transaction xid8)`.execute(db)
  await sql`create function note_slice() returns trigger language plpgsql as $$
    begin
      insert into slices select count(*), pg_current_xact_id() from gone;
      return null;
    end
  $$`.execute(db)
  await sql`create trigger note_slice after delete on rate_counts referencing old table as gone
    for each statement execute function note_slice()`.execute(db)
  return db
}

const slicesOf = async (db: Db) => {
  const { rows } = await sql<{ count: number; transaction: string }>`
    select count, transaction::text from slices order by transaction`.execute(db)
  return rows
}

const keysLeft = async (db: Db) => (await db.selectFrom('rate_counts').select('key').execute()).length

test('what is due is deleted in transactions of so many rows at most', async () => {
  const db = await aTableOf(2_500)
  await deleteDue(db, 'rate_counts', IS_OVER)
  const slices = await slicesOf(db)
  expect(slices.map(({ count }) => count)).toEqual([1_000, 1_000, 500])
  expect(new Set(slices.map(({ transaction }) => transaction)).size).toBe(3)
  expect(await keysLeft(db)).toBe(0)
})

test('locked rows are left, and the others are not', async () => {
  const db = await aTableOf(250)
  await db.transaction().execute(async (trx) => {
    await sql`select from rate_counts where key in ('1'::bytea, '100'::bytea, '250'::bytea) for update`.execute(
      trx,
    )
    await deleteDue(db, 'rate_counts', IS_OVER, { rows: 100 })
  })
  expect((await slicesOf(db)).map(({ count }) => count)).toEqual([100, 100, 47])
  await deleteDue(db, 'rate_counts', IS_OVER)
  expect(await keysLeft(db)).toBe(0)
})

test('a run whose time is over begins no other slice, and the next goes on', async () => {
  const db = await aTableOf(250)
  const run = () => deleteDue(db, 'rate_counts', IS_OVER, { rows: 100, ms: 0 })
  const left: number[] = []
  for (let runs = 0; runs < 3; runs++) {
    await run()
    left.push(await keysLeft(db))
  }
  expect(left).toEqual([150, 50, 0])
})

test('a slice that fails ends the work', async () => {
  let slices = 0
  const work = inSlices(async (rows) => {
    if (++slices === 2) throw new Error('no')
    return rows
  })
  await expect(work).rejects.toThrow('no')
  expect(slices).toBe(2)
})
