import { refundDueBy } from '@hedgerow/domain/cancellations'
import { formatDate } from '@hedgerow/domain/dates'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { aCustomer, eraseAccount } from '#testing/customers.ts'
import { bookOf, switchFaults } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import {
  aPurchase,
  aWaitingPurchase,
  CARDS,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const refundsEnded = (where: Pick<TestShop, 'db'>, paymentId: string, count = 1) =>
  until(async () => {
    const refunds = await refundsOf(where, paymentId)
    return refunds.length === count && refunds.every(({ status }) => status !== 'Pending')
  })

/** Lets the shop ask the gateway until it knows that the money is back. */
const found = (where: TestShop, paymentId: string) =>
  until(async () => {
    await sql`update payments set next_check_at = now() where id = ${paymentId} and next_check_at > now()`.execute(
      where.db,
    )
    await hurry(where, 'check-payments')
    return (await refundsOf(where, paymentId))[0]?.status === 'Success'
  })

const callsFor = (where: TestShop, paymentId: string) =>
  where.gateCalls.filter(
    ({ path, body }) => path.endsWith('/refund') && body.general.payment_id === paymentId,
  )

const areActive = async (where: TestShop, paymentId: string) =>
  (await connectionsOf(where, paymentId)).map(({ expires_at }) => !expires_at || expires_at > new Date())

describe('a refund of all of it', () => {
  test('goes back through the gateway, ends the connections, and is mailed and shown in the history', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const answer = await requestRefund(shop, { paymentId })
    expect(answer).toMatchObject({ kind: 'recorded', amountMinor: 3000, currency: 'EUR', isByHand: false })
    await refundsEnded(shop, paymentId)
    expect(await bookOf(shop, paymentId)).toMatchObject({ refunded: 3000, remaining: 0 })
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
    expect(await areActive(shop, paymentId)).toEqual([false, false, false])
    const mail = await mailbox(shop).latest(customer.email, 'We have refunded €30.00')
    expect(mail.text).toContain('We have refunded €30.00 of your payment (30 days, 3 connections).')
    expect(mail.text).toContain('The connections it bought have ended.')
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    expect(body[0]).toMatchObject({ status: 'Success', refunds: [{ total: 30, status: 'Success' }] })
  })

  test('ends connections of a plan that would never have expired', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, planFor('Ethernity'))
    await reached(shop, paymentId, 'Success')
    await requestRefund(shop, { paymentId })
    await refundsEnded(shop, paymentId)
    expect(new Set(await areActive(shop, paymentId))).toEqual(new Set([false]))
  })

  test('that is asked for again answers what came of the first, and sends nothing', async () => {
    const { paymentId } = await aPurchase(shop)
    const asked = await Promise.all([requestRefund(shop, { paymentId }), requestRefund(shop, { paymentId })])
    expect(asked.map(({ kind }) => kind).toSorted()).toEqual(['known', 'recorded'])
    await refundsEnded(shop, paymentId)
    expect((await requestRefund(shop, { paymentId })).kind).toBe('known')
    expect((await requestRefund(shop, { paymentId, isAgain: true })).kind).toBe('refused')
    await queueIsEmpty(shop)
    expect(callsFor(shop, paymentId)).toHaveLength(1)
  })
})

describe('a refund of a part', () => {
  test('leaves the connections, until the parts are all of it', async () => {
    const { paymentId } = await aPurchase(shop)
    await requestRefund(shop, { paymentId, amountMinor: 1000 })
    await refundsEnded(shop, paymentId)
    expect(await areActive(shop, paymentId)).toEqual([true, true, true])
    expect((await requestRefund(shop, { paymentId, amountMinor: 1000 })).kind).toBe('known')
    expect((await requestRefund(shop, { paymentId, amountMinor: 1000, isAgain: true })).kind).toBe('recorded')
    await refundsEnded(shop, paymentId, 2)
    expect(await areActive(shop, paymentId)).toEqual([true, true, true])
    // The rest, which happens to be a sum that was given back before.
    expect(await requestRefund(shop, { paymentId })).toMatchObject({ kind: 'recorded', amountMinor: 1000 })
    await refundsEnded(shop, paymentId, 3)
    expect(await areActive(shop, paymentId)).toEqual([false, false, false])
    expect(await bookOf(shop, paymentId)).toMatchObject({ refunded: 3000 })
  })

  test.each([
    ['more than was paid', 3001, 'too-much'],
    ['nothing', 0, 'too-small'],
    ['less than nothing', -100, 'too-small'],
    ['half a cent', 0.5, 'too-small'],
  ])('is not of %s', async (_, amountMinor, code) => {
    const { paymentId } = await aPurchase(shop)
    expect(await requestRefund(shop, { paymentId, amountMinor })).toEqual({ kind: 'refused', why: { code } })
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('is not of more than is left, and not while another is under way', async () => {
    const own = await startTestShop()
    const { paymentId } = await aPurchase(own)
    await switchFaults(own, { failCalls: true })
    await requestRefund(own, { paymentId, amountMinor: 2000 })
    expect(await requestRefund(own, { paymentId, amountMinor: 500 })).toMatchObject({ kind: 'refused' })
    await switchFaults(own, { failCalls: 0 })
    await hurry(own, 'send-refund')
    await refundsEnded(own, paymentId)
    expect(await requestRefund(own, { paymentId, amountMinor: 1001 })).toMatchObject({ kind: 'refused' })
  })
})

describe('a refund', () => {
  test('that the gateway declines is shown to the operator and in the history, and can be asked for again', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    await requestRefund(shop, { paymentId, amountMinor: 413 })
    await refundsEnded(shop, paymentId)
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Decline', gate_code: '3028' }])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(0)
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    expect(body[0].refunds).toMatchObject([{ total: 4.13, status: 'Decline' }])
    const mail = await mailbox(shop).latest(shop.settings.operatorEmail, 'A refund was refused')
    expect(mail.text).toContain(`refused to refund €4.13 of payment ${paymentId} (code 3028)`)
    expect(await mailbox(shop).list(customer.email, 'refunded')).toEqual([])
    expect((await requestRefund(shop, { paymentId, amountMinor: 413 })).kind).toBe('recorded')
  })

  test('whose answers are all lost is sent again under its name, and paid once', async () => {
    const own = await startTestShop()
    const { paymentId } = await aPurchase(own)
    await switchFaults(own, { dropCallsAfterAccept: true, dropCallbacks: true })
    await requestRefund(own, { paymentId })
    await until(() => callsFor(own, paymentId).length === 1)
    await until(async () => {
      await hurry(own, 'send-refund')
      return callsFor(own, paymentId).length >= 2
    })
    await switchFaults(own, { dropCallsAfterAccept: 0 })
    await found(own, paymentId)
    const names = callsFor(own, paymentId).map(({ body }) => body.payment.merchant_refund_id)
    expect(new Set(names).size).toBe(1)
    const { operations, refunded } = await bookOf(own, paymentId)
    expect([operations.length, refunded]).toEqual([2, 3000])
    expect(await refundsOf(own, paymentId)).toHaveLength(1)
  })

  test('of which no callback tells is found by asking', async () => {
    const own = await startTestShop()
    const { paymentId } = await aPurchase(own)
    await switchFaults(own, { dropCallbacks: true })
    await requestRefund(own, { paymentId, amountMinor: 700 })
    await found(own, paymentId)
    expect((await paymentRow(own, paymentId)).refunded_minor).toBe(700)
    await until(async () => {
      await hurry(own, 'check-payments')
      return (await paymentRow(own, paymentId)).next_check_at === null
    })
  })

  test('is of what was charged: a Blik payment goes back in złoty', async () => {
    await setRate(shop, 'EUR', 4_000_000)
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startBy(payByBlik, shop, customer, order)
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    await requestRefund(shop, { paymentId, amountMinor: 2000 })
    await refundsEnded(shop, paymentId)
    expect(await bookOf(shop, paymentId)).toMatchObject({ refunded: 2000, currency: 'PLN' })
    await mailbox(shop).latest(customer.email, 'We have refunded 20.00 PLN')
  })

  test('of a payment from a bank account is sent by hand, and the operator is mailed', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { currency: 'GBP' })
    const paymentId = await startBy(payByBank, shop, customer, order, { bankId: BANKS.noConsent })
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    expect(await requestRefund(shop, { paymentId })).toMatchObject({ kind: 'recorded', isByHand: true })
    const mail = await mailbox(shop).latest(shop.settings.operatorEmail, 'must be sent by hand')
    expect(mail.text).toContain(`Send £30.00 to the account that made payment ${paymentId}, by `)
    const [refund] = await refundsOf(shop, paymentId)
    expect(mail.text.replace(/\s+/g, ' ')).toContain(
      `${formatDate(refundDueBy(refund?.created_at as Date))} at the latest.`,
    )
    expect(await areActive(shop, paymentId)).toEqual([true, true, true])
    expect(callsFor(shop, paymentId)).toEqual([])
    const word = { paymentId, verdict: 'sent' } as const
    const confirmed = await Promise.all([resolveRefund(shop, word), resolveRefund(shop, word)])
    expect(confirmed.map(({ kind }) => kind).toSorted()).toEqual(['done', 'known'])
    expect(await areActive(shop, paymentId)).toEqual([false, false, false])
    await mailbox(shop).latest(customer.email, 'We have refunded £30.00')
  })

  test('is not of what was not paid, or is not there', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, paymentId, 'Decline')
    expect((await requestRefund(shop, { paymentId })).kind).toBe('refused')
    expect((await requestRefund(shop, { paymentId: '0'.repeat(32) })).kind).toBe('refused')
    expect((await resolveRefund(shop, { paymentId, verdict: 'sent' })).kind).toBe('refused')
  })

  test('of a paid order that waits for room ends the wait', async () => {
    const own = await startTestShop()
    const { customer, paymentId } = await aWaitingPurchase(own)
    await requestRefund(own, { paymentId })
    await refundsEnded(own, paymentId)
    await own.db.updateTable('nodes').set({ is_open: true }).execute()
    await hurry(own, 'deliver-payment')
    await queueIsEmpty(own)
    expect(await connectionsOf(own, paymentId)).toEqual([])
    const mail = await mailbox(own).latest(customer.email, 'We have refunded')
    expect(mail.text).not.toContain('have ended')
  })
})

test('a refund outlives the account that it was for, and is mailed to the address that it was bought with', async () => {
  const own = await startTestShop()
  const { customer, paymentId } = await aPurchase(own)
  await mailbox(own).latest(customer.email, 'Your receipt')
  await switchFaults(own, { failCalls: true })
  await requestRefund(own, { paymentId })
  await until(() => callsFor(own, paymentId).length > 0)
  expect((await eraseAccount(own, customer)).status).toBe(200)
  await switchFaults(own, { failCalls: 0 })
  await hurry(own, 'send-refund')
  await refundsEnded(own, paymentId)
  await mailbox(own).latest(customer.email, 'We have refunded')
  await queueIsEmpty(own)
  expect(await mailbox(own).list(customer.email, 'refunded')).toHaveLength(1)
})
