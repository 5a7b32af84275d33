import { emptyDatabase } from '@hedgerow/testing/test-database'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from './client.ts'
import { migrate } from './migrate.ts'

const aDatabase = async () => {
  const database = await emptyDatabase()
  onTestFinished(database.drop)
  const open = () => {
    const opened = openDatabase(database.url, () => undefined, 4)
    onTestFinished(() => opened.pool.end())
    return opened
  }
  return open
}

const tablesOf = async ({ db }: ReturnType<typeof openDatabase>) =>
  (
    await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(
      db,
    )
  ).rows.map(({ name }) => name)

test('two processes that start at once on an empty database bring it up to date together', async () => {
  const open = await aDatabase()
  const all = [open(), open(), open()]
  await Promise.all(all.map(migrate))
  for (const one of all)
    expect(await tablesOf(one)).toEqual(expect.arrayContaining(['customers', 'payments']))
})

test('a database that is up to date stays as it is', async () => {
  const open = await aDatabase()
  const one = open()
  await migrate(one)
  await sql`insert into nodes (id, name, endpoint, public_key, ipv4, ipv6) values
    (gen_random_uuid(), 'n', 'e', 'k', '10.0.0.0/24', 'fd00::/64')`.execute(one.db)
  await migrate(one)
  const { rows } = await sql`select from nodes`.execute(one.db)
  expect(rows).toHaveLength(1)
})
