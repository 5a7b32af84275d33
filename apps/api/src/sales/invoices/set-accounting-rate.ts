import { isFarFrom } from '@hedgerow/domain/exchange'
import type { Db, Trx } from '#platform/database/client.ts'
import type { AccountingRatesTable } from '#platform/database/tables/invoices.table.ts'
import {
  type AccountingRate,
  insertAccountingRate,
  isWrittenWith,
  listAccountingRates,
  replaceAccountingRate,
} from '#sales/invoices/accounting-rates.queries.ts'

export type RateKind = AccountingRatesTable['kind']
export type NewRate = Omit<AccountingRate, 'setAt'>

export type RateSet =
  | { kind: 'set' }
  /** It was this one already. */
  | { kind: 'known' }
  | { kind: 'corrected'; wasMicro: number }
  /** Another one is there. `isUsed`: an invoice was written with it, so that it stays for good. */
  | { kind: 'refused'; isMicro: number; isUsed: boolean }

const find = async (db: Db, kind: RateKind, { currency, day }: Pick<NewRate, 'currency' | 'day'>) =>
  (await listAccountingRates(db, kind)).find((rate) => rate.currency === currency && rate.day === day)

/**
 * What a currency is worth in the books from a day on. One that is there stays, unless `mayCorrect` and no invoice was
 * written with it: what the European Central Bank's are used for is not kept here, so those may always be corrected.
 */
export const setAccountingRate = async (
  trx: Trx,
  kind: RateKind,
  rate: NewRate,
  { mayCorrect = false }: { mayCorrect?: boolean | undefined } = {},
): Promise<RateSet> => {
  if (await insertAccountingRate(trx, kind, rate)) return { kind: 'set' }
  if ((await find(trx, kind, rate))?.rateMicro === rate.rateMicro) return { kind: 'known' }
  const isUsed = kind === 'sterling' && (await isWrittenWith(trx, rate))
  // Asked again: another operator may have corrected it meanwhile.
  const isMicro = (await find(trx, kind, rate))?.rateMicro ?? 0
  if (isUsed || !mayCorrect) return { kind: 'refused', isMicro, isUsed }
  await replaceAccountingRate(trx, kind, rate)
  return { kind: 'corrected', wasMicro: isMicro }
}

/**
 * The rate next to it, where it is more than a tenth away from that: the last one before its day, or else the first one
 * after it.
 */
export const findFarRate = async (
  db: Db,
  kind: RateKind,
  { currency, day, rateMicro }: NewRate,
): Promise<AccountingRate | undefined> => {
  const rates = (await listAccountingRates(db, kind)).filter((rate) => rate.currency === currency)
  const near = rates.findLast((rate) => rate.day < day) ?? rates.find((rate) => rate.day > day)
  return near && isFarFrom(rateMicro, near.rateMicro) ? near : undefined
}
