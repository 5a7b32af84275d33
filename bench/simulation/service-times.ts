import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import type { Pool } from 'pg'
import { RawConnection, rawRequest } from '../raw-client.ts'
import { type BenchShop, orderAndPay } from '../shop.ts'
import { costOf, type Idle, type Measuring, minus } from './costs.ts'
import { createCounter } from './database-facts.ts'
import { askFor, closeAll, nextToken, openAll, orderRequest } from './loads.ts'
import { measureAgentPeers, measureAgents, measureLimit } from './machine-times.ts'
import type { CallName, Cost } from './measured.ts'

const SECONDS = 3
/** Between the loads that the model has to predict, which are of 8 and of 32 buyers. */
const LANES = 16
/** The shop's own cost of a hash (apps/api/src/people/passwords/passwords.ts). */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const PASSWORD = 'a bench that nobody sits on'

const NOT_RECEIVED = `select
  (select count(*) from payments where status <> 'Success' or (delivered_at is not null and not is_invoiced))
  + (select count(*) from graphile_worker.jobs where task_identifier = 'mail-receipt') as waiting`
const NOT_DELIVERED = 'select count(*) as waiting from payments where delivered_at is null'

/** Until everything that was paid is delivered and its receipt has left. */
export const untilReceived = (pool: Pool): Promise<void> => untilNone(pool, NOT_RECEIVED)

const untilNone = async (pool: Pool, query: string): Promise<void> => {
  while (Number((await pool.query(query)).rows[0].waiting) > 0) await pause(200)
}

const INVOICES_WAIT = "task_identifier = 'issue-invoices' and locked_at is null"

/** Lets the job that issues invoices, and so all receipts, wait for so long. */
const putOffInvoices = async (pool: Pool, seconds: number): Promise<void> => {
  for (;;) {
    const { rows } = await pool.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at := now() + make_interval(secs => $1))
       from graphile_worker.jobs where ${INVOICES_WAIT} having count(*) > 0`,
      [seconds],
    )
    if (rows.length > 0) return
    await pause(20)
  }
}

export const measureIdle = async ({ meter }: Measuring): Promise<Idle> => {
  const stop = meter.start()
  await pause(SECONDS * 1000)
  const { wall, main, threads, database, gateway } = stop()
  return { main: main / wall, threads: threads / wall, database: database / wall, gateway: gateway / wall }
}

const measureAnswers = async (
  { shop, meter }: Measuring,
  idle: Idle,
  requestOf: () => string,
  lanes = LANES,
) => {
  await askFor(shop, lanes, 0.3, requestOf)
  const stop = meter.start()
  const done = await askFor(shop, lanes, SECONDS, requestOf)
  return costOf(stop(), done, idle)
}

const buyFor = async (shop: BenchShop, seconds: number): Promise<number> => {
  const connections = await openAll(shop, LANES)
  const end = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < end) {
        await orderAndPay(connection, nextToken(shop), (_, call) => call())
        done++
      }
    }),
  )
  closeAll(connections)
  return done
}

/** Orders, payments and deliveries, with nobody who asks how they stand; then all their invoices and receipts. */
const measurePurchases = async ({ shop, url, pool, meter }: Measuring, idle: Idle) => {
  await buyFor(shop, 2)
  await untilReceived(pool)
  await putOffInvoices(pool, 600)
  const counter = await createCounter(url)
  const count = await counter.start()
  const stopBuying = meter.start()
  const done = await buyFor(shop, SECONDS)
  await untilNone(pool, NOT_DELIVERED)
  const purchase = costOf(stopBuying(), done, idle)
  const stopPapers = meter.start()
  await putOffInvoices(pool, 0)
  await untilReceived(pool)
  const receipt = costOf(stopPapers(), done, idle)
  const counted = await count()
  await counter.stop()
  return { purchase, receipt, done, counted }
}

/** By some customers in turn, whose browsers have been told of by mail before: that mail is no part of most log-ins. */
const measureLogIns = async (measuring: Measuring, idle: Idle): Promise<Cost> => {
  const { pool } = measuring
  const passwordHash = await hash(PASSWORD, ARGON2)
  const names = Array.from({ length: 30 }, () => `${randomUUID()}@bench.example`)
  for (const name of names)
    await pool.query(
      `insert into customers (id, email, name, promocode, password_hash, confirmed_at)
      values ($1, $2, 'Bench', $3, $4, now())`,
      [randomUUID(), name, randomUUID(), passwordHash],
    )
  let turn = 0
  const request = () => {
    const username = names[turn++ % names.length]
    return rawRequest('POST', '/api/v1/user/login', undefined, { username, password: PASSWORD })
  }
  return measureAnswers(measuring, idle, request, 4)
}

/** Processor time of every call, each kind by itself. */
export const measureServiceTimes = async (measuring: Measuring, idle: Idle) => {
  const { shop } = measuring
  const answers = (requestOf: () => string) => measureAnswers(measuring, idle, requestOf)
  const get = (path: string) => answers(() => rawRequest('GET', path, nextToken(shop)))
  const list = await get('/api/v1/shop/items')
  const order = await answers(() => orderRequest(shop))
  const purchases = await measurePurchases(measuring, idle)
  const agentPeer = await measureAgentPeers(measuring, idle)
  const connection = await RawConnection.open(shop.port)
  const paid = await orderAndPay(connection, nextToken(shop), (_, call) => call())
  connection.close()
  const calls: Omit<Record<CallName, Cost>, 'pay' | 'outcome' | 'page' | 'file'> = {
    order,
    receipt: purchases.receipt,
    poll: await answers(() => rawRequest('GET', `/api/v1/payment/status/${paid}`)),
    list,
    profile: await get('/api/v1/user/profile'),
    history: await get('/api/v1/payment/history'),
    logIn: await measureLogIns(measuring, idle),
    limit: await measureLimit(measuring, idle),
    agentPoll: await measureAgents(measuring, idle),
    agentPeer,
  }
  return { calls, purchases }
}

/** A payment whose outcome does not come: to be measured last, because a status check finds it later. */
export const measurePay = async ({ shop, meter }: Measuring, idle: Idle, order: Cost): Promise<Cost> => {
  await fetch(`${shop.sandboxUrl}/gate/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dropCallbacks: true }),
  })
  const stop = meter.start()
  const done = await buyFor(shop, SECONDS)
  return minus(costOf(stop(), done, idle), order)
}

/** The home page and one of its files, as a browser asks for them; and how many files it names. */
export const measurePages = async (measuring: Measuring, idle: Idle) => {
  const get = (path: string) => rawRequest('GET', path).replace('host:', 'accept-encoding: br\r\nhost:')
  const connection = await RawConnection.open(measuring.shop.port)
  const { body } = await connection.send(rawRequest('GET', '/'))
  connection.close()
  const files = [...new Set(body.match(/\/assets\/[\w.-]+/g) ?? [])]
  const script = files.find((path) => path.endsWith('.js'))
  if (!script) throw new Error('the home page names no script')
  return {
    page: await measureAnswers(measuring, idle, () => get('/')),
    file: await measureAnswers(measuring, idle, () => get(script)),
    files: files.length,
  }
}
