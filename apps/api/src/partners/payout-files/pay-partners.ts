import { dayAfter, isoDay } from '@hedgerow/domain/dates'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { isDay } from '@hedgerow/domain/periods'
import type { AccountPart, RunningSetting } from '@hedgerow/domain/running-settings'
import {
  type ApprovePayouts,
  type Exported,
  exportPayouts,
  newBatchId,
  type PayoutBatch,
  type PayoutFile,
  rewriteBatch,
  SealedDetails,
} from '#partners/payout-files/payouts.service.ts'
import type { Payer } from '#platform/database/tables/payouts.table.ts'
import type { With } from '#platform/dependencies.ts'
import { listSetSettings } from '#platform/running-settings/running-settings.ts'
import { readAccountPart } from '#platform/settings/bank-account.ts'
import type { Settings } from '#platform/settings.ts'

/** Loaded where it is wanted: nothing else writes such files. */
const loadWriters = () => import('#partners/payout-files/payout-writers.ts')

/** Nothing was done: the settings, the columns or the key do not allow it. Told as it stands, without a full stop. */
export class CannotPay extends Error {
  override name = 'CannotPay'
}

/** Whose account pays. */
export type PaysFrom = Pick<
  Settings,
  'brand' | 'payoutIban' | 'payoutBic' | 'payoutSortCode' | 'payoutAccount'
>

/** What operators have set goes before what the program was started with; read anew, as the tool keeps nothing in mind. */
export const readPaysFrom = async ({ db, settings }: With<'db' | 'settings'>): Promise<PaysFrom> => {
  const set = new Map((await listSetSettings(db)).map(({ name, value }) => [name, value]))
  const textOf = (name: RunningSetting): string | undefined => {
    const value = set.get(name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    brand: settings.brand,
    payoutIban: textOf('payout-iban') ?? settings.payoutIban,
    payoutBic: textOf('payout-bic') ?? settings.payoutBic,
    payoutSortCode: textOf('payout-sort-code') ?? settings.payoutSortCode,
    payoutAccount: textOf('payout-account') ?? settings.payoutAccount,
  }
}

const missing = (setting: RunningSetting, what: string): never => {
  throw new CannotPay(`the setting ${setting} has no value: it is ${what} that partners are paid from`)
}

const plain = (part: AccountPart, typed: string): string => readAccountPart(part, typed) ?? typed

/** Of the account that pays, only what the file names has to be set. */
const payerFor = (currency: CurrencyCode, from: PaysFrom, namesPayer: boolean): Payer => {
  const { payoutIban, payoutBic } = from
  const name = from.brand.company.legalName
  if (currency === 'EUR')
    return {
      name,
      iban: plain('iban', payoutIban ?? missing('payout-iban', 'the IBAN')),
      ...(payoutBic ? { bic: plain('bic', payoutBic) } : {}),
    }
  if (!namesPayer) return { name }
  return {
    name,
    sortCode: plain('sort-code', from.payoutSortCode ?? missing('payout-sort-code', 'the sort code')),
    accountNumber: plain(
      'account-number',
      from.payoutAccount ?? missing('payout-account', 'the account number'),
    ),
  }
}

const LONGEST_AHEAD_DAYS = 90

/** What is wrong with a day on which a bank is to pay, YYYY-MM-DD; undefined where nothing is. */
export const payDayFault = (day: string): string | undefined => {
  const now = new Date()
  return !isDay(day) || day < isoDay(now) || day > isoDay(dayAfter(now, LONGEST_AHEAD_DAYS))
    ? `Expected a day like 2026-11-30, from today on and within ${LONGEST_AHEAD_DAYS} days.`
    : undefined
}

type Wanted = { currency: CurrencyCode; on?: string | undefined; columns?: string | undefined }

/** A batch with nothing in it yet. Throws CannotPay. */
export const newBatch = async (
  from: PaysFrom,
  { currency, on = isoDay(new Date()), columns }: Wanted,
): Promise<PayoutBatch> => {
  const { readList } = await loadWriters()
  if (columns !== undefined && currency !== 'GBP')
    throw new CannotPay('columns are for lists in pounds; euros are paid by a SEPA file')
  const list = currency === 'GBP' ? readList(columns ?? 'generic') : undefined
  if (list && 'fault' in list) throw new CannotPay(list.fault.replace(/\.$/, ''))
  return {
    id: newBatchId(),
    currency,
    kind: currency === 'EUR' ? 'sepa' : 'csv',
    executionDay: on,
    payer: payerFor(currency, from, list?.namesPayer ?? false),
    columns: list?.columns ?? null,
    createdAt: new Date(),
  }
}

const opening = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof SealedDetails ? new CannotPay(error.message.replace(/\.$/, '')) : error
  }
}

type Deps = With<'db' | 'keyCipher'>

/** Puts what waits in the batch. Throws CannotPay. */
export const fillBatch = async (
  deps: Deps,
  batch: PayoutBatch,
  how: { mayOwe: boolean; approve?: ApprovePayouts },
): Promise<Exported> => {
  const { writerFor } = await loadWriters()
  return opening(exportPayouts(deps, batch, writerFor(batch), how))
}

/** The file of a batch again; 'changed' where something came of it since. Throws CannotPay. */
export const fileOfBatch = async (deps: Deps, batch: PayoutBatch): Promise<PayoutFile | 'changed'> => {
  const { writerFor } = await loadWriters()
  return opening(rewriteBatch(deps, batch, writerFor(batch)))
}
