import { randomBytes, randomUUID } from 'node:crypto'
import { Pool } from 'pg'
import { ratePerSecond } from './measure.ts'

/** Yardstick: what a purchase has to write, in seven statements of one transaction each, and nothing else. */
export const bareWritesPerSecond = async (url: string, lanes: number, seconds: number): Promise<number> => {
  const pool = new Pool({ connectionString: url, max: lanes })
  await pool.query(`
    create table if not exists bare_orders (id uuid primary key, customer uuid, total int, status text, at timestamptz default now());
    create table if not exists bare_payments (id text primary key, order_id uuid, amount int, status text);
    create table if not exists bare_connections (id uuid primary key, payment_id text, name text, sealed bytea, expires_at timestamptz);
    create table if not exists bare_jobs (id bigserial primary key, payload json)`)
  const sealed = randomBytes(60)
  const customer = randomUUID()
  const rate = await ratePerSecond(lanes, seconds, async () => {
    const client = await pool.connect()
    const order = randomUUID()
    const payment = randomBytes(16).toString('hex')
    await client.query('begin')
    await client.query({
      name: 'o',
      text: 'insert into bare_orders (id, customer, total, status) values ($1, $2, 3000, $3)',
      values: [order, customer, 'New'],
    })
    await client.query({
      name: 'p',
      text: 'insert into bare_payments values ($1, $2, 3000, $3)',
      values: [payment, order, 'Success'],
    })
    await client.query({
      name: 'u',
      text: 'update bare_orders set status = $2 where id = $1',
      values: [order, 'Completed'],
    })
    await client.query({
      name: 'c',
      text: "insert into bare_connections select id, $2, 'c', $3, now() + interval '30 days' from unnest($1::uuid[]) as id",
      values: [[randomUUID(), randomUUID(), randomUUID()], payment, sealed],
    })
    await client.query({ name: 'j', text: 'insert into bare_jobs (payload) values ($1)', values: ['{}'] })
    await client.query('commit')
    client.release()
  })
  await pool.end()
  return rate
}
