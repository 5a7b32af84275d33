import { isoDay } from '@hedgerow/domain/dates'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { type CheckedMonth, checkMonth, isClosable } from '#accounting/month-end/check-month.ts'
import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import { loseDispute, openDispute, winDispute } from '#money/disputes/disputes.service.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { insertAccountingRate } from '#sales/invoices/sterling.ts'
import { btcpayOf } from '#testing/btcpay.ts'
import { chargeBack, decide } from '#testing/disputes.ts'
import { hurry } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { payOut, settlement } from '#testing/settlement.ts'
import { actAtStripe, aStripePurchase, sellByStripe, sessionOf } from '#testing/stripe.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const btcpay = btcpayOf(shop)

const refund = async (paymentId: string, amountMinor?: number) => {
  await requestRefund(shop, { paymentId, amountMinor, isAgain: true })
  await until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))
}

const sellByGate = async () => {
  await shop.db.deleteFrom('running_settings').where('name', '=', 'card-gateway').execute()
  await until(async () => !(await shop.call('GET', '/api/v1/payment/methods')).body.card.hosted)
}

/** Two sales by the Gate, of which one is given back in part, and the other's money was taken by its bank and came back; and a payout. */
const liveAtGate = async () => {
  await sellByGate()
  const [part, disputedSale] = [await aPurchase(shop), await aPurchase(shop)]
  await refund(part.paymentId, 500)
  const { paymentId } = disputedSale
  const { charged_minor: amount } = await paymentRow(shop, paymentId)
  const { id } = await chargeBack(shop, paymentId, { amount })
  const opened = await openDispute(shop, { paymentId, amountMinor: amount, reason: '10.4' })
  await decide(shop, id as number, { status: 'won' })
  if (opened.kind !== 'refused') await winDispute(shop, opened.dispute.id)
  await payOut(shop)
}

/** Its money stays away, and the operator says that it is a bad debt. */
const loseDisputeAtStripe = async () => {
  const { paymentId } = await aStripePurchase(shop)
  const { id: charge } = (await sessionOf(shop, paymentId)).payment_intent.latest_charge
  const { id } = await actAtStripe(shop, `charges/${charge}/dispute`, { reason: 'fraudulent' })
  await actAtStripe(shop, `disputes/${id}/move`, { status: 'lost' })
  const dispute = await until(async () => {
    await hurry(shop, 'watch-disputes')
    return shop.db
      .selectFrom('disputes')
      .select(['id', 'status'])
      .where('gate_id', '=', id)
      .executeTakeFirst()
  })
  if (dispute.status === 'open') await loseDispute(shop, dispute.id, { vat: 'bad-debt' })
}

/** Bitcoin: all of it, too much, after the end, a part, and nothing. */
const liveAtBtcpay = async () => {
  const [whole, over, late, partly] = [
    await btcpay.anAttempt(),
    await btcpay.anAttempt(),
    await btcpay.anAttempt(),
    await btcpay.anAttempt(),
  ]
  await btcpay.anAttempt()
  await btcpay.press(whole, 'full', 'confirm')
  await btcpay.press(over, 'over', 'confirm')
  await btcpay.press(late, 'expire', 'full', 'confirm')
  await btcpay.press(partly, 'part', 'confirm', 'expire')
  const ends = async (paymentId: string, status: string) => {
    await btcpay.check(paymentId)
    return (await paymentRow(shop, paymentId)).status === status
  }
  for (const { paymentId } of [whole, over, late]) await until(() => ends(paymentId, 'Success'))
  await until(() => ends(partly.paymentId, 'Error'))
  // As soon as its link is there, it may be sent another way.
  await until(async () => {
    await resolveRefund(shop, { paymentId: partly.paymentId, verdict: 'sent' })
    return (await refundsOf(shop, partly.paymentId))[0]?.status === 'Success'
  })
  return { whole: whole.paymentId, partly: partly.paymentId }
}

const checkedAfter = (month: Month): Promise<CheckedMonth> =>
  checkMonth(shop, month, new Date(month.to.getTime() + 1))

test('a month with sales, refunds, disputes and payouts of all three gateways closes', async () => {
  const month = parseMonth(isoDay(new Date()).slice(0, 7)) as Month
  await insertAccountingRate(shop.db, 'sterling', {
    currency: 'EUR',
    day: month.firstDay,
    rateMicro: 1_150_000,
  })
  await liveAtGate()
  await sellByStripe(shop)
  const { paymentId } = await aStripePurchase(shop)
  await refund(paymentId, 700)
  await aStripePurchase(shop)
  await loseDisputeAtStripe()
  await actAtStripe(shop, 'payouts')
  const bitcoin = await liveAtBtcpay()
  const days = ['--from', month.firstDay, '--to', month.lastDay]
  const fetched = await settlement(shop, 'fetch', ...days, '--json')
  expect(fetched.json).toMatchObject({ unreadable: [], isWhole: true })
  // As if it had been fetched after the month, on whichever of its days this runs.
  await shop.db.updateTable('settlement_runs').set({ started_at: month.to }).execute()
  const checked = await until(async () => {
    await hurry(shop, 'issue-invoices')
    const now = await checkedAfter(month)
    return now.waiting.length === 0 && now
  })
  const linesOf = ({ lines }: CheckedMonth) => new Map(lines.map((line) => [line.id, line]))
  for (const [id, { agrees, left }] of linesOf(checked))
    expect({ id, left, agrees }).toMatchObject({ agrees: true })
  const counted = (id: string) => linesOf(checked).get(id)?.left.sums.documents
  expect(counted('gateway-operations')).toBe(6)
  expect(counted('btcpay-invoices')).toBe(4)
  expect(counted('stripe-operations')).toBe(6)
  expect(isClosable(checked)).toBe(true)

  // As the operator sees it: nothing keeps it open but that it has not ended.
  const { json } = await runOps(opsSettings(shop), 'month', 'check', '--month', month.name, '--json')
  expect(json.waiting.map(({ kind }: { kind: string }) => kind)).toEqual(['month-runs'])
  expect(json.checks.every(({ agrees }: { agrees: boolean }) => agrees)).toBe(true)
  const several = await settlement(shop, 'show', ...days)
  expect([several.code, several.err]).toEqual([2, expect.stringContaining('say which by --gateway')])
  const shown = (await settlement(shop, 'show', ...days, '--gateway', 'btcpay', '--json')).json
  expect(shown).toMatchObject({ gateway: 'btcpay', matched: 4, onlyAtGateway: [], onlyInShop: [] })

  // What differs is named: an invoice that brought less, or was marked invalid by hand, and a payment that has none.
  const { gateway_ref: invoice } = await paymentRow(shop, bitcoin.whole)
  await shop.db
    .updateTable('settlement_operations')
    .set({ initial_minor: 1 })
    .where('payment_id', '=', bitcoin.partly)
    .execute()
  await shop.db
    .updateTable('settlement_operations')
    .set({ status: 'decline' })
    .where('id', '=', String(invoice))
    .execute()
  const differs = linesOf(await checkedAfter(month)).get('btcpay-invoices')
  expect(differs).toMatchObject({
    agrees: false,
    differences: [
      { about: `payment ${bitcoin.whole}`, says: expect.stringContaining('BTCPay has booked no sale') },
      { about: `payment ${bitcoin.partly}`, says: expect.stringContaining('the shop has') },
    ],
  })
}, 120_000)
