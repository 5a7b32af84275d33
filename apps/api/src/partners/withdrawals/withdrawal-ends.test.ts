import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { balanceOf } from '#testing/partners.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import {
  aPartnerWith,
  aWithdrawal,
  requestPayout,
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
    expect(ended.filter((one) => one?.isDone)).toHaveLength(1)
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
    expect(ended.filter((one) => one?.isDone)).toHaveLength(1)
    const { available, paid } = await balanceOf(shop, partner)
    expect([available, paid]).toEqual(ended[0]?.isDone ? [50, 250] : [300, 0])
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
})
