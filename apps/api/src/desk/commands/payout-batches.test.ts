import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { beforeEach, describe, expect, test } from 'vitest'
import { applyRefundUpdates } from '#money/refunds/refunds.service.ts'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { sumPaidOut } from '#partners/payout-files/payouts.service.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { balanceOf } from '#testing/partners.ts'
import { paymentRow } from '#testing/payments.ts'
import { anAsked, exported, opsWithdrawal, referenceOf } from '#testing/payouts.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const withdrawal = (...args: string[]) => opsWithdrawal(shop, ...args)
const inFile = (text: string | undefined, reference: string) => text?.includes(reference) ?? false

/** What other tests of the file have left waiting. */
beforeEach(() => exported(shop, '--currency', 'EUR'))

describe('a withdrawal in a batch', () => {
  test('is not refused, as the bank may pay it, until it is released', async () => {
    const { id, partner } = await anAsked(shop)
    const { batch } = await exported(shop, '--currency', 'EUR')
    const refused = await withdrawal('refuse', id, '--reason', 'No such account.', '--yes')
    expect([refused.code, refused.out]).toEqual([1, ''])
    expect(refused.err).toBe(
      `Nothing was done. The withdrawal stands in batch ${batch}, which the bank may pay. Once you know that it does not: withdrawal release ${id}\n`,
    )
    expect(await balanceOf(shop, partner)).toMatchObject({ available: 50, requested: 250 })
    const no = await runOpsAtTerminal(opsSettings(shop), 'n\n', 'withdrawal', 'release', id)
    expect(no.out).toContain(`out of batch ${batch}?`)
    expect(no.out).toContain('would be paid twice')
    expect(no.code).toBe(1)
    expect((await withdrawal('release', id, '--yes')).out).toMatch(/^Taken out of batch B/)
    const again = await withdrawal('release', id, '--yes')
    expect([again.code, again.out]).toEqual([0, 'Nothing was done: it stands in no batch.\n'])
    expect((await withdrawal('refuse', id, '--reason', 'No such account.', '--yes')).code).toBe(0)
    expect(await balanceOf(shop, partner)).toMatchObject({ available: 300, requested: 0 })
    expect((await withdrawal('release', id, '--yes')).err).toBe('Nothing was done: it is refused.\n')
    expect(await checkBooks(shop)).toEqual([])
  })

  test('released, is in the next file under another reference, and its old file is not written again', async () => {
    const [released, stays] = [await anAsked(shop), await anAsked(shop)]
    const first = await exported(shop, '--currency', 'EUR')
    const [old, other] = [await referenceOf(shop, released.id), await referenceOf(shop, stays.id)]
    await withdrawal('release', released.id, '--yes')
    await expect(exported(shop, '--batch', first.batch)).rejects.toThrow(/would pay that again/)
    const second = await exported(shop, '--currency', 'EUR')
    const anew = await referenceOf(shop, released.id)
    expect(anew).not.toBe(old)
    expect([old, other, anew].map((one) => inFile(second.text, one))).toEqual([false, false, true])
    const { json } = await withdrawal('batches', first.batch, '--json')
    expect(json.payouts).toMatchObject([
      { reference: old, withdrawal: released.id, releasedBecause: 'operator' },
      { reference: other, withdrawal: stays.id, status: 'requested', releasedAt: null },
    ])
    const all = await withdrawal('release', '--batch', second.batch, '--yes')
    expect(all.out).toBe(
      `1 taken out of batch ${second.batch}. They are in the next export under other references.\n`,
    )
    const { out } = await withdrawal('batches')
    expect(out).toMatch(/^BATCH +MADE +FOR +WITHDRAWALS +SUM +WAITING +PAID +RELEASED\n/)
    expect(out).toMatch(new RegExp(`${first.batch} .* 2 +€500\\.00 +1 +0 +1\\n`))
    expect(out).toMatch(new RegExp(`${second.batch} .* 1 +€250\\.00 +0 +0 +1\\n`))
    expect((await withdrawal('release', released.id, '--batch', second.batch)).err).toMatch(
      /^Say one of them/,
    )
    expect((await withdrawal('batches', 'B2AAAAAAAA')).err).toBe('There is no batch B2AAAAAAAA.\n')
  })

  test('paid by hand, is called what the bank calls it', async () => {
    const { id, partner } = await anAsked(shop)
    await exported(shop, '--currency', 'EUR')
    const reference = await referenceOf(shop, id)
    const from = new Date()
    await withdrawal('paid', id, '--yes')
    const mail = await mailbox(shop).latest(partner.email, 'We have paid you €250.00')
    expect(mail.text).toContain(`Its reference is ${reference}.`)
    const shown = await withdrawal('show', id)
    expect(shown.out).toMatch(new RegExp(`Batch +B\\w{9}, there called ${reference}\\n`))
    expect(await sumPaidOut(shop, from, new Date(Date.now() + 1000))).toEqual([
      { currency: 'EUR', count: 1, paidMinor: 25_000, ledgerMinor: 25_000 },
    ])
    expect(await sumPaidOut(shop, from, from)).toEqual([])
  })

  test('keeps its partner’s account, which nobody can erase before it has ended', async () => {
    const { partner, id } = await anAsked(shop)
    await exported(shop, '--currency', 'EUR')
    const erased = await runOps(opsSettings(shop), 'customer', 'erase', partner.email, '--yes')
    expect([erased.code, erased.out]).toEqual([1, ''])
    expect(erased.err).toContain('A withdrawal of this account is waiting.')
    await withdrawal('paid', id, '--yes')
    expect((await runOps(opsSettings(shop), 'customer', 'erase', partner.email, '--yes')).code).toBe(0)
    const { json } = await withdrawal('batches', '--json')
    const { out } = await withdrawal('batches', json.batches[0].batch)
    expect(out).toContain('(account deleted)')
  })

  test('is not exported while its partner owes money back, unless the operator says so', async () => {
    const { id, partner } = await anAsked(shop, { amount: 300 })
    const { payment_id } = await shop.db
      .selectFrom('earnings')
      .select('payment_id')
      .where('partner_id', '=', partner.id)
      .executeTakeFirstOrThrow()
    const { charged_minor, charged_currency } = await paymentRow(shop, payment_id)
    const update = { requestId: undefined, refundId: undefined, status: 'success' as const, code: '0' }
    const sum = { amountMinor: charged_minor, currency: charged_currency, operationId: randomUUID() }
    expect(await applyRefundUpdates(shop, payment_id, [{ ...update, ...sum }])).toBe(true)
    const careful = await exported(shop, '--currency', 'EUR')
    expect(careful.leftOut).toEqual([
      { withdrawal: id, amount: '300.00', currency: 'EUR', owing: expect.any(String), why: 'owes' },
    ])
    expect(careful.batch).toBeNull()
    const bold = await exported(shop, '--currency', 'EUR', '--although')
    expect([bold.count, bold.sum]).toEqual([1, '300.00'])
  })
})
