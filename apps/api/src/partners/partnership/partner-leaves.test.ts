import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { creditPartners } from '#partners/earnings/earnings.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { aCustomer, eraseAccount } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aPaidPayment, balanceOf, earningOf, endHolds } from '#testing/partners.ts'
import { exported } from '#testing/payouts.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { aPartnerWith, aWithdrawal, requestPayout, withdrawalRow } from '#testing/withdrawals.ts'

const shop = shopOfFile()

describe('a partner who deletes the account', () => {
  test('has to wait while a withdrawal is open', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const request = aWithdrawal()
    await requestPayout(shop, partner, request)
    const reply = expectProblem(await eraseAccount(shop, partner), 409)
    expect(reply.body.detail).toMatch(/^You have requested a withdrawal from your partner account\. Wait/)
    expect(await balanceOf(shop, partner)).toMatchObject({ requested: 250 })
    await resolveWithdrawal(shop, request.id, { status: 'refused', reason: 'Ada asked us to.' })
    expect((await eraseAccount(shop, partner)).status).toBe(200)
  })

  test('gives up the balance, and leaves books that add up and name no person', async () => {
    const partner = await aPartnerWith(shop, 60_000)
    const [paid, refused] = [aWithdrawal(), aWithdrawal({ amount: 300 })]
    await requestPayout(shop, partner, paid)
    await requestPayout(shop, partner, refused)
    await resolveWithdrawal(shop, paid.id, { status: 'paid', reference: 'Ada Lovelace 1' })
    await resolveWithdrawal(shop, refused.id, { status: 'refused', reason: 'Ada Lovelace moved.' })
    const buyer = await aCustomer(shop)
    await aPaidPayment(shop, { buyerId: buyer.id, partnerId: partner.id, amountMinor: 10_000 })
    await creditPartners(shop)
    expect((await eraseAccount(shop, partner)).status).toBe(200)
    const balances = await shop.db
      .selectFrom('partner_balances')
      .select(['pending_minor', 'available_minor', 'requested_minor', 'paid_minor'])
      .where('partner_id', '=', partner.id)
      .execute()
    expect(balances).toEqual([
      { pending_minor: '0', available_minor: '0', requested_minor: '0', paid_minor: '25000' },
    ])
    expect(await withdrawalRow(shop, refused.id)).toMatchObject({
      details_encrypted: null,
      ends_with: '',
      reason: '',
    })
    expect(await withdrawalRow(shop, paid.id)).toMatchObject({
      details_encrypted: null,
      ends_with: '',
      reference: null,
    })
    expect(await checkBooks(shop)).toEqual([])
  })

  test('either gets the withdrawal or the deletion, at once', async () => {
    for (let times = 0; times < 5; times++) {
      const partner = await aPartnerWith(shop, 30_000)
      const [asked, erased] = await Promise.all([
        requestPayout(shop, partner, aWithdrawal()),
        eraseAccount(shop, partner),
      ])
      expect([
        [201, 409],
        [401, 200],
      ]).toContainEqual([asked.status, erased.status])
    }
    expect(await checkBooks(shop)).toEqual([])
  })

  test('is in the books for six years after the last movement, and then nowhere', async () => {
    const [old, young, alive] = [
      await aPartnerWith(shop, 30_000),
      await aPartnerWith(shop, 30_000),
      await aPartnerWith(shop, 30_000),
    ]
    const request = aWithdrawal()
    await requestPayout(shop, old, request)
    await exported(shop)
    await resolveWithdrawal(shop, request.id, { status: 'paid', reference: null })
    await eraseAccount(shop, old)
    await eraseAccount(shop, young)
    const year = new Date().getUTCFullYear()
    // Only the clock can: the ledger refuses to be changed.
    const moveTo = (partnerId: string, at: string) =>
      shop.db.transaction().execute(async (trx) => {
        await sql`alter table ledger_transfers disable trigger ledger_is_append_only`.execute(trx)
        await sql`update ledger_transfers set created_at = ${at}::timestamptz
          where partner_id = ${partnerId}`.execute(trx)
        await sql`alter table ledger_transfers enable trigger ledger_is_append_only`.execute(trx)
      })
    await moveTo(old.id, `${year - 7}-12-31T12:00:00Z`)
    await moveTo(young.id, `${year - 6}-01-01T12:00:00Z`)
    await moveTo(alive.id, `${year - 9}-01-01T12:00:00Z`)
    const left = async (partnerId: string) => {
      const { rows } = await sql<{ count: string }>`
        select (select count(*) from ledger_transfers where partner_id = ${partnerId})
          + (select count(*) from earnings where partner_id = ${partnerId})
          + (select count(*) from withdrawals where partner_id = ${partnerId})
          + (select count(*) from partner_balances where partner_id = ${partnerId}) as count`.execute(shop.db)
      return Number(rows[0]?.count)
    }
    await hurry(shop, 'tidy-up')
    await until(async () => (await left(old.id)) === 0)
    expect(await left(young.id)).toBeGreaterThan(0)
    expect(await left(alive.id)).toBeGreaterThan(0)
    // What others have in the same file stays.
    const { rows: payouts } = await sql`select from payouts where withdrawal_id = ${request.id}`.execute(
      shop.db,
    )
    expect(payouts).toEqual([])
    expect(await checkBooks(shop)).toEqual([])
  })

  test('keeps getting nothing for what others pay later', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const buyer = await aCustomer(shop)
    await eraseAccount(shop, partner)
    const paid = { buyerId: buyer.id, partnerId: partner.id, amountMinor: 10_000 }
    const paymentId = await aPaidPayment(shop, paid)
    expect(await creditPartners(shop)).toEqual([])
    expect(await earningOf(shop, paymentId)).toBeUndefined()
    await endHolds(shop, partner.id)
    expect(await checkBooks(shop)).toEqual([])
  })
})
