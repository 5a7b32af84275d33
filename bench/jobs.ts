/**
 * `npm run bench:jobs`: what a payment is followed by (delivery, invoice, mail) while the gateway answers no status check,
 * against the same while it does; and how soon a confirmation leaves, and how many log-ins there are a second, while
 * thousands of receipts wait, against none.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashPassword } from '@hedgerow/api/passwords'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { Pool } from 'pg'
import { median, ratePerSecond, round } from './measure.ts'
import { RawConnection, rawRequest } from './raw-client.ts'
import { type BenchShop, purchase, startBenchShop } from './shop.ts'

const PURCHASES = Number(process.env.BENCH_PURCHASES ?? 100)
const EVERY_MS = 300
const DUE_CHECKS = 400
const RECEIPTS = Number(process.env.BENCH_RECEIPTS ?? 10_000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20)
const TURNS = 4
const LOG_INS_AT_ONCE = 4
/** What has not come by then counts as that late. */
const PATIENCE_MS = 180_000
const CONFIRM_PATIENCE_MS = 20_000
const SIGN_UPS = 6
/** What platform/queue/add-job.ts gives a receipt. */
const RECEIPT_PRIORITY = 20
const PASSWORD = 'hedge sparrow 7'

const pause = (ms: number) => new Promise((later) => setTimeout(later, ms))
const at = (values: number[], share: number) =>
  values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const switchFaults = (shop: BenchShop, faults: object) =>
  fetch(`${shop.sandboxUrl}/gate/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })

type Mail = { to: string; subject: string; date: string }

const mailsTo = async (shop: BenchShop, to: string): Promise<Mail[]> =>
  (await fetch(`${shop.sandboxUrl}/mail/messages?to=${encodeURIComponent(to)}`)).json() as Promise<Mail[]>

/** When a mail of this subject came, as soon as it has. */
const mailCame = async (
  shop: BenchShop,
  to: string,
  subject: string,
  since: number,
  patienceMs = PATIENCE_MS,
): Promise<number> => {
  while (Date.now() - since < patienceMs) {
    const mail = (await mailsTo(shop, to)).find((one) => one.subject.includes(subject))
    if (mail) return Date.parse(mail.date)
    await pause(20)
  }
  return since + patienceMs
}

/** Payments that the gateway was asked for a moment ago and has not told the end of: each is due to be asked about. */
const addDueChecks = (pool: Pool) =>
  pool.query(
    `with made as (
      insert into orders (id, customer_id, days, connections, options, total_minor, currency, status,
        created_at, updated_at, expires_at)
      select gen_random_uuid(), (select id from customers limit 1), 30, 3, 2, 3003, 'EUR', 'New', now(), now(),
        now() + interval '1 day'
      from generate_series(1, $1) returning *
    )
    insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency,
      status, pan_masked, card_holder, next_check_at, checks, created_at)
    select md5(id::text), id, customer_id, 'card', total_minor, currency, total_minor, currency, 'processing',
      '400000******0077', 'DUE', now(), 0, now()
    from made`,
    [DUE_CHECKS],
  )

const ENDS = `select extract(epoch from delivered_at - ended_at) * 1000 as delivered,
  extract(epoch from issued_at - ended_at) * 1000 as invoiced, ended_at, email
  from payments join customers on customers.id = payments.customer_id
  left join invoices on invoices.order_id = payments.order_id where payments.id = any($1)`

type End = { delivered: string | null; invoiced: string | null; ended_at: Date; email: string }

/** Buys at a steady pace while so many checks are due, and tells how long after its success what followed each payment. */
const afterPayments = async (shop: BenchShop, pool: Pool, isHanging: boolean) => {
  await switchFaults(shop, { hangStatus: isHanging })
  await addDueChecks(pool)
  const connection = await RawConnection.open(shop.port)
  const tokens = shop.tokens.splice(0, PURCHASES)
  const ids: string[] = []
  for (const token of tokens) {
    const next = pause(EVERY_MS)
    ids.push(await purchase(connection, token))
    await next
  }
  connection.close()
  const end = Date.now() + PATIENCE_MS
  let rows: End[] = []
  do {
    await pause(200)
    rows = (await pool.query<End>(ENDS, [ids])).rows
  } while (
    Date.now() < end &&
    rows.some(({ delivered, invoiced }) => delivered === null || invoiced === null)
  )
  const mailed: number[] = []
  for (const { email, ended_at } of rows)
    mailed.push((await mailCame(shop, email, 'receipt', ended_at.getTime())) - ended_at.getTime())
  await switchFaults(shop, { hangStatus: false })
  await pool.query("delete from payments where card_holder = 'DUE'")
  const times = (key: 'delivered' | 'invoiced') => rows.map((row) => Number(row[key] ?? PATIENCE_MS))
  return { delivered: times('delivered'), invoiced: times('invoiced'), mailed }
}

/** Someone who logs in over and over. Returns the request. */
const aLogIn = async (pool: Pool): Promise<string> => {
  const email = `${randomUUID()}@bench.example`
  await pool.query(
    `insert into customers (id, email, name, promocode, password_hash, confirmed_at)
     values ($1::uuid, $2, 'Bench', $1::uuid::text, $3, now())`,
    [randomUUID(), email, await hashPassword(PASSWORD)],
  )
  return rawRequest('POST', '/api/v1/user/login', undefined, { username: email, password: PASSWORD })
}

const logInsPerSecond = async (shop: BenchShop, request: string, seconds: number): Promise<number> => {
  const lanes = await Promise.all(
    Array.from({ length: LOG_INS_AT_ONCE }, () => RawConnection.open(shop.port)),
  )
  const rate = await ratePerSecond(LOG_INS_AT_ONCE, seconds, async (lane) => {
    const { status, body } = await (lanes[lane] as RawConnection).send(request)
    if (status !== 200) throw new Error(`log-in: ${status} ${body}`)
  })
  for (const lane of lanes) lane.close()
  return rate
}

/** Signs up every other second; tells how long each confirmation took to leave. */
const confirmations = async (shop: BenchShop, count: number): Promise<number[]> => {
  const times: number[] = []
  const connection = await RawConnection.open(shop.port)
  for (let i = 0; i < count; i++) {
    const email = `${randomUUID()}@bench.example`
    const body = { name: 'Bench', email, signupPassword: PASSWORD, acceptTerms: true }
    const { status } = await connection.send(rawRequest('POST', '/api/v1/user/create', undefined, body))
    if (status >= 300) throw new Error(`signup: ${status}`)
    const since = Date.now()
    times.push((await mailCame(shop, email, 'Confirm', since, CONFIRM_PATIENCE_MS)) - since)
    await pause(500)
  }
  connection.close()
  return times
}

const receiptsWaiting = async (pool: Pool): Promise<number> =>
  (
    await pool.query(
      "select count(*)::int as n from graphile_worker.jobs where task_identifier = 'mail-receipt'",
    )
  ).rows[0].n

/** With the priority that the shop gives them. */
const addReceipts = (pool: Pool, priority: number) =>
  pool.query(
    `select count(graphile_worker.add_job('mail-receipt', json_build_object('orderId', ids[1 + n % cardinality(ids)]),
      max_attempts := 15, priority := $2))
     from (select array_agg(order_id) as ids from invoices) as orders, generate_series(1, $1::int) as n`,
    [RECEIPTS, priority],
  )

/** Lets them all be due, or wait for another day. */
const setReceiptsDue = async (pool: Pool, isDue: boolean): Promise<void> => {
  await pool.query(
    `select count(*) from graphile_worker.reschedule_jobs(
      (select array_agg(id) from graphile_worker.jobs where task_identifier = 'mail-receipt' and locked_at is null),
      run_at := now() + case when $1 then interval '0' else interval '1 day' end)`,
    [isDue],
  )
  await pool.query(`select pg_notify('jobs:insert', '{"count":4}')`)
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
const postgres = await startPostgres({ dataDir: folder })
try {
  const shop = await startBenchShop(postgres.url, folder, 2 * PURCHASES)
  const pool = new Pool({ connectionString: postgres.url, max: 2 })
  // Of a run that fails, its own error is what matters.
  pool.on('error', () => undefined)
  const calm = await afterPayments(shop, pool, false)
  const hanging = await afterPayments(shop, pool, true)
  console.log(`${DUE_CHECKS} due checks; ${PURCHASES} purchases each, ms after the payment's success`)
  console.table(
    (['delivered', 'invoiced', 'mailed'] as const).map((what) => ({
      what,
      'p50 answered': round(median(calm[what])),
      'p50 hanging': round(median(hanging[what])),
      'p99 answered': round(at(calm[what], 0.99)),
      'p99 hanging': round(at(hanging[what], 0.99)),
    })),
  )

  await addReceipts(pool, RECEIPT_PRIORITY)
  const request = await aLogIn(pool)
  const rates: { idle: number[]; busy: number[] } = { idle: [], busy: [] }
  let sent = 0
  let sending = 0
  // In turns, so that what else the machine does meanwhile falls on both alike.
  for (let turn = 0; turn < TURNS; turn++) {
    for (const kind of ['idle', 'busy'] as const) {
      await setReceiptsDue(pool, kind === 'busy')
      await pause(1_000)
      const before = await receiptsWaiting(pool)
      const start = performance.now()
      rates[kind].push(await logInsPerSecond(shop, request, SECONDS / TURNS))
      if (kind === 'idle') continue
      sent += before - (await receiptsWaiting(pool))
      sending += (performance.now() - start) / 1000
    }
  }
  const busyMails = await confirmations(shop, SIGN_UPS)
  const waited = await receiptsWaiting(pool)
  await setReceiptsDue(pool, false)
  await pause(1_000)
  const idleMails = await confirmations(shop, SIGN_UPS)
  console.log(
    `${waited} receipts still waiting at the end; ${round(sent / sending, 1)} sent a second beside the log-ins`,
  )
  const row = (what: string, idle: number, busy: number) => ({
    what,
    'none due': round(idle),
    'thousands due': round(busy),
  })
  console.table([
    row('log-ins/s', median(rates.idle), median(rates.busy)),
    row('a confirmation leaves after, median ms', median(idleMails), median(busyMails)),
    row('a confirmation leaves after, longest ms', Math.max(...idleMails), Math.max(...busyMails)),
  ])
  await pool.end()
  await shop.stop()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
