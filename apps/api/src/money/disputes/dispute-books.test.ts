import { fewOrAll } from '@hedgerow/testing/strength'
import { until } from '@hedgerow/testing/until'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { loseDispute, openDispute, winDispute } from '#money/disputes/disputes.service.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { creditPartners, matureEarnings } from '#partners/earnings/earnings.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { issueDueCreditNotes } from '#sales/invoices/issue-credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { aDisputedPurchase, chargeBack, decide, dispute, invoiced } from '#testing/disputes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPaidPayment, aPartner, balanceOf, earningOf, endHolds } from '#testing/partners.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { DAYS, settlement } from '#testing/settlement.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const open = async (paymentId: string, amountMinor?: number) => {
  const answer = await openDispute(shop, { paymentId, amountMinor })
  if (answer.kind === 'refused') throw new Error(answer.why.code)
  return answer.dispute.id
}

const papers = async (paymentId: string) => {
  await invoiced(shop, paymentId)
  await issueDueCreditNotes(shop)
}

const notesOf = (paymentId: string) =>
  shop.db.selectFrom('credit_notes').selectAll().where('payment_id', '=', paymentId).execute()

describe('the VAT of a lost dispute', () => {
  test('is taken off by a credit note of the money that is gone', async () => {
    const { paymentId } = await aPurchase(shop)
    await papers(paymentId)
    await loseDispute(shop, await open(paymentId, 1000), { vat: 'credit-note' })
    await papers(paymentId)
    expect(await notesOf(paymentId)).toMatchObject([{ snapshot: { totalMinor: 1000, reason: 'dispute' } }])
  })

  test('stays due as a bad debt: there is no credit note, and a later refund has its own', async () => {
    const { paymentId } = await aPurchase(shop)
    await papers(paymentId)
    await loseDispute(shop, await open(paymentId, 1000), { vat: 'bad-debt' })
    await papers(paymentId)
    expect(await notesOf(paymentId)).toEqual([])
    await requestRefund(shop, { paymentId, amountMinor: 500 })
    await until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))
    await papers(paymentId)
    expect(await notesOf(paymentId)).toMatchObject([{ snapshot: { totalMinor: 500 } }])
  })
})

describe('two disputes of one payment', () => {
  test.each(['open', 'lost'] as const)(
    'of which one has ended the connections, and is %s: they do not come back with the other that is won',
    async (other) => {
      const { paymentId } = await aPurchase(shop)
      const answer = await openDispute(shop, { paymentId, amountMinor: 1000, endConnections: true })
      const ending = answer.kind === 'refused' ? '' : answer.dispute.id
      const second = await open(paymentId, 2000)
      if (other === 'lost') await loseDispute(shop, ending, { vat: 'credit-note' })
      await winDispute(shop, second)
      expect((await paymentRow(shop, paymentId)).ended_by_dispute_at).not.toBeNull()
      if (other === 'lost') return
      await winDispute(shop, ending)
      expect((await paymentRow(shop, paymentId)).ended_by_dispute_at).toBeNull()
    },
  )
})

describe('the partner’s share of a disputed payment', () => {
  const earned = async () => {
    const [partner, buyer] = await Promise.all([aPartner(shop), aCustomer(shop)])
    const paymentId = await aPaidPayment(shop, {
      buyerId: buyer.id,
      partnerId: partner.id,
      amountMinor: 10_000,
    })
    await creditPartners(shop)
    const { amount_minor: share } = (await earningOf(shop, paymentId)) ?? { amount_minor: 0 }
    expect(share).toBeGreaterThan(0)
    return { partner, paymentId, share: share / 100 }
  }

  test('is held until it is decided, and taken back when it is lost', async () => {
    const { partner, paymentId, share } = await earned()
    const id = await open(paymentId)
    await endHolds(shop, partner.id)
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: share, available: 0 })
    await loseDispute(shop, id, { vat: 'credit-note' })
    await matureEarnings(shop)
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: 0, available: 0 })
    expect((await checkBooks(shop)).filter(({ partner_id }) => partner_id === partner.id)).toEqual([])
  })

  test('becomes theirs when it is won', async () => {
    const { partner, paymentId, share } = await earned()
    const id = await open(paymentId)
    await endHolds(shop, partner.id)
    await winDispute(shop, id)
    await matureEarnings(shop)
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: 0, available: share })
  })

  test('is taken back of what was available already, in proportion to what is lost', async () => {
    const { partner, paymentId, share } = await earned()
    await endHolds(shop, partner.id)
    await loseDispute(shop, await open(paymentId, 5_000), { vat: 'bad-debt' })
    expect(await balanceOf(shop, partner)).toMatchObject({ pending: 0, available: share / 2 })
    expect((await checkBooks(shop)).filter(({ partner_id }) => partner_id === partner.id)).toEqual([])
  })
})

describe('the books', () => {
  test('agree with the gateway’s, which calls no dispute a refund', async () => {
    const { paymentId } = await aPurchase(shop)
    const { id: chargebackId } = await chargeBack(shop, paymentId)
    const id = await open(paymentId)
    await decide(shop, chargebackId, { status: 'lost' })
    await loseDispute(shop, id, { vat: 'credit-note' })
    await papers(paymentId)
    const { json } = await runOps(opsSettings(shop), 'reconcile', '--days', '1', '--json')
    const isOurs = (one: { paymentId: string }) => one.paymentId === paymentId
    expect(json.differences.filter(isOurs)).toEqual([])
    expect((await settlement(shop, 'fetch', ...DAYS)).code).toBe(0)
    const { onlyAtGateway, onlyInShop } = (await settlement(shop, 'show', ...DAYS, '--json')).json
    expect([...onlyAtGateway, ...onlyInShop].filter(isOurs)).toEqual([])
  })

  test('add up whatever is disputed, won, lost and refunded, in whatever order', async () => {
    const step = fc.record({
      what: fc.constantFrom('open', 'won', 'lost', 'refund', 'again'),
      minor: fc.integer({ min: 1, max: 2500 }),
    })
    const [buyer, partner] = await Promise.all([aCustomer(shop), aPartner(shop)])
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        const paymentId = await aPaidPayment(shop, {
          buyerId: buyer.id,
          partnerId: partner.id,
          amountMinor: 3000,
        })
        const ids: string[] = []
        for (const { what, minor } of steps) {
          const last = ids.at(-1)
          if (what === 'open' || what === 'again') {
            const answer = await openDispute(shop, {
              paymentId,
              amountMinor: minor,
              isAgain: what === 'again',
            })
            if (answer.kind !== 'refused') ids.push(answer.dispute.id)
          } else if (what === 'refund') {
            // By hand, so that no gateway has to be asked.
            await sql`update payments set method = 'blik' where id = ${paymentId}`.execute(shop.db)
            await requestRefund(shop, { paymentId, amountMinor: minor })
          } else if (last && what === 'won') await winDispute(shop, last)
          else if (last) await loseDispute(shop, last, { vat: minor % 2 ? 'bad-debt' : 'credit-note' })
          const row = await paymentRow(shop, paymentId)
          const disputes = await shop.db
            .selectFrom('disputes')
            .selectAll()
            .where('payment_id', '=', paymentId)
            .execute()
          const sumOf = (status: string) =>
            disputes.reduce((sum, one) => sum + (one.status === status ? one.amount_minor : 0), 0)
          expect(row.disputed_minor).toBe(sumOf('open'))
          expect(row.refunded_minor).toBe(sumOf('lost'))
          const underWay = (await refundsOf(shop, paymentId)).filter(({ status }) => status === 'Pending')
          // Money is in one place at a time; what was asked for before a dispute is not sent.
          expect(row.refunded_minor + row.disputed_minor).toBeLessThanOrEqual(3000)
          expect(underWay.length).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: fewOrAll(4, 25) },
    )
  })

  test('and the overview tell of open and lost disputes, and of their cards', async () => {
    const before = (await runOps(opsSettings(shop), 'overview', '--json')).json.disputes
    const { dispute: first } = await aDisputedPurchase(shop)
    await aDisputedPurchase(shop)
    await dispute(shop, 'lost', first.id, '--yes')
    const after = (await runOps(opsSettings(shop), 'overview', '--json')).json.disputes
    expect(after).toMatchObject({ open: before.open + 1, lost: before.lost + 1 })
    const { out } = await runOps(opsSettings(shop), 'overview')
    expect(out).toMatch(
      /DisputeOpen +\d+ disputes? wants? an answer, by \d\d\/\d\d\/\d{4} 23:59 \(UK time\) +dispute list --status open/,
    )
  })
})
