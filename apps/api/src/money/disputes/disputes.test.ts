import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { answerDispute, loseDispute, openDispute, winDispute } from '#money/disputes/disputes.service.ts'
import { eraseAccount } from '#testing/customers.ts'
import { disputesOf } from '#testing/disputes.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, connectionsOf, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const NOBODY = '00000000-0000-4000-8000-000000000000'

const areActive = async (paymentId: string) =>
  (await connectionsOf(shop, paymentId)).map(({ expires_at }) => !expires_at || expires_at > new Date())

const opened = async (paymentId: string, wish: object = {}) => {
  const answer = await openDispute(shop, { paymentId, ...wish })
  if (answer.kind === 'refused') throw new Error(answer.why.code)
  return answer.dispute
}
const aDisputed = async (wish: object = {}) => {
  const purchase = await aPurchase(shop)
  return { ...purchase, dispute: await opened(purchase.paymentId, wish) }
}
const lose = (id: string, connections?: 'end' | 'keep') =>
  loseDispute(shop, id, { vat: 'credit-note', connections })

describe('openDispute', () => {
  test('holds all that is left of a payment, and leaves the connections', async () => {
    const { paymentId } = await aPurchase(shop)
    await opened(paymentId, { reason: '10.4' })
    expect(await paymentRow(shop, paymentId)).toMatchObject({ disputed_minor: 3000, refunded_minor: 0 })
    expect(await disputesOf(shop, paymentId)).toMatchObject([
      {
        amount_minor: 3000,
        currency: 'EUR',
        reason: '10.4',
        reason_group: 'fraud',
        status: 'open',
        phase: 1,
      },
    ])
    expect(await areActive(paymentId)).toEqual([true, true, true])
  })

  test('said twice is known; of two at once one wins', async () => {
    const { paymentId } = await aPurchase(shop)
    const both = await Promise.all([openDispute(shop, { paymentId }), openDispute(shop, { paymentId })])
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['known', 'recorded'])
    expect((await openDispute(shop, { paymentId, amountMinor: 3000 })).kind).toBe('known')
    expect(await disputesOf(shop, paymentId)).toHaveLength(1)
    expect((await paymentRow(shop, paymentId)).disputed_minor).toBe(3000)
  })

  test('of a part leaves the rest, which can be disputed too, and no more than that', async () => {
    const { paymentId } = await aPurchase(shop)
    await opened(paymentId, { amountMinor: 1000 })
    await opened(paymentId, { amountMinor: 1550 })
    expect(await openDispute(shop, { paymentId, amountMinor: 451 })).toMatchObject({
      why: { code: 'too-much' },
    })
    expect((await paymentRow(shop, paymentId)).disputed_minor).toBe(2550)
  })

  test('refuses a payment that is unknown or not paid', async () => {
    expect(await openDispute(shop, { paymentId: NOBODY.replaceAll('-', '') })).toMatchObject({
      why: { code: 'no-payment' },
    })
    const { customer } = await aPurchase(shop)
    const declined = await startPayment(shop, customer, await anOrder(shop, customer), {
      pan: CARDS.declined,
    })
    await reached(shop, declined, 'Decline')
    expect(await openDispute(shop, { paymentId: declined })).toMatchObject({
      why: { code: 'not-paid', status: 'Decline' },
    })
  })

  test('ends what was bought at once where that is said', async () => {
    const { paymentId, dispute } = await aDisputed({ endConnections: true })
    expect(dispute.connections_ended).toBe(true)
    expect(await areActive(paymentId)).toEqual([false, false, false])
  })
})

describe('winDispute', () => {
  test('frees the money, once, and what has ended stays ended', async () => {
    const { paymentId, dispute } = await aDisputed({ endConnections: true })
    expect((await winDispute(shop, dispute.id)).kind).toBe('recorded')
    expect((await winDispute(shop, dispute.id)).kind).toBe('known')
    expect(await paymentRow(shop, paymentId)).toMatchObject({ disputed_minor: 0, refunded_minor: 0 })
    expect(await areActive(paymentId)).toEqual([false, false, false])
    expect(await refundsOf(shop, paymentId)).toEqual([])
  })

  test('is not the end if the bank goes on: it can be opened again, and lost then', async () => {
    const { paymentId, dispute } = await aDisputed()
    await winDispute(shop, dispute.id)
    expect((await openDispute(shop, { paymentId })).kind).toBe('known')
    expect((await lose(dispute.id)).kind).toBe('refused')
    expect(await opened(paymentId, { isAgain: true })).toMatchObject({
      id: dispute.id,
      status: 'open',
      phase: 2,
    })
    expect((await paymentRow(shop, paymentId)).disputed_minor).toBe(3000)
    expect(await lose(dispute.id)).toMatchObject({ dispute: { status: 'lost' } })
  })
})

describe('loseDispute', () => {
  test('books the money as gone, ends what was bought, and tells the customer whose bank has it', async () => {
    const { customer, paymentId, dispute } = await aDisputed()
    await lose(dispute.id)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ disputed_minor: 0, refunded_minor: 3000 })
    expect(await refundsOf(shop, paymentId)).toMatchObject([
      { reason: 'dispute', status: 'Success', amount_minor: 3000 },
    ])
    expect(await areActive(paymentId)).toEqual([false, false, false])
    const mail = await mailbox(shop).latest(customer.email, 'Your bank has taken back €30.00')
    expect(mail.text).toContain(
      'You disputed a payment with your bank, and it was decided that €30.00 of your payment (30 days, 3 connections) goes back to you.',
    )
    expect(mail.text).toContain('There is no further refund from us.')
    expect(await mailbox(shop).list(customer.email, 'We have refunded')).toEqual([])
  })

  test('is final: said again it is known, and nothing else can be said of it', async () => {
    const { paymentId, dispute } = await aDisputed()
    const both = await Promise.all([lose(dispute.id), lose(dispute.id)])
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['known', 'recorded'])
    expect(await winDispute(shop, dispute.id)).toMatchObject({ why: { code: 'lost-is-final' } })
    expect((await openDispute(shop, { paymentId })).kind).toBe('known')
    expect((await openDispute(shop, { paymentId, isAgain: true })).kind).toBe('refused')
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
  })

  test('of a part is known where the same part is told of again, and the rest can be disputed', async () => {
    const { paymentId } = await aPurchase(shop)
    const { id } = await opened(paymentId, { amountMinor: 1000 })
    await lose(id)
    expect(await openDispute(shop, { paymentId, amountMinor: 1000 })).toMatchObject({
      kind: 'known',
      dispute: { id },
    })
    expect(await opened(paymentId)).toMatchObject({ status: 'open', amount_minor: 2000 })
  })

  test('keeps the connections where that is said, and not the money', async () => {
    const { paymentId, dispute } = await aDisputed()
    expect(await lose(dispute.id, 'keep')).toMatchObject({
      dispute: { status: 'lost', connections_ended: false },
    })
    expect(await areActive(paymentId)).toEqual([true, true, true])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
  })

  test('of a part leaves the connections, unless they are to end', async () => {
    const [kept, ended] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    await lose((await opened(kept.paymentId, { amountMinor: 1000 })).id)
    expect(await areActive(kept.paymentId)).toEqual([true, true, true])
    await lose((await opened(ended.paymentId, { amountMinor: 1000 })).id, 'end')
    expect(await areActive(ended.paymentId)).toEqual([false, false, false])
    expect((await paymentRow(shop, ended.paymentId)).refunded_minor).toBe(1000)
  })

  test('keeps no connections that have ended already', async () => {
    const { paymentId, dispute } = await aDisputed({ endConnections: true })
    expect(await lose(dispute.id, 'keep')).toMatchObject({
      why: { code: 'connections-have-ended' },
    })
    expect((await disputesOf(shop, paymentId))[0]?.status).toBe('open')
  })
})

test('answerDispute is known the second time', async () => {
  const { dispute } = await aDisputed()
  expect((await answerDispute(shop, dispute.id)).kind).toBe('recorded')
  expect((await answerDispute(shop, dispute.id)).kind).toBe('known')
})

test('the account cannot be deleted while a dispute is open, and can be once it is decided', async () => {
  const { customer, dispute } = await aDisputed()
  await queueIsEmpty(shop)
  const refused = await eraseAccount(shop, customer)
  expect(refused.status).toBe(409)
  expect(refused.body.detail).toContain('Your bank has asked us for the money of a payment back.')
  await lose(dispute.id)
  await until(async () => (await eraseAccount(shop, customer)).status === 200)
})
