import { londonDayBegins } from './dates.ts'

/** Days are '2026-11-21', months '2026-11' and quarters of the calendar '2026-Q4', all of London. */
export type DayRange = {
  from: string
  /** Within it. */
  to: string
}

const DAY = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const MONTH = /^20\d\d-(?:0[1-9]|1[0-2])$/
const QUARTER = /^20\d\d-Q[1-4]$/

/** A day that its month has. */
export const isDay = (text: string): boolean =>
  DAY.test(text) && new Date(`${text}T12:00:00Z`).toISOString().startsWith(text)
export const isMonth = (text: string): boolean => MONTH.test(text)
export const isQuarter = (text: string): boolean => QUARTER.test(text)

const dayOf = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

const partsOf = (day: string) => {
  const [year = 0, month = 0, of = 0] = day.split('-').map(Number)
  return { year, month: month - 1, day: of }
}

/** The day so many days later, or earlier. */
export const addDays = (day: string, days: number): string => {
  const at = partsOf(day)
  return dayOf(at.year, at.month, at.day + days)
}

export const monthOf = (day: string): string => day.slice(0, 7)

/** The month so many months later, or earlier. */
export const addMonths = (month: string, months: number): string => {
  const at = partsOf(`${month}-01`)
  return monthOf(dayOf(at.year, at.month + months, 1))
}

export const daysOfMonth = (month: string): DayRange => ({
  from: `${month}-01`,
  to: addDays(`${addMonths(month, 1)}-01`, -1),
})

export const quarterOf = (day: string): string => {
  const { year, month } = partsOf(day)
  return `${year}-Q${Math.floor(month / 3) + 1}`
}

export const daysOfQuarter = (quarter: string): DayRange => {
  const first = `${quarter.slice(0, 4)}-${String(Number(quarter.slice(6)) * 3 - 2).padStart(2, '0')}`
  return { from: `${first}-01`, to: daysOfMonth(addMonths(first, 2)).to }
}

/** The instants between which a range lies; the second is the first one after it. */
export const instantsOf = ({ from, to }: DayRange): { begins: Date; ends: Date } => ({
  begins: londonDayBegins(from),
  ends: londonDayBegins(addDays(to, 1)),
})
