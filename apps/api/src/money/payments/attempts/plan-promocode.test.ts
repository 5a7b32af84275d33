import { randomUUID } from 'node:crypto'
import { toMajor } from '@hedgerow/domain/money'
import { PARTNER_LEVELS, shareMinor } from '@hedgerow/domain/partnership'
import type { Plan } from '@hedgerow/domain/plans'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { fewOrAll } from '@hedgerow/testing/strength'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { bookOf, sendUpdate } from '#testing/gateway.ts'
import { aPartner, earningOf, partnerRow, setStanding, type TestPartner } from '#testing/partners.ts'
import { answerChallenge, CARDS, type CardForm, challengeOf, paymentRow, reached } from '#testing/payments.ts'
import { planFor, sale, startSale } from '#testing/plans.ts'
import { shopOfFile } from '#testing/test-shop.ts'

/** The card typed here, and on the gateway's own page. */
const TYPED = shopOfFile()
const HOSTED = shopOfFile({ env: { CARD_FORM: 'hosted' } })

const MONTH = planFor('31 days')
const PRICE = MONTH.priceMinor
const less = (percentage: number) => PRICE - shareMinor(PRICE, percentage)

const ordersOf = (shop: typeof TYPED, { id }: TestCustomer) =>
  shop.db
    .selectFrom('orders')
    .select(['price_minor', 'discount_minor', 'total_minor', 'promocode', 'status'])
    .where('customer_id', '=', id)
    .orderBy('created_at')
    .execute()

describe.each([
  ['typed here', TYPED],
  ['typed on the gateway’s page', HOSTED],
])('POST /api/v1/payment/gate/sale with a promocode, the card %s', (_, shop) => {
  const press = (customer: TestCustomer, fields: CardForm = {}, plan: Pick<Plan, 'id'> = MONTH) =>
    sale(shop, customer, plan, fields)

  test('charges what the code leaves of the plan’s price', async () => {
    const { promocode } = await aPartner(shop, { transactions: 5 })
    const customer = await aCustomer(shop)
    const total = toMajor(less(20))
    const reply = await press(customer, { promocode: ` ${promocode.toLowerCase()} `, total })
    expect(reply.status, reply.text).toBe(200)
    expect(await paymentRow(shop, reply.body._id)).toMatchObject({
      amount_minor: less(20),
      charged_minor: less(20),
      currency: 'GBP',
      promocode,
    })
    expect(await ordersOf(shop, customer)).toMatchObject([
      { price_minor: PRICE, discount_minor: PRICE - less(20), total_minor: less(20), promocode },
    ])
  })

  test.each([
    ['unknown', async () => 'NOBODYS234'],
    ['closed', async () => (await aPartner(shop, { promocode_closed_at: new Date() })).promocode],
    ['used up', async () => (await aPartner(shop, { promocode_limit: 0 })).promocode],
  ])('orders and charges nothing when it is %s', async (__, codeOf) => {
    const customer = await aCustomer(shop)
    const reply = expectProblem(await press(customer, { promocode: await codeOf() }), 422)
    expect(messageFor(reply, 'promocode')).toMatch(/./)
    expect(await ordersOf(shop, customer)).toEqual([])
  })

  test('is not for its owner', async () => {
    const partner = await aPartner(shop)
    const reply = expectProblem(await press(partner, { promocode: partner.promocode }), 422)
    expect(messageFor(reply, 'promocode')).toMatch(/your own/)
  })

  test('refuses another total than the one to be paid, with a code and without', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    const refusals = [
      [{ promocode, total: toMajor(PRICE) }, less(10)],
      [{ promocode, total: 0 }, less(10)],
      [{ total: toMajor(less(10)) }, PRICE],
    ] as const
    for (const [fields, right] of refusals) {
      const reply = expectProblem(await press(customer, fields), 422)
      expect(messageFor(reply, 'total')).toBe(`The total is £${toMajor(right).toFixed(2)}`)
    }
    expect(await ordersOf(shop, customer)).toEqual([])
    expect((await press(customer, { total: toMajor(PRICE) })).status).toBe(200)
  })

  test('leaves an order alone that is being paid: another press meets that payment', async () => {
    const [one, other] = [await aPartner(shop), await aPartner(shop, { transactions: 5 })]
    const customer = await aCustomer(shop)
    const first = await press(customer, { promocode: one.promocode, pan: CARDS.challenged })
    await reached(shop, first.body._id, 'awaiting 3ds result', 'awaiting redirect result')
    const before = await ordersOf(shop, customer)
    const presses = [
      {},
      { promocode: one.promocode },
      { promocode: other.promocode },
      { promocode: other.promocode, total: toMajor(less(20)) },
      { promocode: 'NOBODYS234' },
      { total: 1 },
    ]
    for (const fields of presses) {
      const { body } = expectProblem(await press(customer, fields), 409)
      expect(body).toMatchObject({ code: 'payment-under-way', paymentId: first.body._id })
    }
    expect(await ordersOf(shop, customer)).toEqual(before)
  })

  test('changes the code with the attempt that takes the other one’s place, or not at all', async () => {
    const [one, other] = [await aPartner(shop), await aPartner(shop, { transactions: 5 })]
    const customer = await aCustomer(shop)
    const first = (await press(customer, { promocode: one.promocode, pan: CARDS.challenged })).body._id
    await reached(shop, first, 'awaiting 3ds result', 'awaiting redirect result')
    expectProblem(await press(customer, { promocode: 'NOBODYS234', instead: first }), 422)
    expect((await paymentRow(shop, first)).abandoned_at).toBeNull()
    const second = await press(customer, { promocode: other.promocode, instead: first })
    expect(second.status, second.text).toBe(200)
    expect(await paymentRow(shop, second.body._id)).toMatchObject({ amount_minor: less(20) })
    expect((await paymentRow(shop, first)).abandoned_at).not.toBeNull()
    expect(await ordersOf(shop, customer)).toMatchObject([
      { total_minor: less(20), promocode: other.promocode },
    ])
  })

  test('starts one payment of many presses at once, with different codes and none', async () => {
    const partners = await Promise.all([0, 1, 5].map((transactions) => aPartner(shop, { transactions })))
    const customer = await aCustomer(shop)
    const codes = [...partners.map(({ promocode }) => promocode), undefined]
    const replies = await Promise.all(
      Array.from({ length: 16 }, (__, i) =>
        press(customer, { promocode: codes[i % 4], pan: CARDS.challenged }),
      ),
    )
    const taken = replies.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    for (const reply of replies.filter((each) => each !== taken[0])) expectProblem(reply, 409)
    const { amount_minor, promocode } = await paymentRow(shop, taken[0]?.body._id)
    expect(await ordersOf(shop, customer)).toMatchObject([{ total_minor: amount_minor, promocode }])
  })
})

const shop = TYPED

/** Buys to the end; returns the payment. */
const buy = async (customer: TestCustomer, fields: CardForm = {}): Promise<string> => {
  const paymentId = await startSale(shop, customer, MONTH, fields)
  await reached(shop, paymentId, 'Success')
  return paymentId
}

const declined = async (customer: TestCustomer, fields: CardForm) => {
  const paymentId = await startSale(shop, customer, MONTH, { ...fields, pan: CARDS.declined })
  await reached(shop, paymentId, 'Decline')
  return paymentId
}

describe('a plan', () => {
  test('bought without a code has none, although it was tried with one before', async () => {
    const { promocode } = await aPartner(shop)
    const customer = await aCustomer(shop)
    await declined(customer, { promocode })
    const paymentId = await buy(customer)
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: PRICE })
    expect(await ordersOf(shop, customer)).toMatchObject([
      { discount_minor: 0, total_minor: PRICE, promocode: null, status: 'Completed' },
    ])
    await creditPartners(shop)
    expect(await earningOf(shop, paymentId)).toBeUndefined()
  })

  test('bought with a code that was not there before credits its owner, who wins over the referrer', async () => {
    const [partner, referrer] = [await aPartner(shop), await aPartner(shop)]
    const customer = await aCustomer(shop)
    await sql`update customers set referred_by = ${referrer.id} where id = ${customer.id}`.execute(shop.db)
    await declined(customer, {})
    const paymentId = await buy(customer, { promocode: partner.promocode })
    expect(await bookOf(shop, paymentId)).toMatchObject({ amount: less(10) })
    await creditPartners(shop)
    expect(await earningOf(shop, paymentId)).toMatchObject({
      partner_id: partner.id,
      amount_minor: shareMinor(less(10), 10),
    })
  })

  test('is the plan that was just bought for a press that comes after, whatever became of the code', async () => {
    const partner: TestPartner = await aPartner(shop, { promocode_limit: 1 })
    const customer = await aCustomer(shop)
    const { promocode } = partner
    const fields = { promocode, total: toMajor(less(10)) }
    const paymentId = await buy(customer, fields)
    await creditPartners(shop)
    const pressAgain = async () => {
      // At once, however long the rest has taken.
      await sql`update payments set ended_at = now() where id = ${paymentId}`.execute(shop.db)
      return expectProblem(await sale(shop, customer, MONTH, fields), 409).body.paymentId
    }
    expect(await pressAgain()).toBe(paymentId)
    // Without a limit it is the level that has changed.
    await setStanding(shop, partner, { promocode_limit: null })
    expect(await pressAgain()).toBe(paymentId)
  })

  test('pays what a late success of the old code paid, after the code was changed', async () => {
    const [one, other] = [await aPartner(shop), await aPartner(shop, { transactions: 5 })]
    const customer = await aCustomer(shop)
    const first = await declined(customer, { promocode: one.promocode })
    const second = await startSale(shop, customer, MONTH, {
      promocode: other.promocode,
      pan: CARDS.challenged,
    })
    await challengeOf(shop, second)
    await sendUpdate(shop, { paymentId: first, amountMinor: less(10), currency: 'GBP', status: 'success' })
    await reached(shop, first, 'Success')
    const paid = { price_minor: PRICE, total_minor: less(10), promocode: one.promocode, status: 'Completed' }
    expect(await ordersOf(shop, customer)).toMatchObject([paid])
    await answerChallenge(shop, second)
    await reached(shop, second, 'Success')
    expect(await paymentRow(shop, second)).toMatchObject({ refund_due: true })
    await creditPartners(shop)
    expect([await earningOf(shop, first), await earningOf(shop, second)]).toMatchObject([
      { partner_id: one.id },
      undefined,
    ])
    expect(await ordersOf(shop, customer)).toMatchObject([paid])
  })

  test('takes the last use of a code once, of ten customers at once', async () => {
    const partner = await aPartner(shop, { promocode_limit: 1 })
    const customers = await Promise.all(Array.from({ length: 10 }, () => aCustomer(shop)))
    const { promocode } = partner
    const replies = await Promise.all(customers.map((customer) => sale(shop, customer, MONTH, { promocode })))
    const taken = replies.filter(({ status }) => status === 200)
    expect(taken).toHaveLength(1)
    // A customer who comes while the others pay sees it at the field; one who came with them, at the payment.
    for (const { status } of replies.filter((each) => each !== taken[0])) expect([409, 422]).toContain(status)
    await reached(shop, taken[0]?.body._id, 'Success')
    await creditPartners(shop)
    expect(await partnerRow(shop, partner)).toMatchObject({ promocode_uses: 1 })
  })

  test('of any price, at any level: the total is the price less its share, and is what is charged', async () => {
    const partners = await Promise.all(
      PARTNER_LEVELS.map(({ transactions }) => aPartner(shop, { transactions })),
    )
    const customer = await aCustomer(shop)
    const prices = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 1_000_000 }))
    const levels = fc.integer({ min: 0, max: PARTNER_LEVELS.length - 1 })
    const holds = async (price: number, level: number) => {
      const id = randomUUID()
      await sql`
        insert into plans (id, layer_id, name, period, connections, price_minor, position)
        values (${id}, ${MONTH.layerId}, 'Any', '1 week', 3, ${price}, 9)`.execute(shop.db)
      const { percentage = 0 } = PARTNER_LEVELS[level] ?? {}
      const { promocode } = partners[level] as TestPartner
      const paymentId = await startSale(shop, customer, { id }, { promocode, pan: CARDS.declined })
      const { price_minor, discount_minor, total_minor } = await shop.db
        .selectFrom('orders')
        .select(['price_minor', 'discount_minor', 'total_minor'])
        .where('plan_id', '=', id)
        .executeTakeFirstOrThrow()
      expect([price_minor, total_minor]).toEqual([price, price - discount_minor])
      expect(total_minor).toBeGreaterThanOrEqual(0)
      expect(discount_minor * 100 - price * percentage).toBeGreaterThan(-50)
      expect(discount_minor * 100 - price * percentage).toBeLessThanOrEqual(50)
      const asked = shop.gateCalls.find(({ body }) => body.general?.payment_id === paymentId)
      expect(asked?.body.payment).toMatchObject({ amount: total_minor, currency: 'GBP' })
    }
    await fc.assert(fc.asyncProperty(prices, levels, holds), { numRuns: fewOrAll(5, 25) })
  })
})
