import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { onTestFinished } from 'vitest'
import { opsSettings, runOps } from '#testing/ops.ts'
import type { TestShop } from '#testing/test-shop.ts'
import { aPartnerWith, aWithdrawal, requestPayout } from '#testing/withdrawals.ts'

type Shop = Pick<TestShop, 'databaseUrl' | 'sandbox' | 'env'>

/** The account that partners are paid from. */
export const PAYER = {
  PAYOUT_IBAN: 'GB33 BUKB 2020 1555 5555 55',
  PAYOUT_BIC: 'BUKBGB22',
  PAYOUT_SORT_CODE: '00-11-22',
  PAYOUT_ACCOUNT: '00112233',
}

/** `ops withdrawal …` with all that it may need. */
export const opsWithdrawal = (shop: Shop, ...args: string[]) =>
  runOps(
    { ...opsSettings(shop), KEY_ENCRYPTION_KEY: shop.env.KEY_ENCRYPTION_KEY ?? '', ...PAYER },
    'withdrawal',
    ...args,
  )

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

/** What an export has written, with what it said as JSON. */
export const exported = async (shop: Shop, ...args: string[]) => {
  const path = join(await aFolder(), 'payouts')
  const said = await opsWithdrawal(shop, 'export', '--out', path, '--json', ...args)
  if (said.code !== 0) throw new Error(said.err)
  const { batch, file, count, sum, leftOut } = said.json
  return { batch, count, sum, leftOut, text: file ? await readFile(path, 'utf8') : undefined }
}

/** Under which reference a withdrawal stands in a file. */
export const referenceOf = async (shop: Shop, id: string): Promise<string> =>
  (await opsWithdrawal(shop, 'show', id, '--json')).json.payoutReference
