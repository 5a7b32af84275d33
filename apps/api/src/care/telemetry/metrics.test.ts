import { randomUUID } from 'node:crypto'
import { runningVersion } from '@hedgerow/settings/running-version'
import { freePort } from '@hedgerow/testing/free-port'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { aCustomer, eraseAccount, uniqueEmail } from '#testing/customers.ts'
import { switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { metric, scrape } from '#testing/metrics.ts'
import { aNode } from '#testing/nodes.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, aWaitingPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { openSecondFront, shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()
const EUR_CARD = { currency: 'EUR', method: 'card' }
const waiting = (where: TestShop, what: string) => metric(where, 'hedgerow_waiting_for_operator', { what })

describe('GET /metrics', () => {
  test('counts requests by the pattern of their route, never by an id', async () => {
    const { paymentId, order } = await aPurchase(shop)
    const text = await (await fetch(shop.metricsUrl)).text()
    expect(text).toMatch(/hedgerow_http_requests_total\{.*route="\/api\/v1\/orders".*status="201".*\} \d+/)
    expect(text).toContain('route="/api/v1/payment/status/:paymentId"')
    expect(text).not.toContain(paymentId)
    expect(text).not.toContain(order.orderId)
  })

  test('names the version that runs, and its commit', async () => {
    const { version, commit } = runningVersion()
    const labels = { version, commit: commit ?? '', node: process.versions.node }
    expect(await metric(shop, 'hedgerow_build_info', labels)).toBe(1)
  })

  test('is not on the public port', async () => {
    expectProblem(await shop.call('GET', '/metrics'), 404)
  })

  test('has nothing else to say', async () => {
    expect((await fetch(shop.metricsUrl.replace('/metrics', '/'))).status).toBe(404)
  })

  test('tells how the nodes stand', async () => {
    const { node } = await aNode(shop)
    const { customer } = await aPurchase(shop)
    await maintainNodes({ db: shop.db })
    const text = await (await fetch(shop.metricsUrl)).text()
    expect(text).toContain('hedgerow_nodes{state="up"} 1')
    expect(text).toContain('hedgerow_nodes{state="down"} 0')
    expect(text).toContain('hedgerow_nodes{state="demonstration"} 1')
    expect(text).toContain(`hedgerow_peers{node="${node.name}"} 3`)
    expect(text).toContain(`hedgerow_pool_free{node="${node.name}"} ${4093 - 3}`)
    expect(text).toContain(`hedgerow_pool_size{node="${node.name}"} 4093`)
    expect(text).toMatch(new RegExp(`hedgerow_node_seen_seconds\\{node="${node.name}"\\} \\d`))
    expect(text).not.toContain(customer.email)
    // A drained node is not asked for room.
    await sql`update nodes set is_open = false where id = ${node.id}`.execute(shop.db)
    expect(await metric(shop, 'hedgerow_pool_free', { node: node.name })).toBeUndefined()
    expect(await metric(shop, 'hedgerow_pool_size', { node: node.name })).toBe(4093)
    await sql`update nodes set removed_at = now() where id = ${node.id}`.execute(shop.db)
    expect((await scrape(shop)).some(({ labels }) => labels.node === node.name)).toBe(false)
  })
})

describe('sales and refunds', () => {
  test('are counted since the shop opened, alike in every process, and never twice', async () => {
    const own = await startTestShop()
    expect(await metric(own, 'hedgerow_sales_total', EUR_CARD)).toBe(0)
    const { paymentId, customer } = await aPurchase(own)
    await aPurchase(own, { currency: 'GBP' })
    const refused = await startPayment(own, customer, await anOrder(own, customer), { pan: CARDS.declined })
    await reached(own, refused, 'Decline')
    const told = async (front: Pick<TestShop, 'metricsUrl'>) => ({
      sales: await metric(front, 'hedgerow_sales_total', EUR_CARD),
      minor: await metric(front, 'hedgerow_sales_minor_total', EUR_CARD),
      pounds: await metric(front, 'hedgerow_sales_minor_total', { currency: 'GBP', method: 'card' }),
      refunds: await metric(front, 'hedgerow_refunds_total', EUR_CARD),
      refunded: await metric(front, 'hedgerow_refunds_minor_total', EUR_CARD),
    })
    const sold = { sales: 1, minor: 3000, pounds: 3000, refunds: 0, refunded: 0 }
    expect(await told(own)).toEqual(sold)
    expect(await told(own)).toEqual(sold)

    await requestRefund(own, { paymentId, amountMinor: 1000 })
    await until(async () => (await refundsOf(own, paymentId))[0]?.status === 'Success')
    expect(await told(own)).toEqual({ ...sold, refunds: 1, refunded: 1000 })

    // What ended long ago is remembered, and not counted again with what comes next.
    await sql`update payments set ended_at = ended_at - interval '1 hour' where ended_at is not null`.execute(
      own.db,
    )
    const second = await openSecondFront(own)
    expect(await told(second)).toEqual({ ...sold, refunds: 1, refunded: 1000 })
    await aPurchase(own)
    for (let scrapes = 0; scrapes < 3; scrapes++) {
      expect(await told(second)).toMatchObject({ sales: 2, minor: 6000, refunds: 1 })
    }
  })

  test('that were refused or have to be sent by hand wait for the operator', async () => {
    const own = await startTestShop()
    const { paymentId } = await aPurchase(own)
    expect(await waiting(own, 'refunds_refused')).toBe(0)
    await requestRefund(own, { paymentId, amountMinor: 413 })
    await until(async () => (await refundsOf(own, paymentId))[0]?.status === 'Decline')
    expect(await waiting(own, 'refunds_refused')).toBe(1)
    await requestRefund(own, { paymentId, amountMinor: 100 })
    expect(await waiting(own, 'refunds_refused')).toBe(1)
    await until(async () => (await refundsOf(own, paymentId)).every(({ status }) => status !== 'Pending'))
    await requestRefund(own, { paymentId, amountMinor: 900 })
    expect(await waiting(own, 'refunds_refused')).toBe(0)
    expect(await waiting(own, 'refunds_stuck')).toBe(0)
    const { paymentId: still } = await aPurchase(own)
    await sql`insert into refunds (id, payment_id, amount_minor, reason, created_at)
      values (gen_random_uuid(), ${still}, 1, 'operator', now() - interval '61 minutes')`.execute(own.db)
    expect(await waiting(own, 'refunds_stuck')).toBe(1)
    const { paymentId: owed } = await aPurchase(own)
    await sql`insert into refunds (id, payment_id, amount_minor, reason, is_by_hand, created_at)
      values (gen_random_uuid(), ${owed}, 1, 'operator', true, now() - interval '1 hour')`.execute(own.db)
    expect(await waiting(own, 'refunds_by_hand')).toBe(1)
    const oldest = { what: 'refunds_by_hand' }
    expect(await metric(own, 'hedgerow_waiting_for_operator_oldest_seconds', oldest)).toBeCloseTo(3600, -2)
  })
})

describe('payments that have not ended', () => {
  test('are counted by status, with the age of the oldest', async () => {
    const own = await startTestShop()
    const customer = await aCustomer(own)
    const id = await startPayment(own, customer, await anOrder(own, customer), { pan: CARDS.challenged })
    await reached(own, id, 'awaiting 3ds result')
    await sql`update payments set created_at = now() - interval '2 hours'`.execute(own.db)
    const status = 'awaiting 3ds result'
    expect(await metric(own, 'hedgerow_payments', { status })).toBe(1)
    expect(await metric(own, 'hedgerow_payments_oldest_seconds', { status })).toBeCloseTo(7200, -2)
    expect(await metric(own, 'hedgerow_payments', { status: 'Pending' })).toBe(0)
    expect(await metric(own, 'hedgerow_payments_oldest_seconds', { status: 'Pending' })).toBe(0)
    expect(await metric(own, 'hedgerow_payments', { status: 'Success' })).toBeUndefined()
    await sql`update payments set abandoned_at = now()`.execute(own.db)
    expect(await metric(own, 'hedgerow_payments', { status })).toBe(0)
    expect(await metric(own, 'hedgerow_payments_oldest_seconds', { status })).toBe(0)
  })
})

describe('rates for Blik', () => {
  test('that are old are counted, where somebody has paid at them lately', async () => {
    const own = await startTestShop()
    for (const currency of ['EUR', 'GBP'] as const) await aPurchase(own, { currency })
    await sql`update payments set method = 'blik'`.execute(own.db)
    await sql`update rates set set_at = now() - interval '29 days' where currency = 'EUR'`.execute(own.db)
    expect(await metric(own, 'hedgerow_rates_old')).toBe(0)
    await sql`update rates set set_at = now() - interval '31 days'`.execute(own.db)
    expect(await metric(own, 'hedgerow_rates_old')).toBe(2)
    await sql`update payments set method = 'card' where currency = 'GBP'`.execute(own.db)
    expect(await metric(own, 'hedgerow_rates_old')).toBe(1)
    await sql`update payments set ended_at = now() - interval '31 days'`.execute(own.db)
    expect(await metric(own, 'hedgerow_rates_old')).toBe(0)
  })
})

describe('rates in pounds', () => {
  test('of months without a sale in euros are not missed', async () => {
    const own = await startTestShop()
    await sql`delete from accounting_rates`.execute(own.db)
    expect(await metric(own, 'hedgerow_sterling_rates_missing')).toBe(0)
  })
})

describe('delivery', () => {
  test('of what is paid while there is room is timed', async () => {
    const before = (await metric(shop, 'hedgerow_delivery_seconds_count')) ?? 0
    await aPurchase(shop)
    // The customer hears of the success a moment before it is counted.
    await until(async () => (await metric(shop, 'hedgerow_delivery_seconds_count')) === before + 1)
    expect(await metric(shop, 'hedgerow_delivery_seconds_bucket', { le: '86400' })).toBe(before + 1)
  })

  test('of what waits for room is shown while it waits, and timed from the payment', async () => {
    const own = await startTestShop()
    const { paymentId } = await aWaitingPurchase(own)
    expect(await metric(own, 'hedgerow_paid_orders_waiting')).toBe(1)
    await sql`update payments set ended_at = ended_at - interval '10 minutes' where id = ${paymentId}`.execute(
      own.db,
    )
    expect(await metric(own, 'hedgerow_paid_orders_waiting_oldest_seconds')).toBeCloseTo(600, -2)
    expect(await metric(own, 'hedgerow_queue_jobs', { task: 'deliver-payment', state: 'planned' })).toBe(1)
    await sql`update nodes set is_open = true`.execute(own.db)
    await hurry(own, 'deliver-payment')
    await until(async () => (await metric(own, 'hedgerow_paid_orders_waiting')) === 0)
    expect(await metric(own, 'hedgerow_paid_orders_waiting_oldest_seconds')).toBe(0)
    await until(async () => (await metric(own, 'hedgerow_delivery_seconds_bucket', { le: '3600' })) === 1)
    expect(await metric(own, 'hedgerow_delivery_seconds_bucket', { le: '120' })).toBe(0)
  })
})

describe('the queue and mails', () => {
  test('tell of a mail server that takes nothing, and of one that is back', async () => {
    const kind = 'mail-confirmation'
    const own = await startTestShop({ env: { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } })
    const email = uniqueEmail()
    const body = { name: 'Ada', email, signupPassword: 'a wren in the hedge 42', acceptTerms: true }
    await own.call('POST', '/api/v1/user/create', { body })
    expect(await metric(own, 'hedgerow_sign_ups_total')).toBe(1)
    const tries = () => metric(own, 'hedgerow_mails_total', { kind, outcome: 'failed' })
    await until(async () => ((await tries()) ?? 0) > 0)
    // Given up, for want of a server, and not tried again while this looks.
    const givenUp = { task: kind, state: 'given_up' }
    await until(async () => {
      await sql`update graphile_worker._private_jobs set max_attempts = attempts
        where key is null and locked_at is null and last_error is not null`.execute(own.db)
      return (await metric(own, 'hedgerow_queue_jobs', givenUp)) === 1
    })
    expect(await metric(own, 'hedgerow_mail_last_success_timestamp_seconds')).toBe(0)
    expect(await metric(own, 'hedgerow_job_seconds_count', { task: kind, outcome: 'failed' })).toBe(
      await tries(),
    )
    expect((await (await fetch(own.metricsUrl)).text()).includes(email)).toBe(false)

    const back = await openSecondFront({
      ...own,
      env: { ...own.env, SMTP_URL: `smtp://127.0.0.1:${own.sandbox.smtpPort}` },
    })
    await sql`update graphile_worker._private_jobs set max_attempts = 99 where key is null`.execute(own.db)
    await until(async () => {
      await hurry(own, kind)
      return (await metric(back, 'hedgerow_mails_total', { kind, outcome: 'sent' })) === 1
    })
    expect(await metric(back, 'hedgerow_mail_last_success_timestamp_seconds')).toBeCloseTo(
      Date.now() / 1000,
      -2,
    )
    await until(async () => !(await metric(back, 'hedgerow_queue_jobs', givenUp)))
  })

  test('tell how long the oldest job has been due', async () => {
    const own = await startTestShop()
    await sql`select graphile_worker.add_job('nobody-does-this', run_at := now() - interval '5 minutes')`.execute(
      own.db,
    )
    expect(await metric(own, 'hedgerow_queue_oldest_seconds', { task: 'nobody-does-this' })).toBeCloseTo(
      300,
      -1,
    )
    expect(await metric(own, 'hedgerow_queue_jobs', { task: 'nobody-does-this', state: 'due' })).toBe(1)
    expect(await metric(own, 'hedgerow_queue_oldest_seconds', { task: 'tidy-up' })).toBe(0)
    expect(await metric(own, 'hedgerow_queue_jobs', { task: 'tidy-up', state: 'given_up' })).toBe(0)
  })
})

describe('what happened to accounts', () => {
  test('is counted by its kind, each from 0 on', async () => {
    const own = await startTestShop()
    const { email } = await aCustomer(own)
    const count = (kind: string) => metric(own, 'hedgerow_security_events_total', { kind })
    for (const kind of ['log-in', 'log-in-failed', 'passkey-copied', 'account-erased'])
      expect(await count(kind)).toBe(0)
    const logIn = (password: string) =>
      own.call('POST', '/api/v1/user/login', { body: { username: email, password } })
    for (let times = 0; times < 3; times++) await logIn('not the password')
    await until(async () => (await count('log-in-failed')) === 3)
    const { body } = await logIn('a wren in the hedge 42')
    expect(await count('new-browser')).toBe(1)
    await eraseAccount(own, { email, token: body.access_token })
    expect(await count('account-erased')).toBe(1)
    expect((await (await fetch(own.metricsUrl)).text()).includes(email)).toBe(false)
  })
})

describe('what comes from outside', () => {
  test('is counted: callbacks that are refused, and calls that the gateway does not answer', async () => {
    const own = await startTestShop()
    expect(await metric(own, 'hedgerow_callbacks_total', { outcome: 'refused' })).toBe(0)
    expectProblem(await own.call('POST', '/api/v1/payment/callback', { body: { signature: 'none' } }), 400)
    expect(await metric(own, 'hedgerow_callbacks_total', { outcome: 'refused' })).toBe(1)
    await aPurchase(own)
    await until(async () => (await metric(own, 'hedgerow_callbacks_total', { outcome: 'applied' })) === 1)
    expect(
      await metric(own, 'hedgerow_gateway_call_seconds_count', { call: 'sale', outcome: 'accepted' }),
    ).toBe(1)
    await switchFaults(own, { failSales: '500' })
    const customer = await aCustomer(own)
    await startPayment(own, customer, await anOrder(own, customer))
    expect(
      await metric(own, 'hedgerow_gateway_call_seconds_count', { call: 'sale', outcome: 'unknown' }),
    ).toBeGreaterThan(0)
  })

  test('is counted while it waits for an answer: to the support, and to be a reseller', async () => {
    const own = await startTestShop()
    const { token } = await aCustomer(own)
    const send = (path: string, words: object) =>
      own.call('POST', path, { token, body: { id: randomUUID(), name: 'Ada', ...words } })
    expect((await send('/api/v1/support', { problem: 'It does not work.' })).status).toBe(201)
    expect(await waiting(own, 'support')).toBe(1)
    expect(await waiting(own, 'applications')).toBe(0)
    expect(await waiting(own, 'withdrawals')).toBe(0)
    await sql`update conversation_messages set created_at = now() - interval '1 day'`.execute(own.db)
    const oldest = { what: 'support' }
    expect(await metric(own, 'hedgerow_waiting_for_operator_oldest_seconds', oldest)).toBeCloseTo(86_400, -2)
  })
})

describe('without its database', () => {
  test('the shop still tells of itself, says that it cannot read, and invents nothing', async () => {
    const own = await startTestShop()
    await aPurchase(own)
    expect(await metric(own, 'hedgerow_database_up')).toBe(1)
    await sql`alter table payments rename to hidden`.execute(own.db)
    expect(await metric(own, 'hedgerow_database_up')).toBe(0)
    expect(await metric(own, 'hedgerow_sales_total', EUR_CARD)).toBeUndefined()
    expect(await metric(own, 'hedgerow_paid_orders_waiting')).toBeUndefined()
    expect(await metric(own, 'hedgerow_queue_jobs', { task: 'tidy-up', state: 'given_up' })).toBe(0)
    await until(async () => (await metric(own, 'hedgerow_callbacks_total', { outcome: 'applied' })) === 1)
    await sql`alter table hidden rename to payments`.execute(own.db)
    expect(await metric(own, 'hedgerow_database_up')).toBe(1)
    expect(await metric(own, 'hedgerow_sales_total', EUR_CARD)).toBe(1)
  })

  test('a scrape that the database holds up ends all the same', async () => {
    const own = await startTestShop()
    const held = Promise.withResolvers<void>()
    const holding = own.db.transaction().execute(async (trx) => {
      await sql`lock table payments`.execute(trx)
      await held.promise
    })
    await until(async () => {
      const { rows } =
        await sql`select from pg_locks where mode = 'AccessExclusiveLock' and relation = 'payments'::regclass`.execute(
          own.db,
        )
      return rows.length > 0
    })
    const told = await Promise.all([scrape(own), scrape(own), scrape(own)])
    for (const one of told) expect(one.find(({ name }) => name === 'hedgerow_database_up')?.value).toBe(0)
    held.resolve()
    await holding
    await until(async () => (await metric(own, 'hedgerow_database_up')) === 1)
  })
})
