import { describe, expect, test } from 'vitest'
import {
  CARDS,
  call,
  type Json,
  openShop,
  reached,
  sell,
  settled,
  soldAs,
  startTestSandbox,
} from '#testing/merchant.ts'

const refund = (sandbox: Json, payment: Json = {}) =>
  call(sandbox, '/card/refund', 'ord_1', { payment: { description: 'Changed their mind', ...payment } })

const part = (amount: number, currency = 'GBP') => ({ amount, currency })

describe('POST /v2/payment/card/refund', () => {
  test('pays everything back and tells the shop', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
    await shop.received(1)
    const { body } = await refund(sandbox)
    const [, callback] = await shop.received(2)
    expect(shop.isSigned(callback)).toBe(true)
    expect(callback).toMatchObject({
      payment: { status: 'reversed', sum: { amount: 0, currency: 'GBP' } },
      operation: { type: 'reversal', status: 'success', request_id: body.request_id },
    })
  })

  test('pays a part back, which on a Mastercard is a refund', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1', '5252000000000004')
    await refund(sandbox, part(405))
    const { payment, operations } = await settled(sandbox, 'ord_1')
    expect(payment).toMatchObject({ status: 'partially refunded', sum: { amount: 3000 } })
    expect(operations.at(-1)).toMatchObject({ type: 'refund', sum_initial: { amount: 405 } })
  })

  test('pays the same refund once', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1')
    const wanted = { ...part(405), merchant_refund_id: 'ref_1' }
    expect((await refund(sandbox, wanted)).status).toBe(200)
    const again = await refund(sandbox, wanted)
    expect([again.status, again.body.code]).toEqual([400, '3230'])
    expect((await settled(sandbox, 'ord_1')).payment.sum.amount).toBe(3000)
  })

  test('never pays back more than was paid, even when asked twice at once', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1')
    const replies = await Promise.all([refund(sandbox, part(2000)), refund(sandbox, part(2000))])
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 400])
    expect(replies.find((reply) => reply.status === 400)?.body.code).toBe('3283')
  })

  test.each([
    ['in another currency', part(405, 'EUR'), '3284'],
    ['without its currency', { amount: 405 }, '3287'],
    ['without its amount', { currency: 'GBP' }, '3286'],
    ['for more than was paid', part(3406), '3283'],
  ])('refuses a refund %s', async (_what, wanted, code) => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1')
    expect((await refund(sandbox, wanted)).body.code).toBe(code)
  })

  test('refuses to pay back what was never paid', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1', CARDS.declined)
    expect((await refund(sandbox)).body.code).toBe('3610')
  })

  test('declines a sum that the merchant has not got, and leaves the payment as it was', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await sell(sandbox, 'ord_1', CARDS.paid, shop.url)
    await shop.received(1)
    expect((await refund(sandbox, { ...part(413), merchant_refund_id: 'ref_1' })).status).toBe(200)
    const [, callback] = await shop.received(2)
    expect(callback).toMatchObject({
      payment: { status: 'success', sum: { amount: 3405 } },
      operation: {
        status: 'decline',
        code: '3028',
        merchant_refund_id: 'ref_1',
        sum_initial: { amount: 413 },
      },
    })
    await refund(sandbox)
    await reached(sandbox, 'ord_1', 'reversed')
  })

  test('calls a part of a Visa sale back on its day', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1')
    await refund(sandbox, part(405))
    expect((await settled(sandbox, 'ord_1')).payment.status).toBe('partially reversed')
  })

  test('tells another address when the refund names one', async () => {
    const shop = await openShop()
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1')
    const body = { general: { merchant_callback_url: shop.url }, payment: { description: 'Returned' } }
    await call(sandbox, '/card/refund', 'ord_1', body)
    expect((await shop.received(1))[0].operation.type).toBe('reversal')
  })

  test('does not refund a card payment as a Blik payment', async () => {
    const sandbox = await startTestSandbox()
    await soldAs(sandbox, 'ord_1')
    const reply = await call(sandbox, '/blik/refund', 'ord_1', { payment: { description: 'Returned' } })
    expect([reply.status, reply.body.code]).toEqual([400, '3610'])
  })
})
