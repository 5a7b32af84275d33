import { isoDay } from '@hedgerow/domain/dates'
import { monthOf } from '@hedgerow/domain/periods'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { expect, test } from 'vitest'
import { checkMonth } from '#accounting/month-end/check-month.ts'
import { type Month, parseMonth } from '#accounting/month-end/month.ts'
import { loseDispute, openDispute, reverseDispute, winDispute } from '#money/disputes/disputes.service.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { issueDueCreditNotes } from '#sales/invoices/issue-credit-notes.ts'
import { insertAccountingRate } from '#sales/invoices/sterling.ts'
import { aCustomer } from '#testing/customers.ts'
import { chargeBack, decide, dispute, disputesOf, invoiced } from '#testing/disputes.ts'
import { balances, hasHledger } from '#testing/hledger.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPaidPayment, aPartner, balanceOf, earningOf, endHolds } from '#testing/partners.ts'
import { aPurchase, connectionsOf, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { DAYS, settlement } from '#testing/settlement.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const month = monthOf(isoDay(new Date()))

const aShop = async () => {
  const shop = await startTestShop()
  await insertAccountingRate(shop.db, 'sterling', {
    currency: 'EUR',
    day: `${month}-01`,
    rateMicro: 1_170_000,
  })
  return shop
}

const lost = async (
  shop: TestShop,
  paymentId: string,
  vat: 'credit-note' | 'bad-debt',
  amountMinor?: number,
) => {
  const { id: chargebackId } = await chargeBack(shop, paymentId, amountMinor ? { amount: amountMinor } : {})
  const opened = await openDispute(shop, { paymentId, amountMinor })
  if (opened.kind === 'refused') throw new Error(opened.why.code)
  await invoiced(shop, paymentId)
  await decide(shop, chargebackId, { status: 'lost' })
  await loseDispute(shop, opened.dispute.id, { vat })
  return { id: opened.dispute.id, chargebackId: chargebackId as number }
}

/** Of all books: papers, the gateway's operations, and partners. */
const faults = async (shop: TestShop) => {
  await issueDueCreditNotes(shop)
  const fetched = await settlement(shop, 'fetch', ...DAYS)
  expect([fetched.err, fetched.code]).toEqual(['', 0])
  const { lines } = await checkMonth(shop, parseMonth(month) as Month, new Date(), 2)
  expect(lines.map(({ id }) => id)).toContain('restored-invoices')
  return [
    ...lines.filter(({ agrees }) => !agrees),
    ...(await checkBooks(shop)),
    ...(await settlement(shop, 'show', ...DAYS, '--json')).json.onlyAtGateway,
  ]
}

const invoicesOf = async (shop: TestShop, paymentId: string, table: 'issued_invoices' | 'live_invoices') =>
  (
    await shop.db
      .selectFrom(table)
      .select('snapshot')
      .where('order_id', '=', (await paymentRow(shop, paymentId)).order_id)
      .orderBy('number')
      .execute()
  ).map(({ snapshot }) => snapshot)

const refundAll = async (shop: TestShop, paymentId: string) => {
  const { charged_minor, refunded_minor } = await paymentRow(shop, paymentId)
  await requestRefund(shop, { paymentId, amountMinor: charged_minor - refunded_minor })
  await until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))
}

test('a lost dispute that the gateway then calls won is reversed, once, with all of its books', async () => {
  const shop = await aShop()
  const { customer, paymentId } = await aPurchase(shop)
  const { chargebackId } = await lost(shop, paymentId, 'credit-note')
  await dispute(shop, 'fetch')
  await decide(shop, chargebackId, { status: 'won' })
  await Promise.all([dispute(shop, 'fetch'), dispute(shop, 'fetch')])
  expect((await dispute(shop, 'fetch', '--json')).json).toMatchObject({ known: 1, unfiled: 0 })
  expect(await disputesOf(shop, paymentId)).toMatchObject([{ status: 'reversed', connections_ended: true }])
  expect(await paymentRow(shop, paymentId)).toMatchObject({ disputed_minor: 0, refunded_minor: 0 })
  expect(await refundsOf(shop, paymentId)).toMatchObject([{ reason: 'dispute', status: 'Success' }])
  const [was, restored] = await invoicesOf(shop, paymentId, 'issued_invoices')
  const { totalMinor, netMinor, vatMinor, sterling } = was ?? {}
  expect(restored).toMatchObject({ totalMinor, netMinor, vatMinor, sterling })
  expect(await invoicesOf(shop, paymentId, 'live_invoices')).toEqual([restored])
  const mail = await mailbox(shop).latest(customer.email, 'Your new invoice')
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['invoice.pdf'])
  const [payment] = (await shop.call('GET', '/api/v1/payment/history', { token: customer.token })).body
  expect(payment.refunds).toMatchObject([{ isDispute: true, reversedAt: expect.any(String) }])
  expect(payment.corrections).toMatchObject([{ isRestored: true }])
  expect(await faults(shop)).toEqual([])

  // What has ended stays ended, whatever is decided of the payment later.
  const areOver = async () =>
    (await connectionsOf(shop, paymentId)).every(({ expires_at }) => expires_at && expires_at <= new Date())
  expect(await areOver()).toBe(true)
  const again = await openDispute(shop, { paymentId, amountMinor: 500 })
  await winDispute(shop, again.kind === 'refused' ? '' : again.dispute.id)
  expect((await paymentRow(shop, paymentId)).ended_by_dispute_at).not.toBeNull()

  // An older word of the gateway comes last.
  await decide(shop, chargebackId, { status: 'lost' })
  expect((await dispute(shop, 'fetch', '--json')).json).toMatchObject({ unfiled: 1 })
  await decide(shop, chargebackId, { status: 'won' })
  await dispute(shop, 'fetch')

  await refundAll(shop, paymentId)
  expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
  expect(await faults(shop)).toEqual([])
  expect(await mailbox(shop).list(customer.email, 'Your new invoice')).toHaveLength(1)
}, 120_000)

test('a part that comes back joins what was left in one invoice, and a bad debt changes the journal only', async () => {
  const shop = await aShop()
  const [noted, bad] = [await aPurchase(shop), await aPurchase(shop)]
  const part = await lost(shop, noted.paymentId, 'credit-note', 1000)
  const debt = await lost(shop, bad.paymentId, 'bad-debt', 1000)
  await requestRefund(shop, { paymentId: noted.paymentId, amountMinor: 701 })
  await requestRefund(shop, { paymentId: bad.paymentId, amountMinor: 701 })
  for (const { paymentId } of [noted, bad])
    await until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))
  await issueDueCreditNotes(shop)
  const journal = async () =>
    (await runOps(opsSettings(shop), 'invoice', 'export', '--format', 'hledger', '--month', month)).out
  const before = hasHledger ? await balances(await journal()) : new Map()

  expect(await dispute(shop, 'won', part.id, '--yes')).toMatchObject({ code: 1 })
  for (const { id, chargebackId } of [part, debt]) {
    await decide(shop, chargebackId, { status: 'won' })
    const answers = await Promise.all([
      reverseDispute(shop, id),
      reverseDispute(shop, id),
      reverseDispute(shop, id),
    ])
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['known', 'known', 'recorded'])
  }
  expect((await dispute(shop, 'reversed', part.id, '--yes')).code).toBe(0)
  expect(await loseDispute(shop, part.id, { vat: 'credit-note' })).toMatchObject({
    why: { code: 'ended-before' },
  })

  for (const { paymentId } of [noted, bad])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(701)
  expect(await invoicesOf(shop, noted.paymentId, 'live_invoices')).toMatchObject([{ totalMinor: 2299 }])
  expect(await invoicesOf(shop, bad.paymentId, 'issued_invoices')).toHaveLength(1)
  const mail = await mailbox(shop).latest(noted.customer.email, 'Your new invoice')
  expect(mail.attachments).toHaveLength(2)
  expect(await faults(shop)).toEqual([])
  if (hasHledger) {
    const after = await balances(await journal())
    expect(before.get('expenses:bad debts')).not.toBe('0')
    expect(after.get('expenses:bad debts') ?? '0').toMatch(/^(?:0|£0\.00|GBP 0\.00)$/)
  }

  for (const { paymentId } of [noted, bad]) await refundAll(shop, paymentId)
  expect(await faults(shop)).toEqual([])
  if (hasHledger) await balances(await journal())
}, 120_000)

test.each([false, true])(
  'the partner is credited again once, to what waits or is free (%s)',
  async (isFree) => {
    const shop = await aShop()
    const [partner, buyer] = await Promise.all([aPartner(shop), aCustomer(shop)])
    const paymentId = await aPaidPayment(shop, {
      buyerId: buyer.id,
      partnerId: partner.id,
      amountMinor: 10_000,
    })
    await creditPartners(shop)
    if (isFree) await endHolds(shop, partner.id)
    const earned = await balanceOf(shop, partner)
    const opened = await openDispute(shop, { paymentId })
    const id = opened.kind === 'refused' ? '' : opened.dispute.id
    await invoiced(shop, paymentId)
    await loseDispute(shop, id, { vat: 'credit-note' })
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: 0, available: 0 })
    await Promise.all([reverseDispute(shop, id), reverseDispute(shop, id)])
    expect(await balanceOf(shop, partner)).toEqual(earned)
    expect(await earningOf(shop, paymentId)).toMatchObject({ due_back_minor: 0, is_refunded: false })
    expect(await checkBooks(shop)).toEqual([])
  },
)
