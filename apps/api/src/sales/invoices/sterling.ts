import { isoDay } from '@hedgerow/domain/dates'
import { convertBack } from '@hedgerow/domain/exchange'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import type { TaxedSums } from '@hedgerow/domain/vat'
import type { Db } from '#platform/database/client.ts'
import type { SterlingSums } from '#platform/database/tables/invoices.table.ts'
import {
  type AccountingRate,
  countMissingSterling,
  insertAccountingRate,
  listAccountingRates,
} from '#sales/invoices/accounting-rates.queries.ts'

export { type AccountingRate, countMissingSterling, insertAccountingRate, listAccountingRates }

/** What one pound is worth, by currency, the oldest first. */
export type SterlingRates = ReadonlyMap<string, readonly AccountingRate[]>

export const readSterlingRates = async (db: Db): Promise<SterlingRates> =>
  Map.groupBy(await listAccountingRates(db, 'sterling'), ({ currency }) => currency)

/**
 * The rate that holds on a day, 'YYYY-MM-DD': HMRC's of that month, or else the last one before it, so that no customer waits
 * for an invoice. The rate's own day tells which.
 */
export const sterlingRateOn = (
  rates: SterlingRates,
  currency: string,
  day: string,
): AccountingRate | undefined => rates.get(currency)?.findLast((rate) => rate.day <= day)

/** Sums at a rate: net and VAT each half up, and their total. */
export const convertSums = (
  { netMinor, vatMinor }: Omit<TaxedSums, 'totalMinor'>,
  { rateMicro, day }: Pick<AccountingRate, 'rateMicro' | 'day'>,
): SterlingSums => {
  const [net, vat] = [convertBack(netMinor, rateMicro), convertBack(vatMinor, rateMicro)]
  return { netMinor: net, vatMinor: vat, totalMinor: net + vat, rateMicro, rateDay: day }
}

/** Undefined for what is in pounds already, and where no rate was ever set. */
export const inSterling = (
  sums: TaxedSums,
  currency: CurrencyCode,
  rates: SterlingRates,
  day: string,
): SterlingSums | undefined => {
  if (currency === 'GBP') return undefined
  const rate = sterlingRateOn(rates, currency, day)
  return rate && convertSums(sums, rate)
}

/** What the sandbox's sales in euros are booked at: from long ago, this month and the next. */
export const seedDemonstrationSterling = async (db: Db): Promise<void> => {
  const month = monthOf(isoDay(new Date()))
  for (const one of ['2026-01', month, addMonths(month, 1)])
    await insertAccountingRate(db, 'sterling', { currency: 'EUR', day: `${one}-01`, rateMicro: 1_150_000 })
}
