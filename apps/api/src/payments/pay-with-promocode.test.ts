import { toMinor } from '@hedgerow/domain/money'
import { aCustomer, eraseAccount, type TestCustomer } from '@hedgerow/testing/customers'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { bookOf, sendNews } from '@hedgerow/testing/gateway'
import { queueIsEmpty } from '@hedgerow/testing/jobs'
import { mailbox } from '@hedgerow/testing/mailbox'
import { anOrder, type TestOrder } from '@hedgerow/testing/orders'
import { aPartner, earningOf, partnerRow, setStanding, type TestPartner } from '@hedgerow/testing/partners'
import {
  answerChallenge,
  aPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  pay,
  paymentRow,
  reached,
  startPayment,
} from '@hedgerow/testing/payments'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { refundsOf } from '@hedgerow/testing/refunds'
import { shopOfFile } from '@hedgerow/testing/test-shop'
import { answerElsewhere, payByBlik, setRate, startBy } from '@hedgerow/testing/ways-to-pay'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { creditPartners } from '#partnership/earnings.service.ts'
import { requestRefund } from '#payments/refunds.ts'

const shop = shopOfFile()

const shown = async ({ token }: TestCustomer, { orderId }: Pick<TestOrder, 'orderId'>) => {
  const { price, discount, total, promocode, status } = (
    await shop.call('GET', `/api/v1/orders/${orderId}`, { token })
  ).body
  return { price, discount, total, promocode, status }
}

const enter = ({ token }: TestCustomer, { orderId }: TestOrder, promocode: string | null) =>
  shop.call('POST', `/api/v1/orders/${orderId}/promocode`, { token, body: { promocode } })

/** An order of €30.00 with the partner's code. */
const anOrderWith = async ({ promocode }: TestPartner, buyer?: TestCustomer) => {
  const customer = buyer ?? (await aCustomer(shop))
  return { customer, order: await anOrder(shop, customer, { promocode }) }
}

const buyWith = async (partner: TestPartner, buyer?: TestCustomer) => {
  const { customer, order } = await anOrderWith(partner, buyer)
  const paymentId = await startPayment(shop, customer, order)
  await reached(shop, paymentId, 'Success')
  return { customer, order, paymentId }
}

const creditedTo = async (paymentId: string) => {
  await creditPartners(shop)
  return earningOf(shop, paymentId)
}

const refusedAsUsedUp = async (customer: TestCustomer, order: TestOrder, card = {}) => {
  const { body } = expectProblem(await pay(shop, customer, order, card), 409)
  expect(body.code).toBe('promocode-used-up')
  return body.detail as string
}

const attemptsOf = ({ orderId }: TestOrder) =>
  shop.db.selectFrom('payments').select('id').where('order_id', '=', orderId).execute()

describe('an order with a promocode', () => {
  test('is paid at what the code leaves, and credits its owner the share of that', async () => {
    const partner = await aPartner(shop, { transactions: 5 })
    const { customer, order, paymentId } = await buyWith(partner)
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 2400, settled: 2400 })
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    const { promocode } = partner
    expect(await shown(customer, order)).toEqual({
      price: 30,
      discount: 6,
      total: 24,
      promocode,
      status: 'Completed',
    })
    expect(await creditedTo(paymentId)).toMatchObject({
      partner_id: partner.id,
      source: 'promocode',
      percentage: 20,
      amount_minor: 480,
    })
    expect(await partnerRow(shop, partner)).toMatchObject({ transactions: 6, promocode_uses: 1 })
  })

  test('is not paid at its price, nor at another sum', async () => {
    const { customer, order } = await anOrderWith(await aPartner(shop))
    for (const total of [30, 26.99]) {
      const reply = expectProblem(await pay(shop, customer, { ...order, total }), 422)
      expect(messageFor(reply, 'total')).toBe('The total is €27.00')
    }
    expect(await attemptsOf(order)).toEqual([])
  })

  test('keeps its discount when the owner’s level rises; the owner gets the share of the level then held', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(partner)
    await setStanding(shop, partner, { transactions: 25 })
    expect(await shown(customer, order)).toMatchObject({ discount: 3, total: 27 })
    const paymentId = await startPayment(shop, customer, order)
    await reached(shop, paymentId, 'Success')
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 2700 })
    expect(await creditedTo(paymentId)).toMatchObject({ level: 5, percentage: 30, amount_minor: 810 })
  })

  test('credits the code’s owner, not who referred the customer', async () => {
    const [owner, referrer] = [await aPartner(shop), await aPartner(shop)]
    const customer = await aCustomer(shop)
    await sql`update customers set referred_by = ${referrer.id} where id = ${customer.id}`.execute(shop.db)
    const { paymentId } = await buyWith(owner, customer)
    expect(await creditedTo(paymentId)).toMatchObject({ partner_id: owner.id, source: 'promocode' })
    expect(await partnerRow(shop, referrer)).toMatchObject({ transactions: 0 })
  })

  test('from which it was taken off again is paid in full, and credits nobody', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(partner)
    await enter(customer, order, null)
    const paymentId = await startPayment(shop, customer, { ...order, total: 30 })
    await reached(shop, paymentId, 'Success')
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 3000 })
    expect(await creditedTo(paymentId)).toBeUndefined()
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 0 })
  })

  test('is converted for Blik from what is left to pay', async () => {
    await setRate(shop, 'EUR', 4_250_000)
    const { customer, order } = await anOrderWith(await aPartner(shop))
    const paymentId = await startBy(payByBlik, shop, customer, order, { settles: 114.75 })
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId, 'approve', '123456')
    await reached(shop, paymentId, 'Success')
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 11_475, currency: 'PLN' })
    expect(await shown(customer, order)).toMatchObject({ total: 27, status: 'Completed' })
  })

  test.each([
    ['closed', (partner: TestPartner) => setStanding(shop, partner, { promocode_closed_at: new Date() })],
    ['gone with its owner', (partner: TestPartner) => eraseAccount(shop, partner)],
  ])('whose code is %s since is not paid until it is taken off', async (_, end) => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(partner)
    await end(partner)
    expect(await refusedAsUsedUp(customer, order)).toMatch(/no longer valid. Remove it or enter another/)
    expect(await attemptsOf(order)).toEqual([])
    await enter(customer, order, null)
    await reached(shop, await startPayment(shop, customer, { ...order, total: 30 }), 'Success')
  })

  test('whose owner goes while it is paid is delivered, and credits nobody', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(partner)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    expect((await eraseAccount(shop, partner)).status).toBe(200)
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await creditedTo(paymentId)).toBeUndefined()
    expect(await shown(customer, order)).toMatchObject({ total: 27, status: 'Completed' })
  })

  test('shows what was paid when an attempt at the old total succeeds late', async () => {
    const partner = await aPartner(shop)
    const { promocode } = partner
    const { customer, order } = await anOrderWith(partner)
    const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await answerChallenge(shop, first, false)
    await reached(shop, first, 'Decline')
    await enter(customer, order, null)
    expect(await shown(customer, order)).toMatchObject({ total: 30, status: 'Rejected' })
    await sendNews(shop, { paymentId: first, amountMinor: 2700, currency: 'EUR', status: 'success' })
    await reached(shop, first, 'Success')
    const paid = { price: 30, discount: 3, total: 27, promocode, status: 'Completed' }
    expect(await shown(customer, order)).toEqual(paid)
    await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token: customer.token })
    const { invoices } = (await shop.call('GET', '/api/v1/user/data', { token: customer.token })).body
    expect(invoices).toMatchObject([{ price: 30, discount: 3, total: 27, vat: 4.5, promocode }])
  })

  test('of an attempt that was left, and the one after it without the code, the first success decides', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(partner)
    const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    expectProblem(await enter(customer, order, null), 409)
    // Leaving is part of a new attempt: this one is declined, and the first still waits at the bank.
    const second = await startPayment(shop, customer, order, { pan: CARDS.declined, instead: first })
    await reached(shop, second, 'Decline')
    expect((await enter(customer, order, null)).status).toBe(200)
    const third = await startPayment(shop, customer, { ...order, total: 30 }, { pan: CARDS.challenged })
    await challengeOf(shop, third)
    await answerChallenge(shop, first)
    await reached(shop, first, 'Success')
    expect(await shown(customer, order)).toMatchObject({ discount: 3, total: 27, status: 'Completed' })
    await answerChallenge(shop, third)
    await reached(shop, third, 'Success')
    expect(await refundsOf(shop, third)).toMatchObject([{ amount_minor: 3000, reason: 'paid-twice' }])
    expect(await creditedTo(third)).toBeUndefined()
    expect(await creditedTo(first)).toMatchObject({ amount_minor: 270 })
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 1 })
  })
})

describe('what was taken off is told', () => {
  test('in the payment history, attempt by attempt', async () => {
    const { promocode, ...partner } = await aPartner(shop)
    const { customer, order } = await anOrderWith({ promocode, ...partner })
    await reached(shop, await startPayment(shop, customer, order, { pan: CARDS.declined }), 'Decline')
    await enter(customer, order, null)
    await reached(shop, await startPayment(shop, customer, { ...order, total: 30 }), 'Success')
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    expect(body).toMatchObject([
      { total: 30, status: 'Success' },
      { total: 27, price: 30, discount: 3, promocode, status: 'Decline' },
    ])
    expect(body[0]).not.toHaveProperty('promocode')
  })

  test('in the file with all data', async () => {
    const partner = await aPartner(shop)
    const { promocode } = partner
    const { customer, order, paymentId } = await buyWith(partner)
    await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token: customer.token })
    const { body } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    expect(body.orders).toMatchObject([{ price: 30, discount: 3, total: 27, promocode }])
    expect(body.payments).toMatchObject([{ paymentId, amount: 27, promocode }])
    expect(body.invoices).toMatchObject([
      { price: 30, discount: 3, net: 22.5, vat: 4.5, total: 27, promocode },
    ])
  })

  test.skipIf(!hasPdfTools)('on the invoice, whose VAT is of what was paid', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await buyWith(partner)
    const path = `/api/v1/orders/${order.orderId}/invoice`
    const { bytes } = await shop.call('GET', path, { token: customer.token })
    const { text, isClean } = await readPdf(bytes)
    for (const part of [
      'Price €30.00',
      `Promocode ${partner.promocode} −€3.00`,
      'Net €22.50',
      'VAT 20% included €4.50',
      'Total €27.00',
    ])
      expect(text).toContain(part)
    expect(isClean).toBe(true)
  })

  test('in the receipt', async () => {
    const partner = await aPartner(shop)
    const { customer } = await buyWith(partner)
    const { text } = await mailbox(shop).latest(customer.email, 'Your receipt')
    expect(text).toContain('We received €27.00')
    expect(text).toContain(`Promocode ${partner.promocode}, −€3.00. The price without it is €30.00.`)
  })

  test('nowhere, where nothing was', async () => {
    const { customer, order } = await aPurchase(shop)
    const { text } = await mailbox(shop).latest(customer.email, 'Your receipt')
    expect(text).not.toMatch(/promocode/i)
    const { snapshot } = await shop.db
      .selectFrom('invoices')
      .select('snapshot')
      .where('order_id', '=', order.orderId)
      .executeTakeFirstOrThrow()
    expect(Object.keys(snapshot)).not.toContain('discount')
  })
})

describe('a promocode that may be used so often', () => {
  test('is used by one of twenty who pay at once for the last use', async () => {
    const partner = await aPartner(shop, { transactions: 1, promocode_limit: 1 })
    const waiting = await Promise.all(Array.from({ length: 20 }, () => anOrderWith(partner)))
    const replies = await Promise.all(waiting.map(({ customer, order }) => pay(shop, customer, order)))
    const taken = replies.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    for (const reply of replies.filter((each) => each !== taken[0]))
      expect(expectProblem(reply, 409).body.code).toBe('promocode-used-up')
    const paymentId = taken[0]?.body.paymentId
    await reached(shop, paymentId, 'Success')
    await creditPartners(shop)
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 1 })
    const attempts = await Promise.all(waiting.map(({ order }) => attemptsOf(order)))
    expect(attempts.flat()).toEqual([{ id: paymentId }])
  })

  test('is used three times by those who pay while others’ payments are credited', async () => {
    const partner = await aPartner(shop, { promocode_limit: 3 })
    const waiting = await Promise.all(Array.from({ length: 9 }, () => anOrderWith(partner)))
    const started = waiting.map(async ({ customer, order }, i) => {
      await new Promise((later) => setTimeout(later, 60 * i))
      const reply = await pay(shop, customer, order)
      if (reply.status === 200) await reached(shop, reply.body.paymentId, 'Success')
      await creditPartners(shop)
      return reply.status
    })
    const statuses = await Promise.all(started)
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 3, transactions: 3 })
  })

  test('is used while a payment is under way, and free again once that is declined', async () => {
    const partner = await aPartner(shop, { promocode_limit: 1 })
    const one = await anOrderWith(partner)
    const other = await anOrderWith(partner)
    const first = await startPayment(shop, one.customer, one.order, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    expect(await refusedAsUsedUp(other.customer, other.order)).toMatch(/Remove it or enter another/)
    const late = await shop.call('POST', '/api/v1/partnership/promocode', {
      token: other.customer.token,
      body: { promocode: partner.promocode },
    })
    expect(messageFor(expectProblem(late, 422), 'promocode')).toMatch(/as often as it may be/)
    await answerChallenge(shop, first, false)
    await reached(shop, first, 'Decline')
    await reached(shop, await startPayment(shop, other.customer, other.order), 'Success')
    // Between the success and its credit, and after it.
    await refusedAsUsedUp(one.customer, one.order)
    await creditPartners(shop)
    await refusedAsUsedUp(one.customer, one.order)
  })

  test('stays with an order whose attempt is left for another one', async () => {
    const partner = await aPartner(shop, { promocode_limit: 1 })
    const { customer, order } = await anOrderWith(partner)
    const other = await anOrderWith(partner)
    const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    const second = await startPayment(shop, customer, order, { pan: CARDS.challenged, instead: first })
    await challengeOf(shop, second)
    await answerChallenge(shop, second, false)
    await reached(shop, second, 'Decline')
    // The attempt that was left may still succeed.
    await refusedAsUsedUp(other.customer, other.order)
    await answerChallenge(shop, first)
    await reached(shop, first, 'Success')
    await creditPartners(shop)
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 1 })
  })

  test('refused, leaves the attempt that was to be left as it is', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(partner)
    const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    await setStanding(shop, partner, { promocode_limit: 0 })
    await refusedAsUsedUp(customer, order, { instead: first })
    expect((await paymentRow(shop, first)).abandoned_at).toBeNull()
  })

  test('is told to nobody but the customer of the order', async () => {
    const partner = await aPartner(shop, { promocode_limit: 0 })
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    await sql`update orders set promocode = ${partner.promocode} where id = ${order.orderId}`.execute(shop.db)
    const eve = await aCustomer(shop)
    expectProblem(await pay(shop, eve, order), 404)
    expectProblem(await pay(shop, eve, order, { instead: '0'.repeat(32) }), 404)
    await refusedAsUsedUp(customer, order)
  })

  test('a payment under way is told before a code that is used up', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(partner)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    await setStanding(shop, partner, { promocode_limit: 0 })
    const { body } = expectProblem(await pay(shop, customer, order), 409)
    expect(body).toMatchObject({ code: 'payment-under-way', paymentId })
  })

  test('is free again when all of a payment went back', async () => {
    const partner = await aPartner(shop, { promocode_limit: 1 })
    const { paymentId } = await buyWith(partner)
    await creditPartners(shop)
    const { customer, order } = await aCustomer(shop).then(async (buyer) => ({
      customer: buyer,
      order: await anOrder(shop, buyer),
    }))
    expectProblem(await enter(customer, order, partner.promocode), 422)
    await requestRefund(shop, { paymentId })
    await queueIsEmpty(shop)
    await expect.poll(async () => (await partnerRow(shop, partner)).promocode_uses).toBe(0)
    expect((await enter(customer, order, partner.promocode)).status).toBe(200)
    const { total } = await shown(customer, order)
    await reached(shop, await startPayment(shop, customer, { ...order, total }), 'Success')
  })

  test('is counted all the same by a success that comes after a decline', async () => {
    const partner = await aPartner(shop, { promocode_limit: 1 })
    const one = await anOrderWith(partner)
    const first = await startPayment(shop, one.customer, one.order, { pan: CARDS.declined })
    await reached(shop, first, 'Decline')
    const { paymentId: second } = await buyWith(partner)
    const amountMinor = toMinor(one.order.total) ?? 0
    await sendNews(shop, { paymentId: first, amountMinor, currency: 'EUR', status: 'success' })
    await reached(shop, first, 'Success')
    expect([await creditedTo(first), await creditedTo(second)]).toMatchObject([
      { amount_minor: expect.any(Number) },
      { amount_minor: expect.any(Number) },
    ])
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 2 })
  })
})
