import { randomUUID } from 'node:crypto'
import type { Reply } from '@hedgerow/testing/call'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { aCustomer, eraseAccount, type TestCustomer } from '#testing/customers.ts'
import { listBooks, sendUpdate } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner } from '#testing/partners.ts'
import { aCard, CARDS, challengeOf, pay, reached } from '#testing/payments.ts'
import { planFor, sale, startSale } from '#testing/plans.ts'
import { openSecondFront, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const MONTH = planFor('31 days')
const NEVER = planFor('Ethernity')

/** The page's own press: the same sale, as often as it is sent. */
const press = (customer: TestCustomer, purchaseId: string, more: object = {}): Promise<Reply> =>
  sale(shop, customer, MONTH, { purchaseId, ...more })

const startPurchase = (customer: TestCustomer, purchaseId: string, more: object = {}): Promise<string> =>
  startSale(shop, customer, MONTH, { purchaseId, ...more })

const paymentsOf = ({ id }: TestCustomer) =>
  shop.db.selectFrom('payments').selectAll().where('customer_id', '=', id).execute()
const chargesOf = async (customer: TestCustomer) => {
  const ids = new Set((await paymentsOf(customer)).map(({ id }) => id))
  return (await listBooks(shop)).filter(({ id, status }) => ids.has(id) && status === 'success')
}

/** As if all that the customer has done had been done a while ago. */
const letTimePass = ({ id }: TestCustomer, seconds: number) =>
  sql`update payments set ended_at = ended_at - make_interval(secs => ${seconds}),
    created_at = created_at - make_interval(secs => ${seconds}) where customer_id = ${id}`.execute(shop.db)

const bought = async (customer: TestCustomer, purchaseId: string, more: object = {}): Promise<string> => {
  const paymentId = await startPurchase(customer, purchaseId, more)
  await reached(shop, paymentId, 'Success')
  return paymentId
}

const declined = async (customer: TestCustomer, purchaseId: string): Promise<string> => {
  const paymentId = await startPurchase(customer, purchaseId, { pan: CARDS.declined })
  await reached(shop, paymentId, 'Decline')
  return paymentId
}

const atTheIssuer = async (customer: TestCustomer, purchaseId: string): Promise<string> => {
  const paymentId = await startPurchase(customer, purchaseId, { pan: CARDS.challenged })
  await challengeOf(shop, paymentId)
  return paymentId
}

describe('a purchase with an id is answered with its payment, and charges once', () => {
  test.each([0, 12, 100_000])('when it is sent again %i seconds after it succeeded', async (seconds) => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const paymentId = await bought(customer, purchaseId)
    await letTimePass(customer, seconds)
    for (const spelt of [purchaseId, purchaseId.toUpperCase()]) {
      const again = await press(customer, spelt)
      expect([again.status, again.body]).toEqual([200, { _id: paymentId }])
    }
    expect(await chargesOf(customer)).toMatchObject([{ id: paymentId, amount: MONTH.priceMinor }])
  })

  test('while it is under way, with whatever card it is sent again', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const paymentId = await atTheIssuer(customer, purchaseId)
    const again = await press(customer, purchaseId, { pan: CARDS.paid, card_holder: 'Somebody Else' })
    expect([again.status, again.body]).toEqual([200, { _id: paymentId }])
    expect(await paymentsOf(customer)).toHaveLength(1)
  })

  test('at once, from many connections and two processes', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const second = await openSecondFront(shop)
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        sale(index % 2 ? second : shop, customer, MONTH, { purchaseId }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    const ids = new Set(replies.map(({ body }) => body._id))
    expect(ids.size).toBe(1)
    const [paymentId = ''] = ids
    await reached(shop, paymentId, 'Success')
    expect(await chargesOf(customer)).toHaveLength(1)
    expect(await paymentsOf(customer)).toHaveLength(1)
  })

  test('at once for two plans: one of them', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        sale(shop, customer, index % 2 ? MONTH : NEVER, { purchaseId }),
      ),
    )
    const taken = new Set(replies.filter(({ status }) => status === 200).map(({ body }) => body._id))
    expect(taken.size).toBe(1)
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expect(expectProblem(reply, 409).body.detail).toContain('Nothing was charged')
    }
    const [paymentId = ''] = taken
    await reached(shop, paymentId, 'Success')
    expect(await paymentsOf(customer)).toHaveLength(1)
  })

  test('also when its promocode was used up by it, or its plan is no longer sold', async () => {
    const customer = await aCustomer(shop)
    const id = randomUUID()
    await sql`
      insert into plans (id, layer_id, name, period, connections, price_minor, position)
      values (${id}, ${MONTH.layerId}, 'Once', '31 days', 3, 1000, 9)`.execute(shop.db)
    const { promocode } = await aPartner(shop, { promocode_limit: 1 })
    const purchaseId = randomUUID()
    const offer = { purchaseId, promocode, total: 9 }
    const paymentId = await startSale(shop, customer, { id }, offer)
    await reached(shop, paymentId, 'Success')
    await sql`update plans set retired_at = now() where id = ${id}`.execute(shop.db)
    await letTimePass(customer, 60)
    const again = await sale(shop, customer, { id }, offer)
    expect([again.status, again.body]).toEqual([200, { _id: paymentId }])
  })
})

describe('a purchase that has come to nothing yet', () => {
  test('is tried anew under the same id, which then leads to the new payment', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const first = await declined(customer, purchaseId)
    const second = await bought(customer, purchaseId)
    expect(second).not.toBe(first)
    expect((await press(customer, purchaseId)).body).toEqual({ _id: second })
    expect(await chargesOf(customer)).toMatchObject([{ id: second }])
  })

  test('of two tries at once after a decline, one is made', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    await declined(customer, purchaseId)
    const replies = await Promise.all(Array.from({ length: 10 }, () => press(customer, purchaseId)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body._id}`)).size).toBe(1)
    expect(await paymentsOf(customer)).toHaveLength(2)
  })

  test('can be left for another card, and what is left and paid all the same is given back', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const left = await atTheIssuer(customer, purchaseId)
    const paid = await bought(customer, purchaseId, { instead: left })
    expect(paid).not.toBe(left)
    const at = new Date(Date.now() + 2000)
    const { priceMinor: amountMinor } = MONTH
    await sendUpdate(shop, { paymentId: left, amountMinor, currency: 'GBP', status: 'success', at })
    await reached(shop, left, 'Success')
    const { refund_due } = await shop.db
      .selectFrom('payments')
      .select('refund_due')
      .where('id', '=', left)
      .executeTakeFirstOrThrow()
    expect(refund_due).toBe(true)
    for (const more of [{}, { instead: left }, { instead: paid }])
      expect((await press(customer, purchaseId, more)).body).toEqual({ _id: paid })
    expect(await paymentsOf(customer)).toHaveLength(2)
  })

  test('is answered with the first payment when that succeeds after a second was begun', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const first = await declined(customer, purchaseId)
    const second = await atTheIssuer(customer, purchaseId)
    const at = new Date(Date.now() + 2000)
    const { priceMinor: amountMinor } = MONTH
    await sendUpdate(shop, { paymentId: first, amountMinor, currency: 'GBP', status: 'success', at })
    await reached(shop, first, 'Success')
    expect((await press(customer, purchaseId)).body).toEqual({ _id: first })
    expect((await paymentsOf(customer)).map(({ id }) => id).toSorted()).toEqual([first, second].toSorted())
  })

  test('whose payment was left for one of another page meets that one, and does not pay beside it', async () => {
    const customer = await aCustomer(shop)
    const [here, there] = [randomUUID(), randomUUID()]
    const left = await atTheIssuer(customer, here)
    const other = await startPurchase(customer, there, { pan: CARDS.challenged, instead: left })
    await challengeOf(shop, other)
    const reply = expectProblem(await press(customer, here), 409)
    expect(reply.body).toMatchObject({ code: 'payment-under-way', paymentId: other })
    const at = new Date(Date.now() + 2000)
    const { priceMinor: amountMinor } = MONTH
    await sendUpdate(shop, { paymentId: other, amountMinor, currency: 'GBP', status: 'success', at })
    await reached(shop, other, 'Success')
    expect((await press(customer, here)).body).toEqual({ _id: other })
    expect(await paymentsOf(customer)).toHaveLength(2)
  })
})

describe('an id', () => {
  test('of another customer’s purchase is independent', async () => {
    const purchaseId = randomUUID()
    const [ada, eve] = await Promise.all([aCustomer(shop), aCustomer(shop)])
    const hers = await bought(ada, purchaseId)
    const others = await bought(eve, purchaseId)
    expect(others).not.toBe(hers)
    expect(await chargesOf(eve)).toMatchObject([{ id: others }])
  })

  test('that is another buys the plan again, at once', async () => {
    const customer = await aCustomer(shop)
    const first = await bought(customer, randomUUID())
    const second = await bought(customer, randomUUID())
    expect(second).not.toBe(first)
    expect(await chargesOf(customer)).toHaveLength(2)
  })

  test('that is another meets the payment that is under way', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await atTheIssuer(customer, randomUUID())
    const other = randomUUID()
    for (const _ of ['first', 'second']) {
      const reply = expectProblem(await press(customer, other), 409)
      expect(reply.body).toMatchObject({ code: 'payment-under-way', paymentId })
    }
  })

  test('left out keeps a press that comes right after the success from buying again', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await bought(customer, randomUUID())
    expect(expectProblem(await sale(shop, customer, MONTH), 409).body.paymentId).toBe(paymentId)
  })

  test('of another plan’s purchase is refused, and loses nothing', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const paymentId = await atTheIssuer(customer, purchaseId)
    const reply = expectProblem(await sale(shop, customer, NEVER, { purchaseId }), 409)
    expect(reply.body.detail).toContain('Nothing was charged')
    expect((await press(customer, purchaseId)).body).toEqual({ _id: paymentId })
    await bought(customer, randomUUID(), { instead: paymentId })
  })

  test.each(['', 'nonsense', 7, null, ['x'], `${'a'.repeat(36)}`])(
    '%j is refused, and keeps nothing',
    async (purchaseId) => {
      const customer = await aCustomer(shop)
      const body = { id: MONTH.id, ...aCard(), purchaseId }
      const reply = await shop.call('POST', '/api/v1/payment/gate/sale', { token: customer.token, body })
      expect(messageFor(expectProblem(reply, 422), 'purchaseId')).toBeDefined()
      expect(await paymentsOf(customer)).toEqual([])
    },
  )

  test('is part of the account’s data, and goes with the account', async () => {
    const customer = await aCustomer(shop)
    const purchaseId = randomUUID()
    const first = await declined(customer, purchaseId)
    const second = await bought(customer, purchaseId)
    const { body } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    const listed = body.payments.map((each: { paymentId: string; purchaseId: string | null }) => [
      each.paymentId,
      each.purchaseId,
    ])
    expect(listed).toEqual([
      [first, null],
      [second, purchaseId],
    ])
    expect((await eraseAccount(shop, customer)).status).toBe(200)
    const left = await shop.db.selectFrom('purchases').selectAll().where('id', '=', purchaseId).execute()
    expect(left).toEqual([])
  })
})

test('an order that was paid while the answer was lost leads to the payment that paid it', async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const { paymentId } = (await pay(shop, customer, order)).body
  await reached(shop, paymentId, 'Success')
  const reply = expectProblem(await pay(shop, customer, order), 409)
  expect(reply.body).toMatchObject({ detail: expect.stringContaining('already paid'), paymentId })
})
