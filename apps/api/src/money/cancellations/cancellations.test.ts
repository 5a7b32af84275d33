import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listOwedRefunds } from '#money/refunds/owed-refunds.queries.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import {
  aThirdUsed,
  cancel,
  historyOf,
  isOver,
  letDaysPass,
  preview,
  profileOf,
  refundsEnded,
} from '#testing/cancellations.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { aBusyNode } from '#testing/nodes.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner, partnerRow } from '#testing/partners.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import { paymentRow, reached } from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { buyWith, creditedTo } from '#testing/promocodes.ts'
import { refundsOf } from '#testing/refunds.ts'
import { anOwner, connectionRow } from '#testing/renewals.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe('cancelling within 14 days', () => {
  test('says what goes back and what ends, does it, and mails that for keeping', async () => {
    const { customer, paymentId, rows } = await aThirdUsed(shop)
    const shown = await preview(shop, customer, paymentId)
    expect(shown.status).toBe(200)
    expect(shown.body).toMatchObject({ refund: 20, currency: 'EUR', isByHand: false, asksPassword: false })
    expect(shown.body.connections).toEqual(
      rows.map(({ id, name }) => ({ _id: id, name, endsAt: expect.any(String), endsAtOnce: true })),
    )
    const reply = await cancel(shop, customer, paymentId, { refund: 20 })
    expect(reply.body).toMatchObject({ refund: 20, currency: 'EUR', cancelledAt: expect.any(String) })
    expect(reply.body.connections.map(({ endsAtOnce }: { endsAtOnce: boolean }) => endsAtOnce)).toEqual([
      true,
      true,
      true,
    ])
    expect(await isOver(shop, paymentId)).toBe(true)
    await refundsEnded(shop, paymentId)
    expect(await refundsOf(shop, paymentId)).toMatchObject([
      { amount_minor: 2000, reason: 'cancelled', is_by_hand: false },
    ])
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 2000, cancelled_minor: 2000 })
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled: 30 days, 3 connections')
    const text = mail.text.replace(/\s+/g, ' ')
    expect(text).toMatch(/received your statement on \d\d\/\d\d\/\d{4} \d\d:\d\d \(UK time\)/)
    expect(text).toContain('The connections it bought have ended.')
    expect(text).toContain('You get €20.00 of €30.00 back')
    expect(text).toContain('back to the card you paid with')
    expect(text).toContain(`Payment: ${paymentId}`)
    const refunded = await mailbox(shop).latest(customer.email, 'We have refunded €20.00')
    expect(refunded.text).toContain('You cancelled it')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'You have cancelled')).toHaveLength(1)
  })

  test('names in its mail what was refunded before', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await requestRefund(shop, { paymentId, amountMinor: 1234 })
    await refundsEnded(shop, paymentId)
    await letDaysPass(shop, customer, 10)
    expect((await cancel(shop, customer, paymentId)).body).toMatchObject({ refund: 7.66 })
    await refundsEnded(shop, paymentId)
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled')
    expect(mail.text.replace(/\s+/g, ' ')).toContain(
      'Of €30.00, €12.34 was refunded earlier. You now get €7.66 back, which makes €20.00 for the part you had not used.',
    )
  })

  test('names in its mail what was refunded before, where nothing is left to refund', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await requestRefund(shop, { paymentId, amountMinor: 2500 })
    await refundsEnded(shop, paymentId)
    await letDaysPass(shop, customer, 10)
    expect((await cancel(shop, customer, paymentId)).body).toMatchObject({ refund: 0 })
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled')
    expect(mail.text.replace(/\s+/g, ' ')).toContain(
      'Of €30.00, €25.00 was refunded earlier. You have used the rest, so nothing is left to refund.',
    )
  })

  test('is offered in the profile and the history, as long as it is possible', async () => {
    const { customer, paymentId } = await anOwner(shop)
    const { body } = await preview(shop, customer, paymentId)
    const [offered] = (await profileOf(shop, customer.token)).connections
    expect(offered.cancellable).toEqual([{ paymentId, until: body.until }])
    expect((await historyOf(shop, customer.token))[0]).toMatchObject({ cancellableUntil: body.until })
    await cancel(shop, customer, paymentId)
    const [attempt] = await historyOf(shop, customer.token)
    expect(attempt.cancelledAt).toEqual(expect.any(String))
    expect(attempt.cancellableUntil).toBeUndefined()
    expect((await profileOf(shop, customer.token)).connections[0].cancellable).toBeUndefined()
  })

  test('works for a plan', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, planFor('31 days'))
    await reached(shop, paymentId, 'Success')
    await letDaysPass(shop, customer, 7.75)
    const { charged_minor } = await paymentRow(shop, paymentId)
    const { body } = await cancel(shop, customer, paymentId)
    expect(body).toMatchObject({
      refund: (charged_minor - Math.round(charged_minor / 4)) / 100,
      currency: 'GBP',
    })
    expect(await isOver(shop, paymentId)).toBe(true)
  })

  test('of a plan leaves it to be bought anew, at once', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    const paymentId = await startSale(shop, customer, plan)
    await reached(shop, paymentId, 'Success')
    await cancel(shop, customer, paymentId)
    const again = await startSale(shop, customer, plan)
    expect(again).not.toBe(paymentId)
    await reached(shop, again, 'Success')
  })

  test('counts three years for what would never end', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, planFor('Ethernity'))
    await reached(shop, paymentId, 'Success')
    await letDaysPass(shop, customer, 10.95)
    const { charged_minor } = await paymentRow(shop, paymentId)
    const { body } = await cancel(shop, customer, paymentId)
    expect(body.refund).toBe((charged_minor - Math.round(charged_minor / 100)) / 100)
    expect(await isOver(shop, paymentId)).toBe(true)
  })

  test('gives the part of the PLN back that a Blik payment was charged', async () => {
    await setRate(shop, 'EUR', 4_000_000)
    const customer = await aCustomer(shop)
    const paymentId = await startBy(payByBlik, shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'awaiting redirect result', 'awaiting customer action')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    await letDaysPass(shop, customer, 10)
    expect((await cancel(shop, customer, paymentId)).body).toMatchObject({ refund: 80, currency: 'PLN' })
    await refundsEnded(shop, paymentId)
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('80.00 PLN of 120.00 PLN back')
  })

  test('puts what was paid by a bank on the operator’s list', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { currency: 'GBP' })
    const paymentId = await startBy(payByBank, shop, customer, order, { bankId: BANKS.noConsent })
    await reached(shop, paymentId, 'awaiting redirect result', 'awaiting customer action')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    await letDaysPass(shop, customer, 10)
    expect((await preview(shop, customer, paymentId)).body).toMatchObject({ refund: 20, isByHand: true })
    expect((await cancel(shop, customer, paymentId)).body).toMatchObject({ refund: 20, isByHand: true })
    expect(await refundsOf(shop, paymentId)).toMatchObject([
      { amount_minor: 2000, reason: 'cancelled', is_by_hand: true, status: 'Pending' },
    ])
    expect(await isOver(shop, paymentId)).toBe(true)
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('account you paid from, within 14 days')
    await resolveRefund(shop, { paymentId, verdict: 'sent' })
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 2000 })
  })

  test('takes the partner’s share back in proportion, and leaves the books right', async () => {
    const partner = await aPartner(shop)
    const { customer, paymentId } = await buyWith(shop, partner)
    const earning = await creditedTo(shop, paymentId)
    const earned = earning?.amount_minor ?? 0
    expect(earned).toBeGreaterThan(0)
    await letDaysPass(shop, customer, 10)
    const { charged_minor } = await paymentRow(shop, paymentId)
    const { body } = await cancel(shop, customer, paymentId)
    expect(body.refund).toBe((charged_minor - Math.round(charged_minor / 3)) / 100)
    await refundsEnded(shop, paymentId)
    const after = await until(async () => {
      const row = await creditedTo(shop, paymentId)
      return row && row.reversed_minor > 0 && row
    })
    expect(Math.abs(after.reversed_minor - (earned * 2) / 3)).toBeLessThanOrEqual(1)
    expect(await checkBooks(shop)).toEqual([])
  })

  test.each([
    ['all', 0],
    ['all but a cent or two', 0.02],
  ])('that gives %s back is no transaction of the partner’s any more', async (_, days) => {
    const partner = await aPartner(shop)
    const { customer, paymentId } = await buyWith(shop, partner)
    await creditedTo(shop, paymentId)
    await letDaysPass(shop, customer, days)
    await cancel(shop, customer, paymentId)
    await refundsEnded(shop, paymentId)
    await until(async () => (await partnerRow(shop, partner)).transactions === 0)
    expect(await checkBooks(shop)).toEqual([])
    // Nor is it where it was not credited yet.
    const uncredited = await buyWith(shop, partner)
    await letDaysPass(shop, uncredited.customer, days)
    await cancel(shop, uncredited.customer, uncredited.paymentId)
    await refundsEnded(shop, uncredited.paymentId)
    await creditedTo(shop, uncredited.paymentId)
    await until(async () => (await partnerRow(shop, partner)).transactions === 0)
    expect(await checkBooks(shop)).toEqual([])
  })

  test('gives back what is left after a refund of a part', async () => {
    const { customer, paymentId } = await aThirdUsed(shop)
    await requestRefund(shop, { paymentId, amountMinor: 500 })
    await refundsEnded(shop, paymentId)
    expect((await cancel(shop, customer, paymentId)).body.refund).toBe(15)
    await refundsEnded(shop, paymentId)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 2000, cancelled_minor: 1500 })
  })

  test('is in the place of a refund that the gateway had refused, so that it does not go back besides', async () => {
    const { customer, paymentId } = await aThirdUsed(shop)
    await requestRefund(shop, { paymentId, amountMinor: 413 })
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Decline')
    const isOwed = async () =>
      (await listOwedRefunds(shop.db)).some(({ payment_id }) => payment_id === paymentId)
    expect(await isOwed()).toBe(true)
    expect((await cancel(shop, customer, paymentId)).body.refund).toBe(20)
    await until(async () => (await paymentRow(shop, paymentId)).refunded_minor === 2000)
    expect(await isOwed()).toBe(false)
  })

  test('gives nothing more back where more was given before, and ends it all the same', async () => {
    const { customer, paymentId } = await aThirdUsed(shop)
    await requestRefund(shop, { paymentId, amountMinor: 2500 })
    await refundsEnded(shop, paymentId)
    expect((await cancel(shop, customer, paymentId)).body.refund).toBe(0)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
    expect(await isOver(shop, paymentId)).toBe(true)
  })

  test('takes the peers from their node at once', async () => {
    const { agent, customer, paymentId } = await aBusyNode(shop)
    const { peers } = await agent.catchUp()
    expect(peers).toHaveLength(3)
    await cancel(shop, customer, paymentId)
    const changes = await agent.catchUp()
    expect(changes.peers).toHaveLength(0)
    await sql`update nodes set is_open = false where id = ${agent.node.id}`.execute(shop.db)
  })

  test('ends links and reminders with the connections', async () => {
    const { customer, paymentId, ids } = await anOwner(shop)
    const made = await shop.call('POST', `/api/v1/connections/${ids[0]}/link`, { token: customer.token })
    expect(made.status).toBe(200)
    await cancel(shop, customer, paymentId)
    expect(await connectionRow(shop, ids[0] ?? '')).toMatchObject({ link_hash: null })
    await hurry(shop, 'remind-of-ends')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'end soon')).toHaveLength(0)
  })
})
