import { expectProblem } from '@hedgerow/testing/problems'
import { fewOrAll } from '@hedgerow/testing/strength'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { callbackBody, type PaymentUpdate, sendUpdate, signedWith } from '#testing/gateway.ts'
import { anOrder } from '#testing/orders.ts'
import {
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
  statusOf,
} from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** A payment of €30.00 that the gateway itself will say nothing more of: it waits for the bank's page. */
const anOpenPayment = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const paymentId = await startPayment(shop, customer, order, { pan: CARDS.challenged })
  await challengeOf(shop, paymentId)
  return { paymentId, customer, order }
}

const update = (paymentId: string, status: string, more: Partial<PaymentUpdate> = {}): PaymentUpdate => ({
  paymentId,
  amountMinor: 3000,
  currency: 'EUR',
  status,
  ...more,
})

const send = (body: unknown) => shop.call('POST', '/api/v1/payment/callback', { body })
const secret = () => shop.settings.gate.secret

describe('POST /api/v1/payment/callback', () => {
  test('completes the order with a success, and makes its connections', async () => {
    const { paymentId, customer, order } = await anOpenPayment()
    expect((await sendUpdate(shop, update(paymentId, 'success'))).status).toBe(200)
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    const { body } = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
    expect(body).toMatchObject({ status: 'Completed', authCode: '123456', pan: '431422******0056' })
  })

  test.each([
    ['no signature', (body: object) => body],
    ['an empty signature', (body: object) => ({ ...body, signature: '' })],
    ['the signature of another secret', (body: object) => signedWith(body, 'another secret')],
    ['a signature that is no text', (body: object) => ({ ...body, signature: { a: 1 } })],
    [
      'a signature of something else',
      (body: object) => ({
        ...body,
        signature: (signedWith({ a: 1 }, secret()) as { signature: string }).signature,
      }),
    ],
    [
      'a sum that was changed after signing',
      (body: object) => {
        const signed = signedWith(body, secret())
        return {
          ...signed,
          payment: { ...(body as { payment: object }).payment, sum: { amount: 1, currency: 'EUR' } },
        }
      },
    ],
  ])('refuses %s, and changes nothing', async (_, change) => {
    const { paymentId } = await anOpenPayment()
    const before = await paymentRow(shop, paymentId)
    expectProblem(await send(change(callbackBody(shop, update(paymentId, 'success')))), 400)
    expect(await paymentRow(shop, paymentId)).toEqual(before)
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test('refuses what is no message of the gateway’s by its size or shape, whatever the signature', async () => {
    const signature = `${'A'.repeat(86)}==`
    const nested = `{"signature":"${signature}","a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    expectProblem(await send(nested), 415)
    const headers = { 'content-type': 'application/json' }
    const sendText = (body: string) => shop.call('POST', '/api/v1/payment/callback', { body, headers })
    expectProblem(await sendText(nested), 400)
    expectProblem(await sendText(JSON.stringify({ signature, a: Array(10_000).fill(1) })), 400)
    expectProblem(await sendText(JSON.stringify({ signature, a: 'a'.repeat(32 * 1024) })), 413)
  })

  test.each([
    ['nothing', { amountMinor: 0 }],
    ['less than nothing', { amountMinor: -3000 }],
    ['more than there is', { amountMinor: 2 ** 40 }],
    ['a currency that is none', { currency: 'euros' }],
    ['another project', { more: { project_id: 1 } }],
    ['no project', { more: { project_id: undefined } }],
    [
      'no sum at all',
      { more: { payment: { id: '', status: 'success' }, operation: { type: 'sale', status: 'success' } } },
    ],
  ])('refuses a signed success for %s, and changes nothing', async (_, change) => {
    const { paymentId } = await anOpenPayment()
    const before = await paymentRow(shop, paymentId)
    const body = callbackBody(shop, update(paymentId, 'success', change))
    body.payment.id = paymentId
    expectProblem(await send(signedWith(JSON.parse(JSON.stringify(body)), secret())), 400)
    expect(await paymentRow(shop, paymentId)).toEqual(before)
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test.each([
    ['a smaller amount', { amountMinor: 1 }],
    ['a larger amount', { amountMinor: 300_000 }],
    ['another currency', { currency: 'GBP' }],
  ])('refuses a signed word on the way to the end for %s, and changes nothing', async (_, change) => {
    const { paymentId } = await anOpenPayment()
    const before = await paymentRow(shop, paymentId)
    const at = new Date(Date.now() + 5000)
    expectProblem(await sendUpdate(shop, update(paymentId, 'processing', { at, ...change })), 400)
    expect(await paymentRow(shop, paymentId)).toEqual(before)
  })

  test('knows no payment that it did not start', async () => {
    expectProblem(await sendUpdate(shop, update('0'.repeat(32), 'success')), 404)
    expectProblem(await sendUpdate(shop, update("'; drop table payments; --", 'success')), 404)
  })

  test('delivers once, however often and at once a success is reported', async () => {
    const { paymentId } = await anOpenPayment()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => sendUpdate(shop, update(paymentId, 'success'))),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('takes the terminal format, with the signature in its general part', async () => {
    const { paymentId } = await anOpenPayment()
    const { project_id, operation, ...rest } = callbackBody(shop, update(paymentId, 'success'))
    const general = { project_id, payment_id: paymentId }
    const body = { ...rest, general, operations: [operation] }
    const { signature } = signedWith(body, secret()) as { signature: string }
    expect((await send({ ...body, general: { ...general, signature } })).status).toBe(200)
    await reached(shop, paymentId, 'Success')
  })

  test('keeps waiting on a status that it does not know', async () => {
    const { paymentId } = await anOpenPayment()
    for (const status of ['something new', 'constructor', '__proto__']) {
      const at = new Date(Date.now() + 5000)
      expect((await sendUpdate(shop, update(paymentId, status, { at }))).status).toBe(200)
    }
    await reached(shop, paymentId, 'processing')
  })

  test('tells where a redirect leads, with the way and the fields of the form', async () => {
    const { paymentId } = await anOpenPayment()
    const redirect_data = {
      method: 'GET',
      body: [],
      encrypted: [],
      url: 'https://bank.example/authorise?session=abc',
    }
    const at = new Date(Date.now() + 5000)
    await sendUpdate(shop, update(paymentId, 'awaiting redirect result', { at, more: { redirect_data } }))
    await reached(shop, paymentId, 'awaiting redirect result')
    const { body } = await shop.call('GET', `/api/v1/payment/status/${paymentId}`)
    expect(JSON.parse(body.metadata)).toEqual({ url: redirect_data.url, method: 'GET', body: {} })
  })

  test.each([
    ['ours', (body: object) => signedWith(body, secret()), 200],
    [
      'another project’s',
      (body: object) => signedWith({ ...body, general: { project_id: 7 } }, secret()),
      400,
    ],
    ['unsigned', (body: object) => body, 400],
  ])('an update of a card’s token, %s, is answered and kept nowhere: %#', async (_, sent, status) => {
    const token = {
      general: { project_id: shop.settings.gate.projectId },
      request: { id: 'request-1', status: 'success', action: 'create' },
      token: 'a'.repeat(64),
      token_status: 'active',
      card: { pan: '431422******0056', card_holder: 'ADA LOVELACE' },
    }
    expect((await send(sent(token) as never)).status).toBe(status)
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'not an address'])(
    'never sends the customer to %s',
    async (url) => {
      const { paymentId } = await anOpenPayment()
      const at = new Date(Date.now() + 5000)
      const more = {
        redirect_data: { method: 'POST', url, body: {} },
        acs: { acs_url: url, pa_req: 'a', md: 'b' },
      }
      await sendUpdate(shop, update(paymentId, 'awaiting redirect result', { at, more }))
      await reached(shop, paymentId, 'awaiting redirect result')
      const { text } = await shop.call('GET', `/api/v1/payment/status/${paymentId}`)
      expect(text).not.toContain(url)
    },
  )

  test('delivers a success that comes after a decline, because money has moved', async () => {
    const { paymentId, customer, order } = await anOpenPayment()
    await sendUpdate(shop, update(paymentId, 'decline'))
    await reached(shop, paymentId, 'Decline')
    await sendUpdate(shop, update(paymentId, 'success'))
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    const { body } = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
    expect(body.status).toBe('Completed')
  })

  test('never takes a success back', async () => {
    const { paymentId } = await anOpenPayment()
    await sendUpdate(shop, update(paymentId, 'success'))
    const at = new Date(Date.now() + 60_000)
    for (const status of ['decline', 'error', 'processing', 'awaiting 3ds result']) {
      expect((await sendUpdate(shop, update(paymentId, status, { at }))).status).toBe(200)
    }
    expect(await statusOf(shop, paymentId)).toBe('Success')
  })

  test('marks a second success for one order for a refund, and delivers nothing for it', async () => {
    const { paymentId: first, customer, order } = await anOpenPayment()
    await sendUpdate(shop, update(first, 'decline'))
    const second = await startPayment(shop, customer, order)
    await reached(shop, second, 'Success')
    await sendUpdate(shop, update(first, 'success'))
    expect(await paymentRow(shop, first)).toMatchObject({ status: 'Success', refund_due: true })
    expect([await connectionsOf(shop, first), (await connectionsOf(shop, second)).length]).toEqual([[], 3])
  })

  test('lets one of two payments of an order deliver when both succeed at once', async () => {
    const { paymentId: first, customer, order } = await anOpenPayment()
    await sendUpdate(shop, update(first, 'decline'))
    const second = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, second)
    const replies = await Promise.all([first, second].map((id) => sendUpdate(shop, update(id, 'success'))))
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const rows = await Promise.all([paymentRow(shop, first), paymentRow(shop, second)])
    expect(rows.map(({ refund_due }) => refund_due).sort()).toEqual([false, true])
    const made = [...(await connectionsOf(shop, first)), ...(await connectionsOf(shop, second))]
    expect(made).toHaveLength(3)
  })

  test('answers an update of a refund with 200, and leaves the success', async () => {
    const { paymentId } = await anOpenPayment()
    await sendUpdate(shop, update(paymentId, 'success'))
    const body = callbackBody(shop, update(paymentId, 'partially refunded'))
    body.payment.sum.amount = 1000
    body.operation = {
      ...body.operation,
      type: 'refund',
      status: 'success',
      sum_initial: { amount: 2000, currency: 'EUR' },
    }
    expect((await send(signedWith(body, secret()))).status).toBe(200)
    expect(await statusOf(shop, paymentId)).toBe('Success')
  })

  test('never loses a success and never delivers twice, in whatever order and number the updates come', async () => {
    const status = fc.constantFrom(
      'awaiting 3ds result',
      'awaiting redirect result',
      'processing',
      'success',
      'decline',
      'error',
      'expired',
      'internal error',
      'reversed',
      'awaiting confirmation',
    )
    const callback = fc.record({ status, seconds: fc.integer({ min: -3, max: 3 }), isRepeated: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(callback, { minLength: 1, maxLength: 8 }), async (series) => {
        const { paymentId } = await anOpenPayment()
        const start = Date.now()
        let hasSucceeded = false
        for (const { status, seconds, isRepeated } of series) {
          const at = new Date(start + seconds * 1000)
          const acs = { acs_url: 'https://acs.example/', pa_req: 'x', md: `md ${seconds}` }
          const one = update(paymentId, status, { at, more: status === 'awaiting 3ds result' ? { acs } : {} })
          const replies = await Promise.all([
            sendUpdate(shop, one),
            ...(isRepeated ? [sendUpdate(shop, one)] : []),
          ])
          for (const reply of replies) expect(reply.status).toBe(200)
          hasSucceeded ||= status === 'success'
          const row = await paymentRow(shop, paymentId)
          expect(row.status === 'Success').toBe(hasSucceeded)
          expect(await connectionsOf(shop, paymentId)).toHaveLength(hasSucceeded ? 3 : 0)
        }
      }),
      { numRuns: fewOrAll(5, 25) },
    )
  })
})
