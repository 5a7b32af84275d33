import { randomUUID } from 'node:crypto'
import { LARGE_REFUND_MINOR } from '@hedgerow/domain/running-settings'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { deedsOf, letOperatorProofAge, minutesAgo, moveSessions } from '#testing/operators.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, pay, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'

const { shop, ask } = await consoleOfFile()

/** 365.00: more than support may refund. */
const LARGE = { days: 365, connections: 3 }

const refund = (operator: TestOperator, paymentId: string, body: object = {}) =>
  ask(operator, 'POST', `/api/v1/payments/${paymentId}/refund`, { body })

const allBack = (paymentId: string) =>
  until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))

describe('a refund', () => {
  test('is recorded with who made it, and made by the gateway', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop)
    const { body } = await refund(support, paymentId, { amountMinor: 1000 })
    expect(body).toMatchObject({
      isNew: true,
      refund: { sum: { minor: 1000, currency: 'EUR' }, reason: 'operator', isByHand: false },
    })
    await allBack(paymentId)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
    expect(await deedsOf(shop, support)).toEqual([
      {
        command: 'refund',
        subject: paymentId,
        outcome: 'done',
        arguments: { paymentId, amountMinor: '1000', isAgain: false },
      },
    ])
  })

  test('shows what is refunded most often, and says who refunded and why', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop)
    const report = async () => (await ask(support, 'GET', `/api/v1/payments/${paymentId}`)).body
    const { presets } = await report()
    expect(presets).toMatchObject({ all: { minor: 3000, currency: 'EUR' }, half: { minor: 1500 } })
    // It was delivered a moment ago.
    expect(presets.unused.minor).toBeGreaterThanOrEqual(2999)
    const body = { amountMinor: presets.half.minor, because: 'not-working' }
    expect((await refund(support, paymentId, { ...body, because: 'whatever' })).status).toBe(422)
    expect((await refund(support, paymentId, body)).body.refund.by).toBe(support.name)
    await allBack(paymentId)
    const after = await report()
    expect(after.presets).toMatchObject({ all: { minor: 1500 }, half: { minor: 1500 } })
    expect(after.presets.unused.minor).toBeLessThanOrEqual(1500)
    expect(after.refunds[0].by).toBe(support.name)
    expect((await deedsOf(shop, support)).at(-1)?.arguments).toMatchObject({ because: 'not-working' })
  })

  test('of the same sum twice says what came of the first, unless it is meant', async () => {
    const [one, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'finance')]
    const { paymentId } = await aPurchase(shop)
    const first = await refund(one, paymentId, { amountMinor: 500 })
    await allBack(paymentId)
    const second = await refund(other, paymentId, { amountMinor: 500 })
    expect(second.body).toMatchObject({ isNew: false, refund: { id: first.body.refund.id } })
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
    const third = await refund(other, paymentId, { amountMinor: 500, isAgain: true })
    expect(third.body.isNew).toBe(true)
    await allBack(paymentId)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
  })

  test('asked for by five at once goes back once', async () => {
    const { paymentId } = await aPurchase(shop)
    const operators = await Promise.all([1, 2, 3, 4, 5].map(() => anOperator(shop.db, 'finance')))
    const replies = await Promise.all(operators.map((one) => refund(one, paymentId)))
    expect(replies.filter(({ body }) => body.isNew === false)).toHaveLength(4)
    await allBack(paymentId)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
  })

  test('above the limit takes the right to large ones, and asks again who is there', async () => {
    const support = await anOperator(shop.db, 'support')
    const finance = await anOperator(shop.db, 'finance')
    const { paymentId } = await aPurchase(shop, LARGE)
    expectProblem(await refund(support, paymentId), 403)
    expectProblem(await refund(support, paymentId, { amountMinor: LARGE_REFUND_MINOR + 1 }), 403)
    await letOperatorProofAge(shop, finance)
    expect(expectProblem(await refund(finance, paymentId), 403).body.code).toBe('ask-again')
    const outcomes = (await deedsOf(shop, support)).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['refused', 'refused'])
    expect(await refundsOf(shop, paymentId)).toEqual([])
    await letOperatorProofAge(shop, support)
    expect(expectProblem(await refund(support, paymentId, { amountMinor: 1 }), 403).body.code).toBe(
      'ask-again',
    )
    await moveSessions(shop, support, { proved_at: minutesAgo(1) })
    expect((await refund(support, paymentId, { amountMinor: LARGE_REFUND_MINOR })).body.isNew).toBe(true)
  })

  test('above the limit is not made in small parts either', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop, LARGE)
    await refund(support, paymentId, { amountMinor: LARGE_REFUND_MINOR - 100 })
    await allBack(paymentId)
    expectProblem(await refund(support, paymentId, { amountMinor: 101 }), 403)
    expectProblem(
      await refund(support, paymentId, { amountMinor: LARGE_REFUND_MINOR - 100, isAgain: true }),
      403,
    )
    expect((await refund(support, paymentId, { amountMinor: 100 })).status).toBe(200)
    await allBack(paymentId)
    const manager = await anOperator(shop.db, 'manager')
    expect((await refund(manager, paymentId, { amountMinor: 101 })).status).toBe(200)
  })

  test('above the limit is not made in small parts at once either', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop, LARGE)
    const parts = [0, 1, 2, 3].map((more) => LARGE_REFUND_MINOR / 2 + 1 + more)
    const replies = await Promise.all(parts.map((amountMinor) => refund(support, paymentId, { amountMinor })))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
  })

  test.each([
    ['nothing', { amountMinor: 0 }, 422],
    ['less than nothing', { amountMinor: -100 }, 422],
    ['a part of a cent', { amountMinor: 0.5 }, 422],
    ['a sum in words', { amountMinor: '100' }, 422],
    ['more than was paid', { amountMinor: 3001 }, 409],
  ])('of %s is refused', async (_, body, status) => {
    const owner = await anOperator(shop.db)
    const { paymentId } = await aPurchase(shop)
    expectProblem(await refund(owner, paymentId, body), status)
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('of another payment cannot be spoken of under this one', async () => {
    const finance = await anOperator(shop.db, 'finance')
    const [one, other] = [await aPurchase(shop), await aPurchase(shop)]
    const { body } = await refund(finance, one.paymentId)
    await allBack(one.paymentId)
    const path = `/api/v1/payments/${other.paymentId}/refunds/${body.refund.id}`
    for (const as of ['sent', 'failed', 'dropped'])
      expectProblem(await ask(finance, 'POST', path, { body: { as } }), 409)
    await letOperatorProofAge(shop, finance)
    const reply = await ask(finance, 'POST', path, { body: { as: 'sent' } })
    expect(reply.body.code).toBe('ask-again')
  })
})

describe('a cancellation', () => {
  const path = (paymentId: string) => `/api/v1/payments/${paymentId}/cancellation`

  test('is foreseen, and ends the purchase once', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop)
    const foreseen = await ask(support, 'GET', path(paymentId))
    expect(foreseen.body).toMatchObject({ refund: 30, currency: 'EUR', connections: { length: 3 } })
    await letOperatorProofAge(shop, support)
    const asked = await ask(support, 'POST', path(paymentId), { body: {} })
    expect(asked.body.code).toBe('ask-again')
    const again = await anOperator(shop.db, 'support')
    const replies = await Promise.all([1, 2].map(() => ask(again, 'POST', path(paymentId), { body: {} })))
    expect(replies.map(({ body }) => body.isNew).toSorted()).toEqual([false, true])
    const { body } = await ask(again, 'GET', `/api/v1/payments/${paymentId}`)
    expect(body).toMatchObject({ cancelledAt: expect.any(String), activeConnections: 0 })
  })

  test('is not finance’s to make', async () => {
    const finance = await anOperator(shop.db, 'finance')
    const { paymentId } = await aPurchase(shop)
    expectProblem(await ask(finance, 'POST', path(paymentId), { body: {} }), 403)
  })

  test('is not made for a day that is to come, or before the purchase', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop)
    for (const days of [2, -400]) {
      const askedAt = new Date(Date.now() + days * 86_400_000).toISOString()
      const reply = await ask(support, 'POST', path(paymentId), { body: { askedAt } })
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400)
    }
    expect((await paymentRow(shop, paymentId)).cancelled_at).toBeNull()
  })
})

describe('a payment that does not end by itself', () => {
  const settle = (operator: TestOperator, paymentId: string, body: object) =>
    ask(operator, 'POST', `/api/v1/payments/${paymentId}/settlement`, { body })

  test('is ended by somebody who may, after the gateway was asked; and only once', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const hold = shop.holdGateCalls('/sale', '/status')
    const started = pay(shop, customer, order)
    const { id } = await until(() =>
      shop.db.selectFrom('payments').select('id').where('order_id', '=', order.orderId).executeTakeFirst(),
    )
    await until(() => hold.count('/sale') > 0)
    expectProblem(await settle(await anOperator(shop.db, 'support'), id, { as: 'paid' }), 403)
    hold.release()
    await started
    const finance = await anOperator(shop.db, 'finance')
    await until(async () => (await paymentRow(shop, id)).status === 'Success')
    expectProblem(await settle(finance, id, { as: 'decline' }), 409)
    expectProblem(await settle(finance, id, { as: 'paid' }), 409)
    expectProblem(await settle(finance, id, { as: 'refunded' }), 422)
    await letOperatorProofAge(shop, finance)
    expect((await settle(finance, id, { as: 'error' })).body.code).toBe('ask-again')
  })

  test('is compared with the gateway’s books, which changes nothing', async () => {
    const support = await anOperator(shop.db, 'support')
    const { paymentId } = await aPurchase(shop)
    const before = await paymentRow(shop, paymentId)
    const same = await ask(support, 'GET', `/api/v1/payments/${paymentId}/comparison`)
    expect(same.body).toEqual({ differences: [] })
    await shop.db
      .insertInto('refunds')
      .values({
        id: randomUUID(),
        payment_id: paymentId,
        amount_minor: 100,
        reason: 'operator',
        status: 'Success',
        ended_at: new Date(),
      })
      .execute()
    const other = await ask(support, 'GET', `/api/v1/payments/${paymentId}/comparison`)
    expect(other.body).toEqual({ differences: [{ what: 'refunds', here: '1.00 EUR', there: '0.00 EUR' }] })
    // Its invoice is issued meanwhile.
    expect({ ...(await paymentRow(shop, paymentId)), is_invoiced: before.is_invoiced }).toEqual(before)
    const commands = (await deedsOf(shop, support)).map(({ command }) => command)
    expect(commands).toEqual(['reconcile', 'reconcile'])
  })
})
