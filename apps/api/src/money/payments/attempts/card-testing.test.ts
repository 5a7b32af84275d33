import { randomInt } from 'node:crypto'
import { SETTLED_AFTER_DAYS } from '@hedgerow/domain/cancellations'
import { VELOCITY_LIMITS } from '@hedgerow/domain/velocity-limits'
import type { CallOptions, Reply } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteOldCounts, forgetNetworks } from '#money/payments/attempts/velocity.queries.ts'
import { removeNode } from '#network/nodes/remove-node.ts'
import { letDaysPass } from '#testing/cancellations.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { switchFaults } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { metric } from '#testing/metrics.ts'
import { agentWith, aNode } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import { BANKS, payByBank, payByBlik } from '#testing/payment-methods.ts'
import { answerChallenge, CARDS, challengeOf, pay, paymentRow, reached } from '#testing/payments.ts'
import { planFor, sale } from '#testing/plans.ts'
import { type Front, openSecondFront, shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

/** Another issuer's card that is declined, too. */
const OTHER_DECLINED = '4539121411168251'

/** For tests that start another process, or shops of their own, on a busy machine. */
const LONG = { timeout: 120_000 }

const { order: ORDER, account: ACCOUNT, issuer: ISSUER, network: NETWORK } = VELOCITY_LIMITS

const LIMITED = { env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '127.0.0.1' } }
const shop = shopOfFile(LIMITED)

const anAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

type Caller = Pick<Front, 'call'>

/** The same shop, called from an address of the internet; by itself, from another one each time. */
const from = ({ call }: Caller, address?: string): Caller => ({
  call: (method, path, options: CallOptions = {}) =>
    call(method, path, { ...options, headers: { 'x-forwarded-for': address ?? anAddress() } }),
})

const aBuyer = async (choice = {}, on: TestShop = shop) => {
  const customer = await aCustomer(on)
  return { customer, order: await anOrder(from(on), customer, choice) }
}

const decline = async (
  on: TestShop,
  customer: TestCustomer,
  order: TestOrder,
  pan: string = CARDS.declined,
) => {
  const reply = await pay(from(on), customer, order, { pan })
  expect(reply.status, reply.text).toBe(200)
  await reached(on, reply.body.paymentId, 'Decline')
}

const expectPause = (reply: Reply, words: RegExp) => {
  expectProblem(reply, 429)
  expect(reply.body.code).toBe('payments-paused')
  expect(reply.body.detail).toMatch(words)
  expect(reply.body.detail).toContain('Nothing was charged.')
  const seconds = Number(reply.headers.get('retry-after'))
  expect(Date.parse(reply.body.until) - Date.now()).toBeGreaterThan((seconds - 60) * 1000)
  expect(Date.parse(reply.body.until) - Date.now()).toBeLessThan((seconds + 60) * 1000)
}

const paymentsOf = async ({ id }: TestCustomer, on: TestShop = shop) =>
  on.db.selectFrom('payments').select(['id', 'status']).where('customer_id', '=', id).execute()

const statusesOf = (replies: readonly Reply[]) => ({
  started: replies.filter(({ status }) => status === 200).length,
  paused: replies.filter(({ status, body }) => status === 429 && body.code === 'payments-paused').length,
})

/** As if so many minutes had passed. */
const later = ({ db }: Pick<TestShop, 'db'>, { id }: TestCustomer, minutes: number) =>
  sql`update payments set created_at = created_at - make_interval(mins => ${minutes})
    where customer_id = ${id}`.execute(db)

const use = (payments: readonly { id: string }[]) => payments.map(({ id }) => id)

describe('an order', () => {
  test('whose cards were declined five times takes no sixth for the rest of the hour', async () => {
    const { customer, order } = await aBuyer({ currency: 'GBP' })
    for (let i = 0; i < ORDER.most; i++) await decline(shop, customer, order)
    for (const pan of [CARDS.declined, CARDS.paid, OTHER_DECLINED]) {
      const reply = await pay(from(shop), customer, order, { pan })
      expectPause(
        reply,
        /^Too many cards were declined for this purchase, .* by card for (59|60) minutes\. .* pay another way/,
      )
      expect(reply.text).not.toContain(pan)
    }
    expect(await paymentsOf(customer)).toHaveLength(ORDER.most)
    // Another way to pay, another order, and other customers are not concerned.
    const next = await anOrder(from(shop), customer)
    expect((await pay(from(shop), customer, next)).status).toBe(200)
    const other = await aBuyer()
    expect((await pay(from(shop), other.customer, other.order)).status).toBe(200)
    expect((await payByBank(from(shop), customer, order)).status).toBe(200)
  })

  test('takes cards again once the oldest of the declined is an hour old', async () => {
    const { customer, order } = await aBuyer()
    for (let i = 0; i < ORDER.most - 1; i++) await decline(shop, customer, order)
    await later(shop, customer, 40)
    await decline(shop, customer, order)
    expectPause(await pay(from(shop), customer, order), /for (19|20) minutes/)
    await later(shop, customer, 20)
    expect((await pay(from(shop), customer, order)).status).toBe(200)
  })

  test('is paid after three mistyped cards', async () => {
    const { customer, order } = await aBuyer()
    for (let i = 0; i < 3; i++) await decline(shop, customer, order)
    const { body } = await pay(from(shop), customer, order)
    await reached(shop, body.paymentId, 'Success')
  })

  test('counts attempts that have not ended, and one too many leaves the one before as it was', async () => {
    const { customer, order } = await aBuyer()
    const attempts: string[] = []
    for (let i = 0; i < ORDER.most; i++) {
      const instead = attempts.at(-1)
      const { body } = await pay(from(shop), customer, order, { pan: CARDS.challenged, instead })
      await challengeOf(shop, body.paymentId)
      attempts.push(body.paymentId)
    }
    const last = attempts.at(-1) as string
    expectPause(await pay(from(shop), customer, order, { instead: last }), /for this purchase/)
    expect((await paymentRow(shop, last)).abandoned_at).toBeNull()
    expect(await paymentsOf(customer)).toHaveLength(ORDER.most)
  })

  test('that is pressed for many times at once is one attempt', async () => {
    const { customer, order } = await aBuyer()
    const pan = CARDS.challenged
    const presses = await Promise.all(
      Array.from({ length: 12 }, () => pay(from(shop), customer, order, { pan })),
    )
    expect(presses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(presses.filter(({ status }) => status === 409)).toHaveLength(11)
    const { rows } = await sql<{ payment_ids: string[] }>`
      select payment_ids from velocity_counts where payment_ids && ${use(await paymentsOf(customer))}
        and kind = 'order'`.execute(shop.db)
    expect(rows.map(({ payment_ids }) => payment_ids)).toEqual([use(await paymentsOf(customer))])
  })

  test('of a plan is counted alike, and no other way to pay is offered', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('1 week')
    for (let i = 0; i < ORDER.most; i++) {
      const { body } = await sale(from(shop), customer, plan, { pan: CARDS.declined })
      await reached(shop, body._id, 'Decline')
    }
    const reply = await sale(from(shop), customer, plan)
    expectPause(reply, /for this purchase/)
    expect(reply.body.detail).not.toContain('another way')
    expect(await paymentsOf(customer)).toHaveLength(ORDER.most)
  })

  test.each([
    ['by Blik', payByBlik, {}],
    ['at a bank', payByBank, { bankId: BANKS.noConsent }],
  ] as const)('that was tried %s five times is open to cards alone', async (_, payBy, fields) => {
    const { customer, order } = await aBuyer({ currency: 'GBP' })
    let instead: string | undefined
    for (let i = 0; i < ORDER.most; i++) {
      const { status, text, body } = await payBy(from(shop), customer, order, { ...fields, instead })
      expect(status, text).toBe(200)
      instead = body.paymentId
      await reached(shop, body.paymentId, 'awaiting redirect result')
    }
    expectPause(await payBy(from(shop), customer, order, { instead }), /by bank or Blik .* Pay by card/)
    expect((await pay(from(shop), customer, order, { instead })).status).toBe(200)
  })
})

describe('an account', () => {
  test('has ten attempts a day, however many are made at once through two processes', LONG, async () => {
    const second = await openSecondFront(shop)
    const customer = await aCustomer(shop)
    const orders = await Promise.all(
      Array.from({ length: 2 * ACCOUNT.most }, () => anOrder(from(shop), customer)),
    )
    const replies = await Promise.all(
      orders.map((order, i) =>
        pay(from(i % 2 === 0 ? shop : second), customer, order, { pan: CARDS.challenged }),
      ),
    )
    expect(statusesOf(replies)).toEqual({ started: ACCOUNT.most, paused: ACCOUNT.most })
    expect(await paymentsOf(customer)).toHaveLength(ACCOUNT.most)
    const [paused] = replies.filter(({ status }) => status === 429)
    expectPause(paused as Reply, /for your account, .* for 24 hours/)
    const other = await aBuyer()
    expect((await pay(from(second), other.customer, other.order)).status).toBe(200)
  })

  test('gets nothing back for what succeeds, and loses nothing by it', async () => {
    const customer = await aCustomer(shop)
    const attempt = async (pan: string) => {
      const order = await anOrder(from(shop), customer)
      return pay(from(shop), customer, order, { pan })
    }
    for (let i = 0; i < ACCOUNT.most; i++) {
      if (i % 2 === 0) await reached(shop, (await attempt(CARDS.paid)).body.paymentId, 'Success')
      const declined = await attempt(i % 2 === 0 ? CARDS.declined : OTHER_DECLINED)
      expect(declined.status, declined.text).toBe(200)
      await reached(shop, declined.body.paymentId, 'Decline')
    }
    expectPause(await attempt(CARDS.paid), /for your account/)
  })
})

test('what never became a payment at the gateway was no attempt', async () => {
  const own = await startTestShop(LIMITED)
  const { customer, order } = await aBuyer({}, own)
  await switchFaults(own, { failSales: '500' })
  for (let i = 0; i <= ORDER.most; i++) {
    const { status, text, body } = await pay(from(own), customer, order)
    expect(status, text).toBe(200)
    await sql`update payments set created_at = now() - interval '2 minutes', next_check_at = now()
      where id = ${body.paymentId}`.execute(own.db)
    await hurry(own, 'check-payments')
    await reached(own, body.paymentId, 'Error')
  }
})

describe('a card’s issuer', () => {
  test(
    'is asked thirty times an hour at most, however many accounts and processes ask at once',
    LONG,
    async () => {
      const own = await startTestShop(LIMITED)
      const second = await openSecondFront(own)
      const customers = await Promise.all(Array.from({ length: 6 }, () => aCustomer(own)))
      /** Each of them so often, with an order of its own each time, all at once. */
      const allTry = async (times: number) => {
        const attempts = customers.flatMap((customer) => Array.from({ length: times }, () => customer))
        const orders = await Promise.all(attempts.map((customer) => anOrder(from(own), customer)))
        const replies = await Promise.all(
          attempts.map((customer, i) =>
            pay(from(i % 2 === 0 ? own : second), customer, orders[i] as TestOrder, {
              pan: CARDS.challenged,
            }),
          ),
        )
        return statusesOf(replies)
      }
      // Once the cap is reached each account has one more attempt, and none after that.
      const first = await allTry(8)
      expect(first.started).toBeGreaterThan(ISSUER.most)
      const then = await allTry(2)
      expect(first.started + then.started).toBe(ISSUER.most + customers.length)
      expect(await allTry(1)).toEqual({ started: 0, paused: customers.length })
      const [customer] = customers as [TestCustomer]
      const order = await anOrder(from(own), customer, { currency: 'GBP' })
      const reply = await pay(from(second), customer, order, { pan: CARDS.challenged })
      expectPause(
        reply,
        /cards of this bank .* for (59|60) minutes\. .* card from another bank\. Or pay another way/,
      )
      expect((await pay(from(second), customer, order)).status).toBe(200)
    },
  )

  test(
    'that is paused is told to the operator: at once by mail, by the overview, a list and a metric',
    LONG,
    async () => {
      const own = await startTestShop(LIMITED)
      const overview = async () => (await runOps(opsSettings(own), 'overview')).out
      for (let i = 0; i < ISSUER.most / ORDER.most; i++) {
        const { customer, order } = await aBuyer({}, own)
        for (let j = 0; j < ORDER.most; j++) await decline(own, customer, order)
        // One order’s pause is no attack.
        if (i === 0) expectPause(await pay(from(own), customer, order), /for this purchase/)
        if (i === 0) expect(await overview()).not.toContain('CardTesting')
      }
      const subject = 'someone may be testing cards'
      await queueIsEmpty(own)
      expect(await mailbox(own).list(own.settings.operatorEmail, subject)).toEqual([])
      for (let i = 0; i < 3; i++) {
        const { customer, order } = await aBuyer({}, own)
        await decline(own, customer, order)
        expectPause(await pay(from(own), customer, order, { pan: CARDS.declined }), /cards of this bank/)
      }
      const TRIED = ISSUER.most + 3
      expect(await overview()).toMatch(
        /CardTesting +33 failed payments have led to a pause +payment list --only card-testing/,
      )
      const { json } = await runOps(opsSettings(own), 'payment', 'list', '--only', 'card-testing', '--json')
      expect(json.rows).toHaveLength(TRIED)
      expect(await metric(own, 'hedgerow_waiting_for_operator', { what: 'card_testing' })).toBe(TRIED)
      expect(await metric(own, 'hedgerow_payments_paused_total', { by: 'issuer' })).toBe(3)
      const mail = await mailbox(own).latest(own.settings.operatorEmail, subject)
      expect(mail.text).toContain('1 card issuer.')
      await queueIsEmpty(own)
      expect(await mailbox(own).list(own.settings.operatorEmail, subject)).toHaveLength(1)
      // An hour later all of it is over.
      await sql`update payments set created_at = created_at - interval '1 hour'`.execute(own.db)
      expect(await overview()).not.toContain('CardTesting')
    },
  )
})

test('an honest buyer pays while others have the cards of their bank paused', LONG, async () => {
  const own = await startTestShop(LIMITED)
  for (let i = 0; i < ISSUER.most / ACCOUNT.most; i++) {
    const eve = await aCustomer(own)
    for (let j = 0; j < ACCOUNT.most; j++) {
      const order = await anOrder(from(own), eve)
      expect((await pay(from(own), eve, order, { pan: CARDS.challenged })).status).toBe(200)
    }
  }
  for (const times of [1, 2]) {
    const { customer, order } = await aBuyer({}, own)
    const { status, text, body } = await pay(from(own), customer, order, { pan: CARDS.challenged })
    expect(status, `${times}: ${text}`).toBe(200)
    await answerChallenge(own, body.paymentId)
    await reached(own, body.paymentId, 'Success')
    // What is paid uses nothing up.
    const again = await anOrder(from(own), customer)
    expect((await pay(from(own), customer, again, { pan: CARDS.challenged })).status).toBe(200)
  }
})

describe('a network', () => {
  const attemptFrom = async (own: TestShop, address: string, pan: string = CARDS.challenged) => {
    const { customer, order } = await aBuyer({}, own)
    return pay(from(own, address), customer, order, { pan })
  }

  test(
    'of IPv6 is all that one customer may have, and is tried from twenty times an hour at most',
    LONG,
    async () => {
      const own = await startTestShop(LIMITED)
      const addressIn = (network: string, i: number) => `2001:db8:0:${network}::${(i + 1).toString(16)}`
      const replies = await Promise.all(
        Array.from({ length: 28 }, (_, i) => attemptFrom(own, addressIn('7', i))),
      )
      expect(statusesOf(replies)).toEqual({ started: NETWORK.most, paused: 28 - NETWORK.most })
      const reply = await attemptFrom(own, addressIn('7', 99), CARDS.paid)
      expectPause(reply, /from your internet connection, .* Use another connection\. Or pay another way/)
      expect((await attemptFrom(own, addressIn('100', 0), CARDS.paid)).status).toBe(200)
      expect((await attemptFrom(own, '203.0.113.9', CARDS.paid)).status).toBe(200)
      // Nothing that is kept says which network it was.
      const { rows } = await sql<{ row: string }>`
      select to_jsonb(payments)::text as row from payments union all select to_jsonb(one)::text from velocity_counts as one`.execute(
        own.db,
      )
      expect(rows.length).toBeGreaterThan(NETWORK.most)
      for (const { row } of rows) expect(row).not.toMatch(/2001:|203\.0\.113/)
    },
  )
})

test('an account that kept a purchase pays while strangers have its whole network paused', LONG, async () => {
  const own = await startTestShop({ env: { ...LIMITED.env, RATE_LIMIT_SCALE: '0.25' } })
  const address = (i: number) => `100.64.7.${i}`
  const attempt = async (customer: TestCustomer, i: number, pan: string = CARDS.challenged) =>
    pay(from(own, address(i)), customer, await anOrder(from(own), customer), { pan })
  const newcomer = () => aCustomer({ ...own, ...from(own) })
  const regular = await newcomer()
  const { body } = await attempt(regular, 200, CARDS.paid)
  await reached(own, body.paymentId, 'Success')
  // Of three issuers, so that none is paused; the /24 may have four times as many as an address.
  const pans = [CARDS.challenged, '4006260000000014', '5413330000000019']
  const most = Math.ceil(NETWORK.most * 0.25 * 4)
  for (let i = 0; i < most; i++) expect((await attempt(await newcomer(), i, pans[i % 3])).status).toBe(200)
  // It may be a stolen card's, that its owner still claims back.
  expectPause(await attempt(regular, 200), /from your internet connection/)
  await letDaysPass(own, regular, SETTLED_AFTER_DAYS)
  expectPause(await attempt(await newcomer(), 201), /from your internet connection/)
  const paid = await attempt(regular, 200, CARDS.paid)
  expect(paid.status, paid.text).toBe(200)
  await reached(own, paid.body.paymentId, 'Success')
  expect((await attempt(regular, 200)).status).toBe(200)
  expectPause(await attempt(regular, 200), /from your internet connection/)
})

test('the exit of a node is not counted as a network, and is forgotten with the node', LONG, async () => {
  const own = await startTestShop(LIMITED)
  const [exit, exit6] = ['192.0.2.1', '2001:db8:0:9::1']
  const agent = await aNode({ ...own, ...from(own, exit) })
  expect((await agent.ask(0)).status).toBe(200)
  expect((await agentWith({ ...own, ...from(own, exit6) }, agent.node, agent).ask(0)).status).toBe(200)
  const attemptFrom = async (address: string, pan: string = CARDS.challenged) => {
    const { customer, order } = await aBuyer({}, own)
    return pay(from(own, address), customer, order, { pan })
  }
  // Of two issuers, so that neither is paused.
  const vain = [CARDS.challenged, CARDS.declined]
  for (let i = 0; i < NETWORK.most; i++) expect((await attemptFrom(exit, vain[i % 2])).status).toBe(200)
  expect((await attemptFrom(exit, CARDS.paid)).status).toBe(200)
  for (let i = 0; i < NETWORK.most; i++)
    expect((await attemptFrom('2001:db8:0:9:1:2:3:4', OTHER_DECLINED)).status).toBe(200)
  expect((await attemptFrom(exit6, CARDS.paid)).status).toBe(200)
  // Order and account are counted there, too.
  const { customer, order } = await aBuyer({}, own)
  for (let i = 0; i < ORDER.most; i++) {
    const { body } = await pay(from(own, exit6), customer, order, { pan: CARDS.declined })
    await reached(own, body.paymentId, 'Decline')
  }
  expectPause(await pay(from(own, exit6), customer, order), /for this purchase/)
  await sql`update connections set expires_at = now() - interval '1 second'`.execute(own.db)
  const networks = async () =>
    (await own.db.selectFrom('nodes').select('agent_networks').where('id', '=', agent.node.id).execute())[0]
  expect(await networks()).toEqual({ agent_networks: [exit, '2001:db8::/56'] })
  expect(await removeNode(own, agent.node.id)).toBe(0)
  expect(await networks()).toEqual({ agent_networks: [] })
})

test('a card that is typed on the gateway’s page is counted all the same', async () => {
  const own = await startTestShop({ env: { ...LIMITED.env, CARD_FORM: 'hosted' } })
  const { customer, order } = await aBuyer({}, own)
  const press = (instead?: string) =>
    from(own).call('POST', `/api/v1/orders/${order.orderId}`, {
      token: customer.token,
      body: { total: order.total, currency: order.currency.code, acceptTerms: true, instead },
    })
  let instead: string | undefined
  for (let i = 0; i < ORDER.most; i++) {
    const { status, text, body } = await press(instead)
    expect(status, text).toBe(200)
    instead = body.paymentId
  }
  expectPause(await press(instead), /for this purchase/)
})

test('a shop whose limits are off pauses nothing, and counts nothing', async () => {
  const own = await startTestShop({ env: { RATE_LIMIT_SCALE: '0' } })
  const { customer, order } = await aBuyer({}, own)
  for (let i = 0; i <= ORDER.most; i++) await decline(own, customer, order)
  expect(await own.db.selectFrom('velocity_counts').selectAll().execute()).toEqual([])
})

test('what was counted is forgotten once it stops no one', async () => {
  const own = await startTestShop(LIMITED)
  const { customer, order } = await aBuyer({}, own)
  await decline(own, customer, order)
  const kindsLeft = async () => {
    await deleteOldCounts(own.db)
    const rows = await own.db.selectFrom('velocity_counts').select('kind').orderBy('kind').execute()
    return rows.map(({ kind }) => kind)
  }
  expect(await kindsLeft()).toEqual(['account', 'issuer', 'network', 'network', 'network', 'order'])
  const anHourLater = () =>
    sql`update velocity_counts set tried_at = tried_at - interval '61 minutes'`.execute(own.db)
  await anHourLater()
  await anHourLater()
  expect(await kindsLeft()).toEqual(['account'])
  await sql`update velocity_counts set tried_at = tried_at - interval '1 day'`.execute(own.db)
  expect(await kindsLeft()).toEqual([])
})

test('the network of a payment is forgotten after 90 days', async () => {
  const { customer, order } = await aBuyer()
  const { body } = await pay(from(shop), customer, order)
  const hashNow = async () => {
    await forgetNetworks(shop.db)
    return (await paymentRow(shop, body.paymentId)).network_hash
  }
  await later(shop, customer, 89 * 24 * 60)
  expect(await hashNow()).toBeInstanceOf(Buffer)
  await later(shop, customer, 2 * 24 * 60)
  // A payment that is being worked on is left to the next run.
  await expect.poll(hashNow).toBeNull()
})
