import { randomUUID } from 'node:crypto'
import { emptyDatabase } from '@hedgerow/testing/test-database'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { up as addConversations } from '../../migrations/0014-conversations.ts'
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

test('what customers had written before there were conversations is the first message of each', async () => {
  const open = await aDatabase()
  const one = open()
  await migrate(one)
  await sql`drop table enquiry_messages, enquiries`.execute(one.db)
  await sql`
    create table enquiries (
      id uuid primary key,
      kind text not null check (kind in ('application', 'support')),
      customer_id uuid not null references customers on delete cascade,
      name text not null,
      text text not null,
      state text not null default 'new' check (state in ('new', 'answered')),
      created_at timestamptz not null default now()
    )`.execute(one.db)
  await sql`create index enquiries_by_customer on enquiries (customer_id, created_at desc)`.execute(one.db)
  const [customer, id] = [randomUUID(), randomUUID()]
  await sql`insert into customers (id, email, name, promocode, password_hash)
    values (${customer}, 'ada@example.org', 'Ada', 'ADA', 'x')`.execute(one.db)
  await sql`insert into enquiries values
    (${id}, 'application', ${customer}, 'Ada', 'A shop for sailors.', 'answered', '2026-11-01T10:00:00Z')`.execute(
    one.db,
  )
  await addConversations(one.db as never)
  const created_at = new Date('2026-11-01T10:00:00Z')
  expect(await one.db.selectFrom('enquiry_messages').selectAll().execute()).toEqual([
    { id, enquiry_id: id, author: 'customer', text: 'A shop for sailors.', created_at },
  ])
  const [head] = await one.db.selectFrom('enquiries').selectAll().execute()
  expect(head).toMatchObject({ state: 'talking', created_at, last_message_at: created_at })
})
