import { type DayRange, daysOfMonth, daysOfQuarter, instantsOf, isDay } from '@hedgerow/domain/periods'
import { invalidField } from '#platform/http/problems.ts'

type Asked = Partial<Record<'from' | 'to' | 'month' | 'quarter', string | undefined>>

const EVER = { from: '2020-01-01', to: '2099-12-31' }

/** The days of London that were asked for, open at an end that was not named; undefined for none. Throws 'invalid'. */
const daysOf = ({ from, to, month, quarter }: Asked): DayRange | undefined => {
  if ([from ?? to, month, quarter].filter((one) => one !== undefined).length > 1)
    throw invalidField(month ? 'month' : 'quarter', 'Name the days, or a month, or a quarter.')
  if (month) return daysOfMonth(month)
  if (quarter) return daysOfQuarter(quarter)
  if (from === undefined && to === undefined) return undefined
  for (const [name, day] of Object.entries({ from, to }))
    if (day !== undefined && !isDay(day)) throw invalidField(name, 'There is no such day.')
  const range = { from: from ?? EVER.from, to: to ?? EVER.to }
  if (range.from > range.to) throw invalidField('to', 'The last day is before the first.')
  return range
}

/** The same, where all of it has to be named. */
export const wantedDays = (asked: Asked): DayRange => {
  const range = daysOf(asked)
  const lacks = asked.from === undefined ? 'from' : 'to'
  if (!range || range.from === EVER.from || range.to === EVER.to)
    throw invalidField(lacks, 'Name both days, or a month, or a quarter.')
  return range
}

/** The instants between which they lie. */
export const betweenDays = (asked: Asked) => {
  const range = daysOf(asked)
  return range && instantsOf(range)
}
