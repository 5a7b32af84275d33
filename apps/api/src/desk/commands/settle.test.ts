import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { bookOf, sendUpdate, switchFaults } from '#testing/gateway.ts'
import { hurry, waitingJobs } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
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

/** A gateway that gives no answer. */
const SILENT = { GATE_URL: 'http://127.0.0.1:9' }

const settle = (own: TestShop, paymentId: string, ...args: string[]) =>
  runOps(opsSettings(own), 'payment', 'settle', paymentId, ...args)

const settleUnasked = (own: TestShop, paymentId: string, ...args: string[]) =>
  runOps({ ...opsSettings(own), ...SILENT }, 'payment', 'settle', paymentId, '--yes', ...args)

/** A payment of €30.00 that waits for ever, as far as the gateway tells. */
const stuck = async (own: TestShop) => {
  const customer = await aCustomer(own)
  const order = await anOrder(own, customer)
  const paymentId = await startPayment(own, customer, order, { pan: CARDS.challenged })
  await challengeOf(own, paymentId)
  return { customer, order, paymentId }
}

const recordedOf = async (paymentId: string) =>
  (await runOps(opsSettings(shop), 'audit', 'list', '--subject', paymentId, '--json')).json.rows

describe('ops payment settle', () => {
  test('is asked for before it is done, and names the end', async () => {
    const { paymentId } = await stuck(shop)
    const unasked = await settle(shop, paymentId, '--as', 'decline', '--although')
    expect(unasked.err).toContain(
      `Payment ${paymentId} of €30.00 is 'awaiting 3ds result'. Settle it as decline?`,
    )
    expect([unasked.code, (await paymentRow(shop, paymentId)).status]).toEqual([1, 'awaiting 3ds result'])
    expect((await settle(shop, paymentId, '--yes')).code).toBe(2)
  })

  test.each([
    ['decline', 'Decline'],
    ['error', 'Error'],
  ])(
    'as %s ends it as the gateway would, once, and is recorded; a late success still counts',
    async (as, status) => {
      const { customer, order, paymentId } = await stuck(shop)
      const held = await settle(shop, paymentId, '--as', as, '--yes')
      expect(held.err).toContain("the gateway says that it is under way: 'awaiting 3ds result'")
      const { json } = await settle(shop, paymentId, '--as', as, '--although', '--yes', '--json')
      expect(json).toMatchObject({ outcome: 'settled', payment: { id: paymentId, status } })
      expect((await settleUnasked(shop, paymentId, '--as', as)).err).toBe(
        `Not settled: it has already ended: ${status}.\n`,
      )
      expect(await recordedOf(paymentId)).toContainEqual(
        expect.objectContaining({ command: 'payment settle', outcome: 'done' }),
      )
      await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
      expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
      const reply = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
      expect(reply.body.status).toBe('Completed')
    },
  )

  test('as paid delivers once, also after a decline and when it is said twice', async () => {
    const { paymentId } = await stuck(shop)
    await settleUnasked(shop, paymentId, '--as', 'decline')
    const { out } = await settleUnasked(shop, paymentId, '--as', 'paid')
    expect(out).toBe(`Settled: payment ${paymentId} is Success.\n`)
    await until(async () => (await connectionsOf(shop, paymentId)).length === 3)
    expect((await settleUnasked(shop, paymentId, '--as', 'paid')).err).toBe(
      'Not settled: it is already paid.\n',
    )
    await sendUpdate(shop, { paymentId, amountMinor: 3000, currency: 'EUR', status: 'success' })
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('as paid by two at once delivers once', async () => {
    const { paymentId } = await stuck(shop)
    const both = await Promise.all([
      settleUnasked(shop, paymentId, '--as', 'paid'),
      settleUnasked(shop, paymentId, '--as', 'paid'),
    ])
    expect(both.some(({ code }) => code === 0)).toBe(true)
    await until(async () => (await paymentRow(shop, paymentId)).delivered_at !== null)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('as paid gives back what was bought another way meanwhile', async () => {
    const { customer, order, paymentId } = await stuck(shop)
    const second = await startPayment(shop, customer, order, { instead: paymentId })
    await reached(shop, second, 'Success')
    const { out } = await settleUnasked(shop, paymentId, '--as', 'paid')
    expect(out).toContain('The money buys nothing and is refunded.')
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
      (await settle(own, declined, '--as', 'paid', '--yes')).err.includes("not paid: 'decline'"),
    )
    const { json } = await settle(own, paid, '--as', 'decline', '--yes', '--json')
    expect(json).toMatchObject({ outcome: 'by-the-gateway', payment: { status: 'Success' } })
    await until(async () => (await connectionsOf(own, paid)).length === 3)
    const ended = await settle(own, declined, '--as', 'error', '--yes', '--json')
    expect(ended.json).toMatchObject({ outcome: 'by-the-gateway', payment: { status: 'Decline' } })
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
    const { json } = await settle(own, paymentId, '--as', 'paid', '--yes', '--json')
    expect(json).toMatchObject({ outcome: 'by-the-gateway', payment: { status: 'Success' } })
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
    expect((await settle(shop, paid, '--as', 'decline', '--yes')).err).toBe(
      'Not settled: it is already paid.\n',
    )
    const { paymentId: other } = await stuck(shop)
    await sendUpdate(shop, { paymentId: other, amountMinor: 1, currency: 'EUR', status: 'success' })
    const refused = await settle(shop, other, '--as', 'paid', '--yes')
    expect([refused.code, refused.err]).toEqual([
      1,
      'Not settled: a different amount arrived than was due, and is refunded.\n',
    ])
    const unknown = 'f'.repeat(32)
    expect((await settle(shop, unknown, '--as', 'paid', '--yes')).err).toBe(
      'Not settled: there is no such payment.\n',
    )
    expect(await recordedOf(other)).toContainEqual(
      expect.objectContaining({ command: 'payment settle', outcome: 'refused' }),
    )
  })
})
