import { dayAfter, isoDay } from '@hedgerow/domain/dates'

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

const HALF_A_DAY_MS = 43_200_000

const beginsAt = (year: number, month: number): Date => dayAfter(new Date(Date.UTC(year, month, 1, 12)), 0)

/** '2026-11'; undefined for anything that is no month of this century. */
export const parseMonth = (typed: string): Month | undefined => {
  const [, years = '', months = ''] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(typed) ?? []
  if (!years) return undefined
  const [year, month] = [Number(years), Number(months) - 1]
  const [from, to] = [beginsAt(year, month), beginsAt(year, month + 1)]
  return {
    name: typed,
    year,
    from,
    to,
    firstDay: isoDay(from),
    lastDay: isoDay(new Date(to.getTime() - HALF_A_DAY_MS)),
  }
}

/** The year of an instant in London, as documents are numbered by it. */
export const londonYear = (at: Date): number => Number(isoDay(at).slice(0, 4))

export const isWithin = ({ from, to }: Pick<Month, 'from' | 'to'>, at: Date): boolean => at >= from && at < to
