import { randomBytes, randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aLostPayment, anUnknownPayment } from '#testing/lost-payments.ts'
import { deedsOf, letOperatorProofAge } from '#testing/operators.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, connectionsOf, paymentRow, reached } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'

const { shop, ask } = await consoleOfFile()

const finance = () => anOperator(shop.db, 'finance')

const nobodys = () => randomBytes(16).toString('hex')

const adopt = (operator: TestOperator, paymentId: string, body: object) =>
  ask(operator, 'POST', `/api/v1/unknown-payments/${paymentId}`, { body })

const unknown = async (operator: TestOperator) =>
  (await ask(operator, 'GET', '/api/v1/unknown-payments')).body.payments.map(({ id }: { id: string }) => id)

const isHere = async (paymentId: string) =>
  (await shop.db.selectFrom('payments').select('id').where('id', '=', paymentId).execute()).length === 1

describe('a payment that nobody here knows', () => {
  test('is listed with its masked card, and given back once, though two adopt it at once', async () => {
    const paymentId = await anUnknownPayment(shop)
    const viewer = await anOperator(shop.db, 'viewer')
    const { body, text } = await ask(viewer, 'GET', '/api/v1/unknown-payments')
    expect(body.payments.find(({ id }: { id: string }) => id === paymentId)).toMatchObject({
      sum: { minor: 3_000, currency: 'EUR' },
      isGivenBack: false,
      customerId: null,
    })
    expect(text).not.toContain(CARDS.paid)
    expect(text).not.toMatch(/LOVELACE|ada@example/)
    const operators = [await finance(), await finance()] as const
    const replies = await Promise.all(operators.map((one) => adopt(one, paymentId, { kind: 'refund' })))
    expect(replies.map(({ body }) => body.isNew).toSorted()).toEqual([false, true])
    await until(async () => (await refundsOf(shop, paymentId)).some(({ status }) => status === 'Success'))
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3_000)
    expect(await unknown(operators[0])).not.toContain(paymentId)
    for (const [at, { body }] of replies.entries())
      expect(await deedsOf(shop, operators[at] as TestOperator)).toMatchObject([
        {
          ...{ command: 'payment adopt', subject: paymentId, arguments: { kind: 'refund' } },
          outcome: body.isNew ? 'done' : 'refused',
        },
      ])
  })

  test('is taken for an order of its customer once, and delivered once', async () => {
    const customer = await aCustomer(shop)
    const { orderId } = await anOrder(shop, customer)
    const paymentId = await anUnknownPayment(shop)
    const body = { kind: 'order', customerId: customer.id, orderId }
    const replies = await Promise.all([
      adopt(await finance(), paymentId, body),
      adopt(await finance(), paymentId, body),
    ])
    expect(replies.map((reply) => reply.body.isNew).toSorted()).toEqual([false, true])
    expect(replies.map((reply) => reply.body.orderId)).toEqual([orderId, orderId])
    await hurry(shop, 'check-payments')
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    const other = expectProblem(await adopt(await finance(), paymentId, { kind: 'refund' }), 409)
    expect(other.body.detail).toMatch(/^Nothing was done: /)
  })

  test('is not taken for somebody else’s order, another sum, or an order that is paid, in no words of the tool', async () => {
    const operator = await finance()
    const [customer, other] = [await aCustomer(shop), await aCustomer(shop)]
    const { orderId } = await anOrder(shop, customer)
    const dear = await anOrder(shop, customer, { days: 365 })
    const paid = await aPurchase(shop, {}, {}, customer)
    const paymentId = await anUnknownPayment(shop)
    for (const body of [
      { kind: 'order', customerId: other.id, orderId },
      { kind: 'order', customerId: customer.id, orderId: dear.orderId },
      { kind: 'order', customerId: customer.id, orderId: paid.order.orderId },
      { kind: 'order', customerId: customer.id, orderId: randomUUID() },
      { kind: 'plan', customerId: customer.id, planId: randomUUID() },
      { kind: 'choice', customerId: customer.id, days: 365, connections: 3 },
    ]) {
      const { body: problem } = expectProblem(await adopt(operator, paymentId, body), 409)
      expect(problem.detail).toMatch(/^Nothing was done: /)
      expect(problem.detail).not.toMatch(/--/)
    }
    expectProblem(await adopt(operator, paymentId, { kind: 'refund', customerId: randomUUID() }), 404)
    expect(await isHere(paymentId)).toBe(false)
  })

  test('counts only as the gateway confirms it', async () => {
    const operator = await finance()
    const declined = await aLostPayment(shop, { pan: CARDS.declined })
    for (const paymentId of [nobodys(), declined]) {
      expectProblem(await adopt(operator, paymentId, { kind: 'refund' }), 409)
      expect(await isHere(paymentId)).toBe(false)
    }
  })

  test('is adopted by those only who settle payments, who have just shown who they are', async () => {
    const paymentId = await anUnknownPayment(shop)
    for (const role of ['support', 'servers', 'viewer'] as const)
      expectProblem(await adopt(await anOperator(shop.db, role), paymentId, { kind: 'refund' }), 403)
    const late = await finance()
    await letOperatorProofAge(shop, late)
    expect(expectProblem(await adopt(late, paymentId, { kind: 'refund' }), 403).body.code).toBe('ask-again')
    expect(await isHere(paymentId)).toBe(false)
    expectProblem(await ask(await anOperator(shop.db, 'servers'), 'GET', '/api/v1/unknown-payments'), 403)
  })

  test.each([
    { kind: '__proto__' },
    {},
    { kind: 'order' },
    { kind: 'order', customerId: '1', orderId: '2' },
    { kind: 'choice', customerId: randomUUID(), days: 1e9, connections: 3 },
    { kind: 'choice', customerId: randomUUID(), days: 30, connections: -3 },
    { kind: 'choice', customerId: randomUUID(), days: 30, connections: 3, features: ['constructor'] },
    { kind: 'choice', customerId: randomUUID(), days: 30, connections: 3, currency: 'PLN' },
  ])('is not adopted by %j', async (body) => {
    expectProblem(await adopt(await finance(), nobodys(), body), 422)
  })
})
