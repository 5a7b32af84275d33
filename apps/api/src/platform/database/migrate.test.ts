import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@hedgerow/domain/dates'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '#platform/database/client.ts'
import { migrate, migrateTables, setUpQueue } from '#platform/database/migrate.ts'
import { emptyDatabase } from '#testing/test-database.ts'

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
  await Promise.all(all.map((one) => migrate(one)))
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

/** A database as an older version of the shop left it. */
const aDatabaseUpTo = async (last: string) => {
  const one = (await aDatabase())()
  await migrateTables(one.db, last)
  return one
}

const aCustomerOf = async (db: Db) => {
  const id = randomUUID()
  await sql`insert into customers (id, email, name, promocode, password_hash)
    values (${id}, 'ada@example.org', 'Ada', 'ADA', 'x')`.execute(db)
  return id
}

test('what customers had written before there were conversations is the first message of each', async () => {
  const one = await aDatabaseUpTo('0013-partner-accounts')
  const [customer, id] = [await aCustomerOf(one.db), randomUUID()]
  await sql`insert into enquiries (id, kind, customer_id, name, text, state, created_at) values
    (${id}, 'application', ${customer}, 'Ada', 'A shop for sailors.', 'answered', '2026-11-01T10:00:00Z')`.execute(
    one.db,
  )
  await migrate(one)
  const created_at = new Date('2026-11-01T10:00:00Z')
  expect(await one.db.selectFrom('conversation_messages').selectAll().execute()).toEqual([
    { id, conversation_id: id, author: 'customer', text: 'A shop for sailors.', created_at },
  ])
  const [head] = await one.db.selectFrom('conversations').selectAll().execute()
  expect(head).toMatchObject({ state: 'talking', created_at, last_message_at: created_at })
})

test('jobs that an older version had queued are run under their new names', async () => {
  const one = await aDatabaseUpTo('0016-metrics')
  await setUpQueue(one)
  const id = randomUUID()
  await sql`select graphile_worker.add_job('mail-enquiry', ${JSON.stringify({ enquiryId: id })}::json)`.execute(
    one.db,
  )
  await sql`select graphile_worker.add_job('see-to-nodes', '{}'::json, job_key := 'see-to-nodes')`.execute(
    one.db,
  )
  await migrate(one)
  const { rows } = await sql`
    select task.identifier, job.key, job.payload from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id order by task.identifier`.execute(
    one.db,
  )
  expect(rows).toEqual([
    { identifier: 'mail-conversation', key: null, payload: { conversationId: id } },
    { identifier: 'maintain-nodes', key: 'maintain-nodes', payload: {} },
  ])
})

/** Orders with every choice of options, told in their days, and connections with every part of those on, told in names. */
const fillWithOldOptions = async (db: Db, customer: string) => {
  await sql`
    insert into orders (id, customer_id, days, connections, priority_bandwidth, ad_filter, malware_filter, family_filter,
      total_minor, currency, expires_at)
    select md5('order' || n)::uuid, ${customer}, 100 + n, 3, n & 1 > 0, n & 2 > 0, n & 4 > 0, n & 8 > 0, 3000, 'EUR', now()
    from generate_series(0, 15) n`.execute(db)
  await sql`
    insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency)
    select md5('payment' || n), md5('order' || n)::uuid, ${customer}, 'card', 3000, 'EUR', 3000, 'EUR'
    from generate_series(0, 15) n`.execute(db)
  await sql`
    insert into connections (id, customer_id, payment_id, ordinal, name, priority_bandwidth, ad_filter, malware_filter,
      family_filter, ad_filter_on, malware_filter_on, family_filter_on)
    select gen_random_uuid(), ${customer}, md5('payment' || n), 1 + o, n || ' ' || o, n & 1 > 0, n & 2 > 0, n & 4 > 0,
      n & 8 > 0, o & 2 > 0, o & 4 > 0, o & 8 > 0
    from generate_series(0, 15) n, generate_series(0, 14, 2) o where o & ~ n = 0`.execute(db)
}

test('options that an older version held one by one become masks, each as it was', async () => {
  const one = await aDatabaseUpTo('0017-common-words')
  await fillWithOldOptions(one.db, await aCustomerOf(one.db))
  await migrate(one)
  const orders = await one.db.selectFrom('orders').select(['days', 'options']).execute()
  expect(orders).toHaveLength(16)
  for (const { days, options } of orders) expect(options).toBe((days ?? 0) - 100)
  const connections = await one.db.selectFrom('connections').selectAll().execute()
  // With priority or without, and each filter not bought, off or on.
  expect(connections).toHaveLength(2 * 3 * 3 * 3)
  for (const { name, options, filters_on } of connections) expect(`${options} ${filters_on}`).toBe(name)
})

test('links that an older version made without an end, end seven days later', async () => {
  const one = await aDatabaseUpTo('0017-common-words')
  await fillWithOldOptions(one.db, await aCustomerOf(one.db))
  await sql`update connections set link_hash = sha256(id::text::bytea), linked_at = '2026-01-01'
    where name like '15 %'`.execute(one.db)
  await migrate(one)
  const rows = await one.db
    .selectFrom('connections')
    .select(['name', 'link_hash', 'link_expires_at'])
    .execute()
  const isLinked = rows.filter(({ link_hash }) => link_hash !== null)
  expect(isLinked.map(({ name }) => name.slice(0, 3))).toEqual(Array(8).fill('15 '))
  for (const { link_hash, link_expires_at } of rows) {
    const days = link_expires_at && (link_expires_at.getTime() - Date.now()) / DAY_MS
    if (link_hash) expect(days).toBeCloseTo(7, 1)
    else expect(days).toBeNull()
  }
})

test('a process of the version before goes on making, replacing and withdrawing links, which end all the same', async () => {
  const one = await aDatabaseUpTo('0017-common-words')
  await fillWithOldOptions(one.db, await aCustomerOf(one.db))
  await migrate(one)
  const daysLeft = async () => {
    const { rows } = await sql<{ days: number | null }>`
      select distinct extract(epoch from link_expires_at - now())::float8 / 86400 as days
      from connections`.execute(one.db)
    expect(rows).toHaveLength(1)
    return rows[0]?.days
  }
  // As that version writes.
  const make = (salt: string) =>
    sql`update connections set link_hash = sha256((${salt} || id::text)::bytea), linked_at = now()`.execute(
      one.db,
    )
  await make('first')
  expect(await daysLeft()).toBeCloseTo(7, 1)
  await sql`update connections set link_expires_at = now() + interval '1 hour'`.execute(one.db)
  await make('second')
  expect(await daysLeft()).toBeCloseTo(7, 1)
  await sql`update connections set link_hash = null, linked_at = null`.execute(one.db)
  expect(await daysLeft()).toBeNull()
})

test('a filter is on only where it was bought, and an option to come needs no other check', async () => {
  const one = await aDatabaseUpTo('0017-common-words')
  await fillWithOldOptions(one.db, await aCustomerOf(one.db))
  await migrate(one)
  const set = (options: number, filters_on: number) =>
    one.db.updateTable('connections').set({ options, filters_on }).execute()
  await set(31, 16)
  await expect(set(1, 2)).rejects.toThrow('filters_are_bought')
  await expect(set(-1, 0)).rejects.toThrow('connections_options_check')
  await expect(one.db.updateTable('orders').set({ options: -1 }).execute()).rejects.toThrow(
    'orders_options_check',
  )
})

test('payments and earnings of an older version stay as they were, and hold no hash', async () => {
  const one = await aDatabaseUpTo('0018-options')
  const customer = await aCustomerOf(one.db)
  await sql`
    insert into orders (id, customer_id, days, connections, options, total_minor, currency, expires_at)
    values (md5('order')::uuid, ${customer}, 30, 3, 0, 3000, 'EUR', now())`.execute(one.db)
  await sql`
    insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency,
      pan_masked, promocode, partner_id, is_credited, status, ended_at)
    values (md5('payment'), md5('order')::uuid, ${customer}, 'card', 3000, 'EUR', 3000, 'EUR', '400000******0077', 'EVE',
      gen_random_uuid(), true, 'Success', now())`.execute(one.db)
  await sql`
    insert into earnings (payment_id, partner_id, source, level, percentage, amount_minor, currency, available_at)
    select id, partner_id, 'promocode', 1, 10, 300, 'EUR', now() from payments`.execute(one.db)
  await migrate(one)
  expect(await one.db.selectFrom('payments').selectAll().execute()).toMatchObject([
    { is_credited: true, uncredited_because: null, card_hash: null, network_hash: null },
  ])
  const [earning] = await one.db.selectFrom('earnings').selectAll().execute()
  expect(earning).toMatchObject({ amount_minor: 300, is_own_card: false })
  await expect(one.db.updateTable('earnings').set({ is_own_card: true }).execute()).rejects.toThrow(
    'own_cards_earn_nothing',
  )
})

test('refunds that were refused long ago are owed, but for those that were asked for again or have gone back', async () => {
  const one = await aDatabaseUpTo('0021-share-links')
  const customer = await aCustomerOf(one.db)
  await sql`
    insert into orders (id, customer_id, days, connections, options, total_minor, currency, expires_at)
    select md5(name)::uuid, ${customer}, 30, 3, 0, 3000, 'EUR', now() from unnest(array['open', 'all back']) as name`.execute(
    one.db,
  )
  await sql`
    insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency,
      refunded_minor, status, ended_at)
    select md5(name), md5(name)::uuid, ${customer}, 'card', 3000, 'EUR', 3000, 'EUR', back, 'Success', now()
    from (values ('open', 0), ('all back', 3000)) as paid (name, back)`.execute(one.db)
  await sql`
    insert into refunds (id, payment_id, amount_minor, reason, status, ended_at, created_at)
    select gen_random_uuid(), md5(name), minor, 'operator', 'Decline', now(), now() - day * interval '1 day'
    from (values ('open', 2000, 60), ('open', 500, 50), ('open', 500, 40), ('open', 2500, 30), ('all back', 3000, 90))
      as refused (name, minor, day)`.execute(one.db)
  await migrate(one)
  const open = await one.db
    .selectFrom('refunds')
    .select('amount_minor')
    .where('closed_at', 'is', null)
    .orderBy('created_at')
    .execute()
  expect(open.map(({ amount_minor }) => amount_minor)).toEqual([2000, 500, 2500])
})
