import { randomBytes, randomUUID } from 'node:crypto'
import { Pool, type PoolClient } from 'pg'
import { ratePerSecond } from './measure.ts'

/** The statements between `begin` and `commit`, and what has to be there first. */
export type BareTables = {
  prepare: (pool: Pool) => Promise<void>
  write: (client: PoolClient, lane: number) => Promise<unknown>
}

const SEALED = randomBytes(60)
const newPaymentId = () => randomBytes(16).toString('hex')

/** Tables of its own, with a primary key each and nothing else: what PostgreSQL can do at the very best. */
export const ownTables: BareTables = {
  prepare: async (pool) => {
    await pool.query(`
      create table if not exists bare_orders (id uuid primary key, customer uuid, total int, status text, at timestamptz default now());
      create table if not exists bare_payments (id text primary key, order_id uuid, amount int, status text);
      create table if not exists bare_connections (id uuid primary key, payment_id text, name text, sealed bytea, expires_at timestamptz);
      create table if not exists bare_jobs (id bigserial primary key, payload json)`)
  },
  write: async (client) => {
    const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
    const [order, payment] = [randomUUID(), newPaymentId()]
    await run('o1', 'insert into bare_orders (id, customer, total, status) values ($1, $1, 3003, $2)', [
      order,
      'New',
    ])
    await run('p1', 'insert into bare_payments values ($1, $2, 3003, $3)', [payment, order, 'Success'])
    await run('u1', 'update bare_orders set status = $2 where id = $1', [order, 'Completed'])
    await run(
      'c1',
      "insert into bare_connections select id, $2, 'c', $3, now() + interval '30 days' from unnest($1::uuid[]) as id",
      [[randomUUID(), randomUUID(), randomUUID()], payment, SEALED],
    )
    await run('j1', 'insert into bare_jobs (payload) values ($1)', ['{}'])
  },
}

let customers: string[] = []
let position = 0

/** The shop's own tables, with their keys, indexes and checks: the same rows that a purchase leaves behind, and its notification. */
export const shopTables: BareTables = {
  prepare: async (pool) => {
    customers = (
      await pool.query("select id from customers where email like '%@bench.example' order by id")
    ).rows.map(({ id }) => id)
    position = (await pool.query('select coalesce(max(position), 0) + 100000000 as first from peers')).rows[0]
      .first
  },
  write: async (client, lane) => {
    const run = (name: string, text: string, values: unknown[]) => client.query({ name, text, values })
    const [order, payment, customer] = [randomUUID(), newPaymentId(), customers[lane]]
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    position += 3
    await run(
      'o2',
      `insert into orders (id, customer_id, days, connections, options, total_minor, currency, expires_at)
      values ($1, $2, 30, 3, 2, 3003, 'EUR', now())`,
      [order, customer],
    )
    await run(
      'p2',
      `insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency,
        pan_masked, card_holder, status, ended_at, delivered_at, is_invoiced)
      values ($1, $2, $3, 'card', 3003, 'EUR', 3003, 'EUR', '400000******0077', 'BARE', 'Success', now(), now(), true)`,
      [payment, order, customer],
    )
    await run('u2', "update orders set status = 'Completed', updated_at = now() where id = $1", [order])
    await run(
      'c2',
      `insert into connections (id, customer_id, payment_id, ordinal, name, options, filters_on, expires_at)
      select id, $2, $3, ordinal, 'Bench ' || ordinal, 2, 2, now() + interval '30 days'
      from unnest($1::uuid[]) with ordinality as key (id, ordinal)`,
      [ids, customer, payment],
    )
    await run(
      'e2',
      `insert into peers (id, connection_id, node_id, position, public_key, private_key_encrypted, preshared_key_encrypted)
      select id, id, $2, $4 + ordinal, $3 || ordinal, $5, $5 from unnest($1::uuid[]) with ordinality as key (id, ordinal)`,
      [ids, customer, payment, position, SEALED],
    )
    await run('n2', "select pg_notify('changed', 'payment:' || $1)", [payment])
  },
}

/** Yardstick: what a purchase writes, in seven statements of one transaction, and nothing else. */
export const bareWritesPerSecond = async (
  url: string,
  tables: BareTables,
  lanes: number,
  seconds: number,
): Promise<number> => {
  const pool = new Pool({ connectionString: url, max: lanes })
  await tables.prepare(pool)
  const rate = await ratePerSecond(lanes, seconds, async (lane) => {
    const client = await pool.connect()
    await client.query('begin')
    await tables.write(client, lane)
    await client.query('commit')
    client.release()
  })
  await pool.end()
  return rate
}
