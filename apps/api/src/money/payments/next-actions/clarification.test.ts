import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { answerKey } from '#money/gateway/next-action.ts'
import { aCustomer } from '#testing/customers.ts'
import { sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { clarify, metadataOf, TURNS } from '#testing/payment-methods.ts'
import {
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
  statusOf,
} from '#testing/payments.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const POSTCODE = 'avs_data.avs_post_code'
const STREET = 'avs_data.avs_street_address'
const ADDRESS = { [POSTCODE]: 'CB7 4AA', [STREET]: '1 Quayside' }

const asked = async (where: TestShop = shop) => {
  const customer = await aCustomer(where)
  const order = await anOrder(where, customer)
  const paymentId = await startPayment(where, customer, order, { pan: TURNS.asksForAddress })
  await reached(where, paymentId, 'awaiting clarification')
  return paymentId
}

const sent = (paymentId: string) =>
  shop.gateCalls
    .filter(({ path, body }) => path.endsWith('/clarification') && body.general.payment_id === paymentId)
    .map(({ body }) => body.additional_data)

/** The question as the gateway asks it, again or for the first time. */
const ask = (paymentId: string, at: Date, errors: object[] = []) =>
  sendUpdate(shop, {
    paymentId,
    amountMinor: 3000,
    currency: 'EUR',
    status: 'awaiting clarification',
    at,
    more: {
      clarification_fields: {
        customer: { properties: { phone: { type: 'string', title: 'Phone' } }, required: ['phone'], errors },
      },
    },
  })

/** A payment that the gateway itself says nothing more of, and its clock. */
const askedByHand = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, paymentId)
  const start = Date.now()
  return { paymentId, second: (seconds: number) => new Date(start + seconds * 1000) }
}

/** As if the gateway had taken the answer. */
const answered = async (paymentId: string) => {
  const row = await paymentRow(shop, paymentId)
  if (row.next_action.kind === 'none') throw new Error('Nothing is asked')
  await sql`update payments set status = 'processing', answered = ${answerKey(row.next_action)}
    where id = ${paymentId}`.execute(shop.db)
}

describe('a question of the gateway', () => {
  test('tells which fields it has, and goes on with the answers', async () => {
    const paymentId = await asked()
    expect(await metadataOf(shop, paymentId)).toEqual({
      fields: [
        { name: POSTCODE, label: 'Postcode of the billing address', type: 'text', isRequired: true },
        { name: STREET, label: 'Street and number of the billing address', type: 'text', isRequired: true },
      ],
    })
    expect((await clarify(shop, paymentId, ADDRESS)).status).toBe(200)
    await reached(shop, paymentId, 'Success')
    expect(sent(paymentId)).toEqual([
      { avs_data: { avs_post_code: 'CB7 4AA', avs_street_address: '1 Quayside' } },
    ])
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test.each([
    ['without the street', { [POSTCODE]: 'CB7 4AA' }, STREET],
    ['with an empty postcode', { ...ADDRESS, [POSTCODE]: '  ' }, POSTCODE],
    ['with a tick for a text', { ...ADDRESS, [STREET]: true }, STREET],
  ])('%s is not passed on', async (_, answers, field) => {
    const paymentId = await asked()
    expect(messageFor(expectProblem(await clarify(shop, paymentId, answers), 422), field)).toBeDefined()
    expect(sent(paymentId)).toEqual([])
    expect(await statusOf(shop, paymentId)).toBe('awaiting clarification')
  })

  test('asks again for what the gateway did not accept, with what was wrong', async () => {
    const paymentId = await asked()
    await clarify(shop, paymentId, { ...ADDRESS, [POSTCODE]: 'longer than ten' })
    await until(async () => (await metadataOf(shop, paymentId)).fields?.length === 1)
    expect((await metadataOf(shop, paymentId)).fields).toEqual([
      expect.objectContaining({ name: POSTCODE, error: 'Invalid value' }),
    ])
    await clarify(shop, paymentId, { [POSTCODE]: 'CB7 4AA' })
    await reached(shop, paymentId, 'Success')
  })

  test('may not name what every object has: such fields are left out, and nothing of ours is changed', async () => {
    const { paymentId, second } = await askedByHand()
    const names = ['constructor', 'toString', 'hasOwnProperty', 'phone']
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    await sendUpdate(shop, {
      paymentId,
      amountMinor: 3000,
      currency: 'EUR',
      status: 'awaiting clarification',
      at: second(2),
      more: {
        clarification_fields: {
          customer: { properties, required: ['phone'] },
          constructor: { properties: { keys: { type: 'string' } }, required: [] },
          toString: { properties: { call: { type: 'string' } }, required: [] },
        },
      },
    })
    expect(await metadataOf(shop, paymentId)).toEqual({
      fields: [{ name: 'customer.phone', label: 'Phone number', type: 'text', isRequired: true }],
    })
    const { keys } = Object
    try {
      await clarify(shop, paymentId, { 'constructor.keys': 'x', 'toString.call': 'x', 'customer.phone': '1' })
      expect(Object.keys).toBe(keys)
    } finally {
      // Tests that follow in this process are not to suffer from this one.
      Object.keys = keys
    }
    expect(sent(paymentId)).toEqual([{ customer: { phone: '1' } }])
    expect((await shop.call('GET', '/api/v1/payment/methods')).status).toBe(200)
  })

  test('may be declined for its answer, and the page says so', async () => {
    const paymentId = await asked()
    await clarify(shop, paymentId, { ...ADDRESS, [POSTCODE]: '00000' })
    await reached(shop, paymentId, 'Decline')
    expect((await metadataOf(shop, paymentId)).reason).toBe('The billing address does not match.')
  })

  test('answered wrongly twice in the same words and the same second is asked a third time', async () => {
    const own = await startTestShop()
    const paymentId = await asked(own)
    const wrong = { ...ADDRESS, [POSTCODE]: 'longer than ten' }
    await clarify(own, paymentId, wrong)
    await until(async () => (await metadataOf(own, paymentId)).fields?.length === 1)
    await clarify(own, paymentId, { [POSTCODE]: wrong[POSTCODE] })
    // At the latest when the gateway is asked how the payment stands.
    await until(async () => {
      await sql`update payments set next_check_at = now() where id = ${paymentId}`.execute(own.db)
      await hurry(own, 'check-payments')
      return (await statusOf(own, paymentId)) === 'awaiting clarification'
    })
    await clarify(own, paymentId, { [POSTCODE]: 'CB7 4AA' })
    await reached(own, paymentId, 'Success')
  })

  test('that was answered is not asked again by a late repeat of it', async () => {
    const { paymentId, second } = await askedByHand()
    await ask(paymentId, second(2))
    await answered(paymentId)
    expect((await ask(paymentId, second(2))).status).toBe(200)
    expect((await ask(paymentId, second(1))).status).toBe(200)
    expect((await paymentRow(shop, paymentId)).status).toBe('processing')
  })

  test('that was answered is asked again when the gateway asks it again later', async () => {
    const { paymentId, second } = await askedByHand()
    await ask(paymentId, second(2))
    await answered(paymentId)
    await ask(paymentId, second(3))
    await reached(shop, paymentId, 'awaiting clarification')
  })

  test('pressed twice at once goes on once, and nothing is lost', async () => {
    const paymentId = await asked()
    const replies = await Promise.all([clarify(shop, paymentId, ADDRESS), clarify(shop, paymentId, ADDRESS)])
    expect(replies.some(({ status }) => status === 200)).toBe(true)
    for (const { status } of replies) expect([200, 409, 422]).toContain(status)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('keeps nothing of the answers', async () => {
    const paymentId = await asked()
    await clarify(shop, paymentId, { ...ADDRESS, [STREET]: '77 Unrepeatable Row' })
    await reached(shop, paymentId, 'Success')
    expect(JSON.stringify(await paymentRow(shop, paymentId))).not.toContain('Unrepeatable')
  })

  test('that the gateway does not hear can be answered again', async () => {
    const own = await startTestShop()
    const paymentId = await asked(own)
    await switchFaults(own, { failCalls: true })
    expectProblem(await clarify(own, paymentId, ADDRESS), 502)
    expect(await statusOf(own, paymentId)).toBe('awaiting clarification')
    await switchFaults(own, { failCalls: 0 })
    expect((await clarify(own, paymentId, ADDRESS)).status).toBe(200)
    await reached(own, paymentId, 'Success')
  })

  test('is answered in vain when nothing is asked', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'Success')
    expectProblem(await clarify(shop, paymentId, ADDRESS), 409)
    expectProblem(await clarify(shop, '0'.repeat(32), ADDRESS), 404)
    expectProblem(await clarify(shop, 'x', ADDRESS), 404)
  })

  test('takes no more than it needs', async () => {
    const paymentId = await asked()
    expectProblem(await clarify(shop, paymentId, { ...ADDRESS, [STREET]: 'a'.repeat(256) }), 422)
    expectProblem(await clarify(shop, paymentId, { ...ADDRESS, [STREET]: 'a'.repeat(70_000) }), 413)
    await clarify(shop, paymentId, { ...ADDRESS, 'customer.admin': 'yes', __proto__: 'x' })
    expect(sent(paymentId)).toEqual([{ avs_data: expect.anything() }])
  })
})
