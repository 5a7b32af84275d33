import { randomBytes } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listUnknown } from '#money/payments/exceptions/unknown-payments.queries.ts'
import { listRatesOf } from '#money/rates/rates.queries.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { bookOf, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { aLostPayment, anUnknownPayment, unknownRows } from '#testing/lost-payments.ts'
import { metric } from '#testing/metrics.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder, type TestOrder } from '#testing/orders.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import { CARDS, challengeOf, connectionsOf, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { planFor } from '#testing/plans.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)
const adopt = (paymentId: string, ...args: string[]) => ops('payment', 'adopt', paymentId, '--yes', ...args)
const toOrder = (paymentId: string, { email }: TestCustomer, orderId: string) =>
  adopt(paymentId, '--customer', email, '--order', orderId)

const isUnknown = async (paymentId: string) =>
  (await listUnknown(shop.db, { isAll: true }, 1000)).some(({ payment_id }) => payment_id === paymentId)

const isHere = async (paymentId: string) =>
  (await shop.db.selectFrom('payments').select('id').where('id', '=', paymentId).execute()).length === 1

const delivered = async (paymentId: string) => {
  await hurry(shop, 'check-payments')
  await reached(shop, paymentId, 'Success')
}

/** Of what it is asked for above €120.00, it pays but a part. */
const PARTIAL = '5126160000356675'

/** A customer with an unpaid order of €30.00, and a payment of as much that nobody here knows. */
const aCase = async () => {
  const customer = await aCustomer(shop)
  const { orderId } = await anOrder(shop, customer)
  return { customer, orderId, paymentId: await anUnknownPayment(shop) }
}

describe('ops payment adopt, to an order', () => {
  test('delivers it once, with its invoice, as any other; and the repeated callback finds it', async () => {
    const { customer, orderId, paymentId } = await aCase()
    const { code, out } = await toOrder(paymentId, customer, orderId)
    expect(out).toMatch(/^Adopted: payment \w{32}, with the order /)
    expect(code).toBe(0)
    await delivered(paymentId)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    const told = { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' }
    expect((await sendUpdate(shop, told)).status).toBe(200)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await isUnknown(paymentId)).toBe(false)
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      order_id: orderId,
      customer_id: customer.id,
      pan_masked: '400000******0077',
      refund_due: false,
    })
    await expect.poll(async () => (await paymentRow(shop, paymentId)).is_invoiced).toBe(true)
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    expect(body).toMatchObject([{ _id: paymentId, status: 'Success', orderStatus: 'Completed' }])
    const audit = await ops('audit', 'list', '--subject', paymentId, '--json')
    expect(audit.json.rows).toMatchObject([{ command: 'payment adopt', outcome: 'done' }])
  })

  test('twice, at once, and at once with the callback: delivers once, and both are told', async () => {
    const { customer, orderId, paymentId } = await aCase()
    const told = { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' }
    const [one, other] = await Promise.all([
      toOrder(paymentId, customer, orderId),
      toOrder(paymentId, customer, orderId),
      ...Array.from({ length: 5 }, () => sendUpdate(shop, told)),
    ])
    expect([one.code, other.code]).toEqual([0, 0])
    expect([one.out, other.out].map((out) => out.split(':')[0]).sort()).toEqual([
      'Adopted',
      'Already adopted',
    ])
    await delivered(paymentId)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect((await toOrder(paymentId, customer, orderId)).out).toMatch(/^Already adopted/)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('gives the money back where the order was paid meanwhile', async () => {
    // One that tells nothing twice, and is not asked: both are done by hand here.
    const own = await startTestShop({ sandbox: { retryScale: 1 } })
    await sql`create function ask_later() returns trigger language plpgsql as
      $$ begin new.next_check_at := now() + interval '1 hour'; return new; end $$`.execute(own.db)
    await sql`create trigger ask_later before insert on payments for each row execute function ask_later()`.execute(
      own.db,
    )
    const customer = await aCustomer(own)
    const order = await anOrder(own, customer)
    const first = await startPayment(own, customer, order, { pan: CARDS.challenged })
    await challengeOf(own, first)
    const told = { amountMinor: 3000, currency: 'EUR' }
    await sendUpdate(own, { ...told, paymentId: first, status: 'decline' })
    const paymentId = await anUnknownPayment(own)
    const args = ['--customer', customer.email, '--order', order.orderId, '--yes']
    expect((await runOps(opsSettings(own), 'payment', 'adopt', paymentId, ...args)).code).toBe(0)
    expect(await paymentRow(own, paymentId)).toMatchObject({ status: 'Pending' })

    await sendUpdate(own, { ...told, paymentId: first, status: 'success' })
    expect((await sendUpdate(own, { ...told, paymentId, status: 'success' })).status).toBe(200)
    expect(await paymentRow(own, paymentId)).toMatchObject({ refund_due: true, delivered_at: null })
    expect(await connectionsOf(own, first)).toHaveLength(3)
    await expect.poll(async () => (await bookOf(own, paymentId))?.status).toMatch(/^(refunded|reversed)$/)
    expect(await refundsOf(own, paymentId)).toMatchObject([{ reason: 'paid-twice', amount_minor: 3000 }])
  })

  test('refuses an order that costs something else, naming both, and one in another currency', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await anUnknownPayment(shop, { amountMinor: 2999 })
    const dear = await toOrder(paymentId, customer, (await anOrder(shop, customer)).orderId)
    expect([dear.code, dear.err]).toEqual([1, 'Not adopted: €29.99 was paid, but the order costs €30.00.\n'])
    const inPounds = await anOrder(shop, customer, { currency: 'GBP' })
    const paid = await anUnknownPayment(shop)
    expect((await toOrder(paid, customer, inPounds.orderId)).err).toMatch(/€30\.00 was paid.* costs £30\.00/)
    for (const id of [paymentId, paid]) expect([await isHere(id), await isUnknown(id)]).toEqual([false, true])
  })

  test('refuses somebody else’s order, one that is paid, and one that is being paid', async () => {
    const { customer, orderId, paymentId } = await aCase()
    const other = await aCustomer(shop)
    expect((await toOrder(paymentId, other, orderId)).err).toMatch(/the customer has no such order/)
    const busy = await anOrder(shop, customer)
    await challengeOf(shop, await startPayment(shop, customer, busy, { pan: CARDS.challenged }))
    expect((await toOrder(paymentId, customer, busy.orderId)).err).toMatch(/another payment .* is under way/)
    const paid = await anOrder(shop, customer)
    await reached(shop, await startPayment(shop, customer, paid), 'Success')
    expect((await toOrder(paymentId, customer, paid.orderId)).err).toMatch(/the order is already paid/)
    expect(await isHere(paymentId)).toBe(false)
  })

  test('believes the gateway alone: refuses what it declined, does not know, or does not answer for', async () => {
    const customer = await aCustomer(shop)
    const { orderId } = await anOrder(shop, customer)
    const declined = await aLostPayment(shop, { pan: CARDS.declined })
    // Somebody with the secret could tell so; the gateway's own answer is another.
    await sendUpdate(shop, { paymentId: declined, amountMinor: 3000, currency: 'EUR', status: 'success' })
    expect((await toOrder(declined, customer, orderId)).err).toMatch(
      /does not say that it is paid: its status there is 'Decline'/,
    )
    const never = randomBytes(16).toString('hex')
    expect((await toOrder(never, customer, orderId)).err).toBe('Not adopted: the gateway does not know it.\n')
    const silent = await runOps(
      { ...opsSettings(shop), GATE_URL: 'http://127.0.0.1:9' },
      ...['payment', 'adopt', declined, '--customer', customer.email, '--order', orderId, '--yes'],
    )
    expect([silent.code, silent.err]).toEqual([3, expect.stringMatching(/^The gateway does not answer/)])
    expect([await isHere(declined), await isHere(never)]).toEqual([false, false])
  })
})

describe('ops payment adopt, with the facts of a new order', () => {
  test('makes the order at the shop’s own price, once, and delivers it', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await anUnknownPayment(shop, { amountMinor: 1023 })
    const facts = ['--customer', customer.email, '--days', '10', '--connections', '5']
    const wrong = await adopt(paymentId, ...facts)
    expect(wrong.err).toBe('Not adopted: €10.23 was paid, but the order costs €10.20.\n')
    const orders = () =>
      shop.db.selectFrom('orders').select(['id', 'options']).where('customer_id', '=', customer.id).execute()
    expect(await orders()).toEqual([])
    const right = [...facts, '--feature', 'adFilter']
    const outcomes = await Promise.all([adopt(paymentId, ...right), adopt(paymentId, ...right)])
    expect(outcomes.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ])
    await delivered(paymentId)
    expect(await orders()).toMatchObject([{ options: 2 }])
    expect(await connectionsOf(shop, paymentId)).toHaveLength(5)
  })

  test('of a plan, too', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('1 week')
    const paymentId = await anUnknownPayment(shop, { amountMinor: 650, currency: 'GBP' })
    const { code, err } = await adopt(paymentId, '--customer', customer.email, '--plan', plan.id)
    expect([code, err]).toEqual([0, ''])
    await delivered(paymentId)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(plan.connections)
  })

  test('wants one thing, said whole', async () => {
    const { customer, orderId, paymentId } = await aCase()
    const who = ['--customer', customer.email]
    for (const args of [
      [],
      who,
      ['--order', orderId],
      [...who, '--days', '30'],
      [...who, '--order', orderId, '--days', '30', '--connections', '3'],
      [...who, '--order', orderId, '--refund'],
    ]) {
      const { code, err } = await adopt(paymentId, ...args)
      expect([args, code, err]).toEqual([args, 1, expect.stringMatching(/^Say what the payment was for/)])
    }
    expect(await isHere(paymentId)).toBe(false)
  })
})

describe('ops payment adopt --refund', () => {
  test('gives back what came, where that was another sum than was asked for', async () => {
    const paymentId = await anUnknownPayment(shop, { pan: '5126160000356675', amountMinor: 30_000 })
    const came = (await bookOf(shop, paymentId))?.settled
    expect(came).toBe(12_000)
    await adopt(paymentId, '--refund')
    await expect
      .poll(() => paymentRow(shop, paymentId))
      .toMatchObject({ charged_minor: came, refunded_minor: came })
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ amount_minor: came, status: 'Success' }])
  })

  test('gives all of it back, once, counts as no sale and gets no invoice', async () => {
    const paymentId = await anUnknownPayment(shop)
    const labels = { currency: 'EUR', method: 'card' }
    const figures = async () => [
      await metric(shop, 'hedgerow_sales_total', labels),
      await metric(shop, 'hedgerow_refunds_total', labels),
    ]
    const before = await figures()
    const outcomes = await Promise.all([adopt(paymentId, '--refund'), adopt(paymentId, '--refund')])
    expect(outcomes.map(({ out }) => out.split(':')[0]).sort()).toEqual(['Adopted', 'Already adopted'])
    await expect.poll(async () => (await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
    expect(await bookOf(shop, paymentId)).toMatchObject({
      status: expect.stringMatching(/^(refunded|reversed)$/),
    })
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ amount_minor: 3000, status: 'Success' }])
    await queueIsEmpty(shop)
    expect(await figures()).toEqual(before)
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      customer_id: null,
      card_holder: null,
      is_invoiced: false,
      delivered_at: null,
    })
    expect(await isUnknown(paymentId)).toBe(false)
    const shown = await ops('payment', 'show', paymentId)
    expect(shown.out).toMatch(/\nUnknown +yes\n/)
    expect(shown.out).toMatch(/a purchase that we could not complete/)
    const books = await ops('reconcile', '--json')
    expect(
      books.json.differences.filter((one: { paymentId: string }) => one.paymentId === paymentId),
    ).toEqual([])
    const again = await adopt(paymentId, '--refund')
    expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^Already adopted/)])
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
  })

  test('tells the customer who paid, and shows it in their history', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await anUnknownPayment(shop)
    expect((await adopt(paymentId, '--refund', '--customer', customer.email)).code).toBe(0)
    const mail = await mailbox(shop).latest(customer.email, 'refunded €30.00')
    expect(mail.text).toContain('a purchase that we could not complete')
    const { token } = customer
    const history = await shop.call('GET', '/api/v1/payment/history', { token })
    expect(history.body).toMatchObject([{ _id: paymentId, refundDue: true }])
    expect((await shop.call('GET', '/api/v1/orders', { token })).body).toEqual([])
    expect((await shop.call('GET', '/api/v1/user/data', { token })).status).toBe(200)
  })

  test('gives back what came, where that is another sum than was asked for, by whatever name', async () => {
    const own = await startTestShop()
    const adoptThere = (id: string, ...args: string[]) =>
      runOps(opsSettings(own), 'payment', 'adopt', id, '--yes', ...args)
    const customer = await aCustomer(own)
    const { orderId } = await anOrder(own, customer)
    for (const [faults, pan, amountMinor] of [
      [{}, PARTIAL, 20_000],
      [{ endPartlyPaid: true }, CARDS.paid, 3000],
    ] as const) {
      await switchFaults(own, faults)
      const paymentId = await anUnknownPayment(own, { pan, amountMinor })
      await switchFaults(own, { endPartlyPaid: false })
      const came = (await bookOf(own, paymentId))?.received.amount
      expect(came).toBeLessThan(amountMinor)
      const told = (await unknownRows(own)).find(({ payment_id }) => payment_id === paymentId)
      expect(told).toMatchObject({ status: 'Success', amount_minor: String(came) })
      const { err } = await adoptThere(paymentId, '--customer', customer.email, '--order', orderId)
      expect(err).toMatch(/was paid, but the order costs €30\.00/)
      expect((await adoptThere(paymentId, '--refund')).code).toBe(0)
      await expect.poll(async () => (await refundsOf(own, paymentId))[0]?.status).toBe('Success')
      expect(await paymentRow(own, paymentId)).toMatchObject({ charged_minor: came, refunded_minor: came })
      expect(await bookOf(own, paymentId)).toMatchObject({ remaining: 0 })
    }
  })

  test('does not take one that was adopted for an order, nor the other way', async () => {
    const { customer, orderId, paymentId } = await aCase()
    await toOrder(paymentId, customer, orderId)
    expect((await adopt(paymentId, '--refund')).err).toMatch(
      /it is a payment of this shop\. To refund it: refund/,
    )
    const other = await anUnknownPayment(shop)
    await adopt(other, '--refund')
    const { err, code } = await toOrder(other, customer, (await anOrder(shop, customer)).orderId)
    expect([code, err]).toEqual([1, expect.stringMatching(/^Not adopted: it was adopted to be refunded/)])
  })
})

/** Started here and then lost, as by a restore; the customer says yes at the bank or the provider all the same. */
const aLostAttempt = async (
  payBy: typeof payByBlik,
  customer: TestCustomer,
  order: TestOrder,
  bankId?: string,
) => {
  const paymentId = await startBy(payBy, shop, customer, order, bankId ? { bankId } : {})
  await reached(shop, paymentId, 'awaiting redirect result')
  await shop.db.deleteFrom('payments').where('id', '=', paymentId).execute()
  await answerElsewhere(shop, paymentId)
  await expect.poll(() => isUnknown(paymentId)).toBe(true)
  return paymentId
}

describe('ops payment adopt, of what was paid otherwise', () => {
  test('by Blik: for an order that costs as much at a rate that was set', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await aLostAttempt(payByBlik, customer, order)
    const [{ rate_micro } = { rate_micro: 0 }] = await listRatesOf(shop.db, 'EUR')
    // Another rate since, and an order at another price.
    await setRate(shop, 'EUR', rate_micro + 10_000)
    const dear = await anOrder(shop, customer, { days: 31 })
    const refused = await toOrder(paymentId, customer, dear.orderId)
    expect(refused.err).toMatch(/^Not adopted: [\d.]+ PLN was paid, but the order costs €31\.00, at any rate/)
    expect((await toOrder(paymentId, customer, order.orderId)).code).toBe(0)
    await delivered(paymentId)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      charged_currency: 'PLN',
      rate_micro,
      method: 'blik',
    })
  })

  test('by Blik: back in PLN, in whatever the books want a price', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await aLostAttempt(payByBlik, customer, await anOrder(shop, customer))
    expect((await adopt(paymentId, '--refund')).code).toBe(0)
    await expect.poll(async () => (await refundsOf(shop, paymentId))[0]?.status).toBe('Success')
    const row = await paymentRow(shop, paymentId)
    expect([row.charged_currency, row.refunded_minor]).toEqual(['PLN', row.charged_minor])
  })

  test('at a bank: back by hand, which the operator is told', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await aLostAttempt(
      payByBank,
      customer,
      await anOrder(shop, customer, { currency: 'GBP' }),
      BANKS.noConsent,
    )
    expect((await adopt(paymentId, '--refund')).code).toBe(0)
    const { json } = await ops('payment', 'list', '--only', 'refund-by-hand', '--json')
    expect(json.rows).toContainEqual(expect.objectContaining({ id: paymentId }))
    const [owed] = await refundsOf(shop, paymentId)
    expect((await ops('refund', 'resolve', paymentId, owed?.id ?? '', '--as', 'sent', '--yes')).code).toBe(0)
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ is_by_hand: true, status: 'Success' }])
  })
})
