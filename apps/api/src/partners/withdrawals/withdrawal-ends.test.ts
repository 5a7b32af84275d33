import { randomUUID } from 'node:crypto'
import { withdrawalRefusalText } from '@hedgerow/domain/withdrawal-refusals'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listPartnersOwing } from '#partners/earnings/earnings.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { getWithdrawalReport, resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { anEarning, balanceOf } from '#testing/partners.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import {
  aPartnerWith,
  aWithdrawal,
  requestPayout,
  takeBackEarnings,
  withdrawalRow,
  withdrawalsOf,
} from '#testing/withdrawals.ts'

const shop = shopOfFile()

describe('a withdrawal that ends', () => {
  test('is paid once, and the partner is mailed once', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const request = aWithdrawal()
    await requestPayout(shop, partner, request)
    const ending = { status: 'paid', reference: 'HEDGE 12' } as const
    const ended = await Promise.all(
      Array.from({ length: 5 }, () => resolveWithdrawal(shop, request.id, ending)),
    )
    expect(ended.filter((one) => one?.kind === 'recorded')).toHaveLength(1)
    expect(await balanceOf(shop, partner)).toEqual({ available: 50, pending: 0, requested: 0, paid: 250 })
    expect(await withdrawalsOf(shop, partner)).toMatchObject([
      { status: 'paid', reference: 'HEDGE 12', reason: null },
    ])
    const mail = await mailbox(shop).latest(partner.email, 'We have paid you €250.00')
    expect(mail.text).toContain('HEDGE 12')
    expect(mail.text).toContain('/profile?tab=partnership')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(partner.email, 'We have paid')).toHaveLength(1)
  })

  test('cannot be both paid and refused, by two operators at once', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const request = aWithdrawal()
    await requestPayout(shop, partner, request)
    const ended = await Promise.all([
      resolveWithdrawal(shop, request.id, { status: 'paid', reference: null }),
      resolveWithdrawal(shop, request.id, { status: 'refused', reason: 'No such account.' }),
    ])
    expect(ended.filter((one) => one?.kind === 'recorded')).toHaveLength(1)
    const { available, paid } = await balanceOf(shop, partner)
    expect([available, paid]).toEqual(ended[0]?.kind === 'recorded' ? [50, 250] : [300, 0])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(partner.email, 'We ')).toHaveLength(1)
    expect(await checkBooks(shop)).toEqual([])
  })

  test('refused, it is available again, and its reason is shown as plain text', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const request = aWithdrawal()
    await requestPayout(shop, partner, request)
    const reason = '<b>The bank</b> knows no such account.'
    await resolveWithdrawal(shop, request.id, { status: 'refused', reason })
    expect(await balanceOf(shop, partner)).toEqual({ available: 300, pending: 0, requested: 0, paid: 0 })
    expect(await withdrawalsOf(shop, partner)).toMatchObject([{ status: 'refused', reason }])
    const mail = await mailbox(shop).latest(partner.email, 'We could not pay you €250.00')
    expect(mail.text).toContain(`> ${reason}`)
    expect(mail.html).toContain('&lt;b&gt;The bank&lt;/b&gt;')
  })

  test('loses its bank account 90 days later, and no sooner', async () => {
    const partner = await aPartnerWith(shop, 90_000)
    const [old, young, open] = [aWithdrawal(), aWithdrawal(), aWithdrawal()]
    for (const request of [old, young, open]) await requestPayout(shop, partner, request)
    for (const { id } of [old, young]) await resolveWithdrawal(shop, id, { status: 'paid', reference: null })
    const daysAgo = (id: string, days: number) =>
      sql`update withdrawals set created_at = now() - make_interval(days => ${days} + 1),
        ended_at = case when ended_at is not null then now() - make_interval(days => ${days}) end
        where id = ${id}`.execute(shop.db)
    await daysAgo(old.id, 91)
    await daysAgo(young.id, 89)
    await daysAgo(open.id, 400)
    await hurry(shop, 'tidy-up')
    await until(async () => (await withdrawalRow(shop, old.id)).details_encrypted === null)
    expect((await withdrawalRow(shop, young.id)).details_encrypted).not.toBeNull()
    expect((await withdrawalRow(shop, open.id)).details_encrypted).not.toBeNull()
    expect(await withdrawalsOf(shop, partner)).toHaveLength(3)
  })

  test('is ended in other words once only, and says which are kept', async () => {
    const partner = await aPartnerWith(shop, 30_000)
    const { id } = await anAsked(partner)
    const paid = (reference: string | null) => resolveWithdrawal(shop, id, { status: 'paid', reference })
    await paid('HEDGE 77')
    expect(await paid(null)).toMatchObject({ kind: 'known' })
    expect(await paid('HEDGE 77')).toMatchObject({ kind: 'known' })
    expect(await paid('HEDGE 78')).toMatchObject({
      kind: 'refused',
      why: { code: 'ended-in-other-words', status: 'paid', kept: 'HEDGE 77' },
    })
    expect(await resolveWithdrawal(shop, id, { status: 'refused', reason: 'Too late' })).toMatchObject({
      kind: 'refused',
      why: { code: 'ended', status: 'paid' },
    })
    expect(await resolveWithdrawal(shop, randomUUID(), { status: 'paid', reference: null })).toBeUndefined()
  })
})

const anAsked = async (partner: { token: string }, given: object = {}) => {
  const request = aWithdrawal(given)
  await requestPayout(shop, partner, request)
  return request
}

describe('a withdrawal of which later refunds want something back', () => {
  const paid = (id: string, mayOwe: boolean) =>
    resolveWithdrawal(shop, id, { status: 'paid', reference: null }, { mayOwe })

  /** 275.50 of 300.00 pounds are asked for, and the earning is taken back: 24.50 were there to be taken. */
  const anOwing = async () => {
    const partner = await aPartnerWith(shop, 30_000, 'GBP')
    const { id } = await anAsked(partner, { currency: 'GBP', amount: 275.5, iban: 'GB33BUKB20201555555555' })
    await takeBackEarnings(shop, partner.id, 'GBP')
    return { partner, id }
  }
  const owingOf = async (id: string) => (await getWithdrawalReport(shop, id))?.owing_minor

  test('is paid only when that is meant', async () => {
    const { partner, id } = await anOwing()
    expect(await owingOf(id)).toBe(27_550)
    const refused = { code: 'owes', owingMinor: 27_550, amountMinor: 27_550, currency: 'GBP' } as const
    expect(await paid(id, false)).toEqual({ kind: 'refused', why: refused })
    expect(withdrawalRefusalText(refused)).toMatch(
      /^Nothing was done: the partner owes £275\.50 back .*: as much as this withdrawal, or more\./,
    )
    expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ requested: 275.5, paid: 0 })
    expect(await paid(id, true)).toMatchObject({ kind: 'recorded' })
    expect(await paid(id, false)).toMatchObject({ kind: 'known' })
  })

  test('asks for nothing in another currency', async () => {
    const partner = await aPartnerWith(shop, 30_000, 'GBP')
    const { id } = await anAsked(partner, { currency: 'GBP', amount: 275.5, iban: 'GB33BUKB20201555555555' })
    await anEarning(shop, partner.id, 30_000, 'EUR')
    const inEuros = await anAsked(partner, { amount: 300 })
    await takeBackEarnings(shop, partner.id, 'EUR')
    expect([await owingOf(inEuros.id), await owingOf(id)]).toEqual([30_000, 0])
  })

  test('paid all the same, leaves it owed until it is taken from what is earned next', async () => {
    const { partner, id } = await anOwing()
    await paid(id, true)
    expect((await checkBooks(shop)).filter(({ partner_id }) => partner_id === partner.id)).toEqual([])
    const owes = async () => (await listPartnersOwing(shop.db)).filter((one) => one.id === partner.id)
    expect(await owes()).toMatchObject([{ currency: 'GBP', owing_minor: 27_550 }])
    await anEarning(shop, partner.id, 30_000, 'GBP')
    expect(await owes()).toEqual([])
    expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ available: 24.5, paid: 275.5 })
  })

  test('refused, pays it first', async () => {
    const { partner, id } = await anOwing()
    await resolveWithdrawal(shop, id, { status: 'refused', reason: 'Refunded' })
    expect(await balanceOf(shop, partner, 'GBP')).toMatchObject({ available: 0, requested: 0, paid: 0 })
    expect(await owingOf(id)).toBe(0)
  })
})
