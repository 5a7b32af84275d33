import { isoDay } from '@hedgerow/domain/dates'
import { isFarFrom } from '@hedgerow/domain/exchange'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import { type RateRefusal, rateWhen } from '@hedgerow/domain/rate-refusals'
import type { Db, Trx } from '#platform/database/client.ts'
import type { AccountingRatesTable } from '#platform/database/tables/invoices.table.ts'
import type { With } from '#platform/dependencies.ts'
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
const findFarRate = async (
  db: Db,
  kind: RateKind,
  { currency, day, rateMicro }: NewRate,
): Promise<AccountingRate | undefined> => {
  const rates = (await listAccountingRates(db, kind)).filter((rate) => rate.currency === currency)
  const near = rates.findLast((rate) => rate.day < day) ?? rates.find((rate) => rate.day > day)
  return near && isFarFrom(rateMicro, near.rateMicro) ? near : undefined
}

export const BOOK_CURRENCIES = { sterling: 'EUR', ecb: 'GBP' } as const satisfies Record<RateKind, string>

const isPublished = (kind: RateKind, day: string): boolean => {
  const today = isoDay(new Date())
  return kind === 'sterling' ? monthOf(day) <= addMonths(monthOf(today), 1) : day <= today
}

/** `isMeant`: it may be far from the one beside. `correct`: it may replace one that is there. */
export type SetRates = { isMeant: boolean; correct: boolean }

/** Rolls back those that were set before it. */
class Refused extends Error {
  readonly refusal: RateRefusal
  constructor(refusal: RateRefusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}

const setOne = async (trx: Trx, kind: RateKind, rate: NewRate, { isMeant, correct }: SetRates) => {
  const { day, rateMicro } = rate
  if (!isPublished(kind, day)) throw new Refused({ code: 'not-published', kind, day })
  const far = isMeant ? undefined : await findFarRate(trx, kind, rate)
  if (far) throw new Refused({ code: 'far', rateMicro, from: far.rateMicro, of: rateWhen(kind, far.day) })
  const outcome = await setAccountingRate(trx, kind, rate, { mayCorrect: correct })
  if (outcome.kind !== 'refused') return outcome
  const code = outcome.isUsed ? 'used' : 'set-before'
  throw new Refused({ code, kind, rate: { ...rate, rateMicro: outcome.isMicro } })
}

/** All of them, or none. */
export const setBookRates = async (
  { db }: With<'db'>,
  kind: RateKind,
  rates: readonly NewRate[],
  options: SetRates,
): Promise<Exclude<RateSet, { kind: 'refused' }>[] | RateRefusal> => {
  try {
    return await db.transaction().execute(async (trx) => {
      const outcomes = []
      for (const rate of rates) outcomes.push(await setOne(trx, kind, rate, options))
      return outcomes
    })
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}
