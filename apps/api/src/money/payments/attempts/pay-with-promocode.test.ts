import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, eraseAccount } from '#testing/customers.ts'
import { bookOf, sendUpdate } from '#testing/gateway.ts'
import { aPartner, endHolds, partnerRow, setStanding, settle, type TestPartner } from '#testing/partners.ts'
import { answerElsewhere, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import {
  answerChallenge,
  CARDS,
  challengeOf,
  connectionsOf,
  pay,
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
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe('an order with a promocode', () => {
  test('is paid at what the code leaves, and credits its owner the share of that', async () => {
    const partner = await aPartner(shop, { transactions: 5 })
    const { customer, order, paymentId } = await buyWith(shop, partner)
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 2400, settled: 2400 })
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    const { promocode } = partner
    expect(await sumsShown(shop, customer, order)).toEqual({
      price: 30,
      discount: 6,
      total: 24,
      promocode,
      status: 'Completed',
    })
    expect(await creditedTo(shop, paymentId)).toMatchObject({
      partner_id: partner.id,
      source: 'promocode',
      percentage: 20,
      amount_minor: 480,
    })
    expect(await partnerRow(shop, partner)).toMatchObject({ transactions: 6, promocode_uses: 1 })
  })

  test('costs no less for purchases by the code that can still be taken back, nor for what a dispute holds', async () => {
    const partner = await aPartner(shop)
    const buyer = await aCustomer(shop)
    const paid: string[] = []
    for (let i = 0; i < 5; i++) paid.push((await buyWith(shop, partner, buyer)).paymentId)
    for (const paymentId of paid) expect(await creditedTo(shop, paymentId)).toMatchObject({ percentage: 10 })
    const takesOff = async () => {
      const { promocode } = partner
      const reply = await shop.call('POST', '/api/v1/partnership/promocode', {
        token: buyer.token,
        body: { promocode },
      })
      return reply.body.percentage
    }
    expect(await takesOff()).toBe(10)
    // Free of the hold alone, as where the operator holds nothing.
    await endHolds(shop, partner.id)
    expect(await takesOff()).toBe(10)
    await settle(shop, partner.id)
    expect(await takesOff()).toBe(20)
    await sql`update payments set disputed_minor = 1 where id = ${paid[0]}`.execute(shop.db)
    expect(await takesOff()).toBe(15)
  })

  test('is not paid at its price, nor at another sum', async () => {
    const { customer, order } = await anOrderWith(shop, await aPartner(shop))
    for (const total of [30, 26.99]) {
      const reply = expectProblem(await pay(shop, customer, { ...order, total }), 422)
      expect(messageFor(reply, 'total')).toBe('The total is €27.00')
    }
    expect(await attemptsOf(shop, order)).toEqual([])
  })

  test('keeps its discount when the owner’s level rises; the owner gets the share of the level then held', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(shop, partner)
    await setStanding(shop, partner, { transactions: 25 })
    expect(await sumsShown(shop, customer, order)).toMatchObject({ discount: 3, total: 27 })
    const paymentId = await startPayment(shop, customer, order)
    await reached(shop, paymentId, 'Success')
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 2700 })
    expect(await creditedTo(shop, paymentId)).toMatchObject({ level: 5, percentage: 30, amount_minor: 810 })
  })

  test('credits the code’s owner, not who referred the customer', async () => {
    const [owner, referrer] = [await aPartner(shop), await aPartner(shop)]
    const customer = await aCustomer(shop)
    await sql`update customers set referred_by = ${referrer.id} where id = ${customer.id}`.execute(shop.db)
    const { paymentId } = await buyWith(shop, owner, customer)
    expect(await creditedTo(shop, paymentId)).toMatchObject({ partner_id: owner.id, source: 'promocode' })
    expect(await partnerRow(shop, referrer)).toMatchObject({ transactions: 0 })
  })

  test('from which it was taken off again is paid in full, and credits no one', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(shop, partner)
    await enterPromocode(shop, customer, order, null)
    const paymentId = await startPayment(shop, customer, { ...order, total: 30 })
    await reached(shop, paymentId, 'Success')
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 3000 })
    expect(await creditedTo(shop, paymentId)).toBeUndefined()
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 0 })
  })

  test('is converted for Blik from what is left to pay', async () => {
    await setRate(shop, 'EUR', 4_250_000)
    const { customer, order } = await anOrderWith(shop, await aPartner(shop))
    const paymentId = await startBy(payByBlik, shop, customer, order, { settles: 114.75 })
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId, 'approve', '123456')
    await reached(shop, paymentId, 'Success')
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: 11_475, currency: 'PLN' })
    expect(await sumsShown(shop, customer, order)).toMatchObject({ total: 27, status: 'Completed' })
  })

  test.each([
    ['closed', (partner: TestPartner) => setStanding(shop, partner, { promocode_closed_at: new Date() })],
    ['gone with its owner', (partner: TestPartner) => eraseAccount(shop, partner)],
  ])('whose code is %s since is not paid until it is taken off', async (_, end) => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(shop, partner)
    await end(partner)
    expect(await refusedAsUsedUp(shop, customer, order)).toMatch(
      /no longer valid. Remove it or enter another/,
    )
    expect(await attemptsOf(shop, order)).toEqual([])
    await enterPromocode(shop, customer, order, null)
    await reached(shop, await startPayment(shop, customer, { ...order, total: 30 }), 'Success')
  })

  test('whose owner goes while it is paid is delivered, and credits no one', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(shop, partner)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, paymentId)
    expect((await eraseAccount(shop, partner)).status).toBe(200)
    await answerChallenge(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await creditedTo(shop, paymentId)).toBeUndefined()
    expect(await sumsShown(shop, customer, order)).toMatchObject({ total: 27, status: 'Completed' })
  })

  test('shows what was paid when an attempt at the old total succeeds late', async () => {
    const partner = await aPartner(shop)
    const { promocode } = partner
    const { customer, order } = await anOrderWith(shop, partner)
    const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await answerChallenge(shop, first, false)
    await reached(shop, first, 'Decline')
    await enterPromocode(shop, customer, order, null)
    expect(await sumsShown(shop, customer, order)).toMatchObject({ total: 30, status: 'Rejected' })
    await sendUpdate(shop, { paymentId: first, amountMinor: 2700, currency: 'EUR', status: 'success' })
    await reached(shop, first, 'Success')
    const paid = { price: 30, discount: 3, total: 27, promocode, status: 'Completed' }
    expect(await sumsShown(shop, customer, order)).toEqual(paid)
    await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token: customer.token })
    const { invoices } = (await shop.call('GET', '/api/v1/user/data', { token: customer.token })).body
    expect(invoices).toMatchObject([{ price: 30, discount: 3, total: 27, vat: 4.5, promocode }])
  })

  test('of an attempt that was left, and the one after it without the code, the first success decides', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await anOrderWith(shop, partner)
    const first = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, first)
    expectProblem(await enterPromocode(shop, customer, order, null), 409)
    // Leaving is part of a new attempt: this one is declined, and the first still waits at the bank.
    const second = await startPayment(shop, customer, order, { pan: CARDS.declined, instead: first })
    await reached(shop, second, 'Decline')
    expect((await enterPromocode(shop, customer, order, null)).status).toBe(200)
    const third = await startPayment(shop, customer, { ...order, total: 30 }, { pan: CARDS.challenged })
    await challengeOf(shop, third)
    await answerChallenge(shop, first)
    await reached(shop, first, 'Success')
    expect(await sumsShown(shop, customer, order)).toMatchObject({
      discount: 3,
      total: 27,
      status: 'Completed',
    })
    await answerChallenge(shop, third)
    await reached(shop, third, 'Success')
    expect(await refundsOf(shop, third)).toMatchObject([{ amount_minor: 3000, reason: 'paid-twice' }])
    expect(await creditedTo(shop, third)).toBeUndefined()
    expect(await creditedTo(shop, first)).toMatchObject({ amount_minor: 270 })
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 1 })
  })
})
