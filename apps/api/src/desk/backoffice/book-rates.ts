import { isoDay } from '@hedgerow/domain/dates'
import { formatRate } from '@hedgerow/domain/exchange'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import type { Db } from '#platform/database/client.ts'
import {
  findFarRate,
  type NewRate,
  type RateKind,
  type RateSet,
  setAccountingRate,
} from '#sales/invoices/set-accounting-rate.ts'

/** What a kind of the books' rates is of, and how one is told. */
export const BOOK_RATES = {
  sterling: {
    currency: 'EUR',
    sentence: ({ currency, day, rateMicro }: NewRate) =>
      `£1 is ${formatRate(rateMicro)} ${currency} in the books of ${monthOf(day)}`,
    period: (day: string) => monthOf(day),
  },
  ecb: {
    currency: 'GBP',
    sentence: ({ currency, day, rateMicro }: NewRate) =>
      `€1 is ${formatRate(rateMicro)} ${currency} on ${day}`,
    period: (day: string) => day,
  },
} as const satisfies Readonly<Record<RateKind, unknown>>

/** Why a rate cannot be known yet; undefined where it can. */
export const futureFault = (kind: RateKind, { day }: NewRate): string | undefined => {
  const today = isoDay(new Date())
  const isTooFar = kind === 'sterling' ? monthOf(day) > addMonths(monthOf(today), 1) : day > today
  if (!isTooFar) return undefined
  return kind === 'sterling'
    ? `${monthOf(day)} is more than a month ahead: HMRC has published no rate of it yet.`
    : `${day} is still to come: the European Central Bank publishes its rate on that day, in the afternoon.`
}

/** What may be a slip of the hand: it is more than a tenth away from the rate next to it. Undefined where it is not. */
export const farFrom = async (db: Db, kind: RateKind, rate: NewRate): Promise<string | undefined> => {
  const far = await findFarRate(db, kind, rate)
  return (
    far &&
    `It is more than a tenth away from the rate next to it, ${formatRate(far.rateMicro)} of ${BOOK_RATES[kind].period(far.day)}.`
  )
}

export type RefusedRate = { rate: NewRate; isThere: string; isUsed: boolean }

/** One of several rates cannot be set, and none was. */
export class RateRefused extends Error {
  override name = 'RateRefused'
  readonly refused: RefusedRate
  constructor(refused: RefusedRate) {
    super('a rate cannot be set')
    this.refused = refused
  }
}

export type SetRate = { rate: NewRate; outcome: Exclude<RateSet, { kind: 'refused' }> }

/** All of them, or none. Throws RateRefused. */
export const setBookRates = (
  db: Db,
  kind: RateKind,
  rates: readonly NewRate[],
  mayCorrect: boolean,
): Promise<SetRate[]> =>
  db.transaction().execute(async (trx) => {
    const outcomes: SetRate[] = []
    for (const rate of rates) {
      const outcome = await setAccountingRate(trx, kind, rate, { mayCorrect })
      if (outcome.kind === 'refused')
        throw new RateRefused({
          rate,
          isThere: BOOK_RATES[kind].sentence({ ...rate, rateMicro: outcome.isMicro }),
          isUsed: outcome.isUsed,
        })
      outcomes.push({ rate, outcome })
    }
    return outcomes
  })
