import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { onTestFinished } from 'vitest'
import { fillBatch, newBatch } from '#partners/payout-files/pay-partners.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import type { TestShop } from '#testing/test-shop.ts'
import { aPartnerWith, aWithdrawal, requestPayout } from '#testing/withdrawals.ts'

/** The account that partners are paid from. */
export const PAYER = {
  PAYOUT_IBAN: 'GB33 BUKB 2020 1555 5555 55',
  PAYOUT_BIC: 'BUKBGB22',
  PAYOUT_SORT_CODE: '00-11-22',
  PAYOUT_ACCOUNT: '00112233',
}

/** Where a file can be written, until the test ends. */
export const aFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-payouts-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A partner who requests 250.00, unless set otherwise; and what was asked for. */
export const anAsked = async (shop: TestShop, given: object = {}, currency: CurrencyCode = 'EUR') => {
  const partner = await aPartnerWith(shop, 30_000, currency)
  const request = aWithdrawal({ currency, ...given })
  const reply = await requestPayout(shop, partner, request)
  if (reply.status !== 201) throw new Error(reply.text)
  return { partner, id: request.id }
}

/** Puts what waits in a file for the bank. */
export const exported = async (shop: TestShop, currency: CurrencyCode = 'EUR') => {
  const payer = {
    brand: shop.settings.brand,
    payoutIban: PAYER.PAYOUT_IBAN,
    payoutBic: PAYER.PAYOUT_BIC,
    payoutSortCode: PAYER.PAYOUT_SORT_CODE,
    payoutAccount: PAYER.PAYOUT_ACCOUNT,
  }
  const keyCipher = createKeyCipher(shop.settings.keyEncryptionKey)
  const batch = await newBatch(payer, { currency })
  return { batch, ...(await fillBatch({ db: shop.db, keyCipher }, batch, { mayOwe: false })) }
}

/** Under which reference a withdrawal stands in a file. */
export const referenceOf = async ({ db }: Pick<TestShop, 'db'>, id: string): Promise<string> =>
  (
    await db
      .selectFrom('payouts')
      .select('reference')
      .where('withdrawal_id', '=', id)
      .where('released_at', 'is', null)
      .executeTakeFirstOrThrow()
  ).reference
