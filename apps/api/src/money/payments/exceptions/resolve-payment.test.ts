import { isDeepStrictEqual } from 'node:util'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { createGateClient } from '#money/gateway/gate/gate-client.ts'
import { type ResolveRequest, resolvePayment } from '#money/payments/exceptions/resolve-payment.ts'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry, waitingJobs } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import {
  aPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { refundAtGateway, refundsOf } from '#testing/refunds.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const log = { warn: () => undefined, error: () => undefined }

const settle = (own: TestShop, paymentId: string, as: ResolveRequest['as'], isAlthough = false) => {
  const gate = createGateClient({ gate: own.settings.gate, publicUrl: '' })
  return resolvePayment({ db: own.db, gateways: { gate }, log }, { paymentId, as, isAlthough })
}

/** While the gateway gives no answer. */
const settleUnasked = (paymentId: string, as: ResolveRequest['as']) => {
  const gate = createGateClient({
    gate: { ...shop.settings.gate, url: 'http://127.0.0.1:9' },
    publicUrl: '',
  })
  return resolvePayment({ db: shop.db, gateways: { gate }, log }, { paymentId, as })
}

const refused = (code: string, status?: string) => ({
  kind: 'refused',
  why: { code, ...(status === undefined ? {} : { status }) },
})

/** A payment of €30.00 that waits for ever, as far as the gateway tells. */
const stuck = async (own: TestShop) => {
  const customer = await aCustomer(own)
  const order = await anOrder(own, customer)
  const paymentId = await startPayment(own, customer, order, { pan: CARDS.challenged })
  await challengeOf(own, paymentId)
  return { customer, order, paymentId }
}

describe('a payment that a person ends', () => {
  test.each([
    ['decline', 'Decline'],
    ['error', 'Error'],
  ] as const)(
    'as %s ends as the gateway would end it, once; a late success still counts',
    async (as, status) => {
      const { customer, order, paymentId } = await stuck(shop)
      expect(await settle(shop, paymentId, as)).toEqual(
        refused('gateway-says-under-way', 'awaiting 3ds result'),
      )
      expect(await settle(shop, paymentId, as, true)).toEqual({ kind: 'settled', status })
      expect(await settleUnasked(paymentId, as)).toEqual(refused('ended-before', status))
      await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
      expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
      const reply = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
      expect(reply.body.status).toBe('Completed')
    },
  )

  test('as paid delivers once, also after a decline and when it is said twice', async () => {
    const { paymentId } = await stuck(shop)
    await settleUnasked(paymentId, 'decline')
    expect(await settleUnasked(paymentId, 'paid')).toEqual({ kind: 'settled', status: 'Success' })
    await until(async () => (await connectionsOf(shop, paymentId)).length === 3)
    expect(await settleUnasked(paymentId, 'paid')).toEqual(refused('already-paid'))
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('as paid by two at once delivers once', async () => {
    const { paymentId } = await stuck(shop)
    const both = await Promise.all([settleUnasked(paymentId, 'paid'), settleUnasked(paymentId, 'paid')])
    expect(both.some(({ kind }) => kind === 'settled')).toBe(true)
    await until(async () => (await paymentRow(shop, paymentId)).delivered_at !== null)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('as paid gives back what was bought another way meanwhile', async () => {
    const { customer, order, paymentId } = await stuck(shop)
    const second = await startPayment(shop, customer, order, { instead: paymentId })
    await reached(shop, second, 'Success')
    await settleUnasked(paymentId, 'paid')
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ reason: 'paid-twice', amount_minor: 3000 }])
    expect(await connectionsOf(shop, paymentId)).toEqual([])
  })

  test('goes by what the gateway knows: a success is delivered, a decline is none', async () => {
    const own = await startTestShop()
    await switchFaults(own, { dropCallbacks: true })
    const customer = await aCustomer(own)
    const start = async (pan: string) => startPayment(own, customer, await anOrder(own, customer), { pan })
    const [paid, declined] = [await start(CARDS.paid), await start(CARDS.declined)]
    await until(async () =>
      isDeepStrictEqual(await settle(own, declined, 'paid'), refused('gateway-says-unpaid', 'decline')),
    )
    expect(await settle(own, paid, 'decline')).toEqual({ kind: 'by-the-gateway', status: 'Success' })
    await until(async () => (await connectionsOf(own, paid)).length === 3)
    expect(await settle(own, declined, 'error')).toEqual({ kind: 'by-the-gateway', status: 'Decline' })
  })

  test('delivers nothing for what the gateway has given back meanwhile', async () => {
    const own = await startTestShop()
    await switchFaults(own, { dropCallbacks: true, hideStatus: true, hideStatusMs: 600_000 })
    const customer = await aCustomer(own)
    const paymentId = await startPayment(own, customer, await anOrder(own, customer))
    await until(async () => (await bookOf(own, paymentId))?.status === 'success')
    expect(await refundAtGateway(own, paymentId)).toBe(200)
    await until(async () => (await bookOf(own, paymentId))?.remaining === 0)
    await switchFaults(own, { hideStatus: false })
    expect((await paymentRow(own, paymentId)).ended_at).toBeNull()
    expect(await settle(own, paymentId, 'paid')).toEqual({ kind: 'by-the-gateway', status: 'Success' })
    expect(await paymentRow(own, paymentId)).toMatchObject({ refunded_minor: 3000 })
    // A delivery that was begun meanwhile is put off.
    await until(async () => {
      await hurry(own, 'deliver-payment')
      return (await waitingJobs(own)).length === 0
    })
    for (const { removed_at } of await connectionsOf(own, paymentId)) expect(removed_at).not.toBeNull()
  })

  test('refuses what is paid, what another sum was paid for, and what nobody started', async () => {
    const { paymentId: paid } = await aPurchase(shop)
    expect(await settle(shop, paid, 'decline')).toEqual(refused('already-paid'))
    const { paymentId: other } = await stuck(shop)
    await sendUpdate(shop, { paymentId: other, amountMinor: 1, currency: 'EUR', status: 'success' })
    expect(await settle(shop, other, 'paid')).toEqual(refused('other-sum'))
    expect(await settle(shop, 'f'.repeat(32), 'paid')).toEqual(refused('no-payment'))
  })
})
