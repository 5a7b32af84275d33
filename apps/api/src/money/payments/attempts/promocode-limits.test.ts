import { toMinor } from '@hedgerow/domain/money'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { aCustomer } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner, partnerRow, setStanding } from '#testing/partners.ts'
import {
  answerChallenge,
  CARDS,
  challengeOf,
  pay,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import {
  anOrderWith,
  attemptsOf,
  buyWith,
  creditedTo,
  enterPromocode,
  refusedAsUsedUp,
  sumsShown,
} from '#testing/promocodes.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe('a promocode that may be used so often', () => {
  test('is used by one of twenty who pay at once for the last use', async () => {
    const partner = await aPartner(shop, { transactions: 1, promocode_limit: 1 })
    const waiting = await Promise.all(Array.from({ length: 20 }, () => anOrderWith(shop, partner)))
    const replies = await Promise.all(waiting.map(({ customer, order }) => pay(shop, customer, order)))
    const taken = replies.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    for (const reply of replies.filter((each) => each !== taken[0]))
      expect(expectProblem(reply, 409).body.code).toBe('promocode-used-up')
    const paymentId = taken[0]?.body.paymentId
    await reached(shop, paymentId, 'Success')
    await creditPartners(shop)
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 1 })
    const attempts = await Promise.all(waiting.map(({ order }) => attemptsOf(shop, order)))
    expect(attempts.flat()).toEqual([{ id: paymentId }])
  })

  test('is used three times by those who pay while others’ payments are credited', async () => {
    const partner = await aPartner(shop, { promocode_limit: 3 })
    const waiting = await Promise.all(Array.from({ length: 9 }, () => anOrderWith(shop, partner)))
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
    const one = await anOrderWith(shop, partner)
    const other = await anOrderWith(shop, partner)
    const first = await startPayment(shop, one.customer, one.order, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    expect(await refusedAsUsedUp(shop, other.customer, other.order)).toMatch(/Remove it or enter another/)
    const late = await shop.call('POST', '/api/v1/partnership/promocode', {
      token: other.customer.token,
      body: { promocode: partner.promocode },
    })
    expect(messageFor(expectProblem(late, 422), 'promocode')).toMatch(/has reached its limit/)
    await answerChallenge(shop, first, false)
    await reached(shop, first, 'Decline')
    await reached(shop, await startPayment(shop, other.customer, other.order), 'Success')
    // Between the success and its credit, and after it.
    await refusedAsUsedUp(shop, one.customer, one.order)
    await creditPartners(shop)
    await refusedAsUsedUp(shop, one.customer, one.order)
  })

  test('stays with an order whose attempt is left for another one', async () => {
    const partner = await aPartner(shop, { promocode_limit: 1 })
    const { customer, order } = await anOrderWith(shop, partner)
    const other = await anOrderWith(shop, partner)
    const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    const second = await startPayment(shop, customer, order, { pan: CARDS.challenged, instead: first })
    await challengeOf(shop, second)
    await answerChallenge(shop, second, false)
    await reached(shop, second, 'Decline')
    // The attempt that was left may still succeed.
    await refusedAsUsedUp(shop, other.customer, other.order)
    await answerChallenge(shop, first)
    await reached(shop, first, 'Success')
    await creditPartners(shop)
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 1 })
  })

  test('refused, leaves the attempt that was to be left as it is', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(shop, partner)
    const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    await setStanding(shop, partner, { promocode_limit: 0 })
    await refusedAsUsedUp(shop, customer, order, { instead: first })
    expect((await paymentRow(shop, first)).abandoned_at).toBeNull()
  })

  test('is shown only to the customer of the order', async () => {
    const partner = await aPartner(shop, { promocode_limit: 0 })
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    await sql`update orders set promocode = ${partner.promocode} where id = ${order.orderId}`.execute(shop.db)
    const eve = await aCustomer(shop)
    expectProblem(await pay(shop, eve, order), 404)
    expectProblem(await pay(shop, eve, order, { instead: '0'.repeat(32) }), 404)
    await refusedAsUsedUp(shop, customer, order)
  })

  test('a payment under way is named before a code that is used up', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(shop, partner)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    await setStanding(shop, partner, { promocode_limit: 0 })
    const { body } = expectProblem(await pay(shop, customer, order), 409)
    expect(body).toMatchObject({ code: 'payment-under-way', paymentId })
  })

  test('is free again when all of a payment went back', async () => {
    const partner = await aPartner(shop, { promocode_limit: 1 })
    const { paymentId } = await buyWith(shop, partner)
    await creditPartners(shop)
    const { customer, order } = await aCustomer(shop).then(async (buyer) => ({
      customer: buyer,
      order: await anOrder(shop, buyer),
    }))
    expectProblem(await enterPromocode(shop, customer, order, partner.promocode), 422)
    await requestRefund(shop, { paymentId })
    await queueIsEmpty(shop)
    await expect.poll(async () => (await partnerRow(shop, partner)).promocode_uses).toBe(0)
    expect((await enterPromocode(shop, customer, order, partner.promocode)).status).toBe(200)
    const { total } = await sumsShown(shop, customer, order)
    await reached(shop, await startPayment(shop, customer, { ...order, total }), 'Success')
  })

  test('is counted all the same by a success that comes after a decline', async () => {
    const partner = await aPartner(shop, { promocode_limit: 1 })
    const one = await anOrderWith(shop, partner)
    const first = await startPayment(shop, one.customer, one.order, { pan: CARDS.declined })
    await reached(shop, first, 'Decline')
    const { paymentId: second } = await buyWith(shop, partner)
    const amountMinor = toMinor(one.order.total) ?? 0
    await sendUpdate(shop, { paymentId: first, amountMinor, currency: 'EUR', status: 'success' })
    await reached(shop, first, 'Success')
    expect([await creditedTo(shop, first), await creditedTo(shop, second)]).toMatchObject([
      { amount_minor: expect.any(Number) },
      { amount_minor: expect.any(Number) },
    ])
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 2 })
  })
})
