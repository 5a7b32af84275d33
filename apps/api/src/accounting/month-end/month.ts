import { isoDay } from '@hedgerow/domain/dates'
import { daysOfMonth, instantsOf, isMonth } from '@hedgerow/domain/periods'

/** A month of the books, from its first instant in London up to the first of the next. */
export type Month = {
  /** '2026-11' */
  name: string
  year: number
  from: Date
  /** Not included. */
  to: Date
  /** 'YYYY-MM-DD', both included. */
  firstDay: string
  lastDay: string
}

/** '2026-11'; undefined for anything that is no month of this century. */
export const parseMonth = (typed: string): Month | undefined => {
  if (!isMonth(typed)) return undefined
  const days = daysOfMonth(typed)
  const { begins, ends } = instantsOf(days)
  return {
    ...{ name: typed, year: Number(typed.slice(0, 4)), from: begins, to: ends },
    ...{ firstDay: days.from, lastDay: days.to },
  }
}

/** The year of an instant in London, as documents are numbered by it. */
export const londonYear = (at: Date): number => Number(isoDay(at).slice(0, 4))

export const isWithin = ({ from, to }: Pick<Month, 'from' | 'to'>, at: Date): boolean => at >= from && at < to
