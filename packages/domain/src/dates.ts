const FORM = {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const
const DATE_TIME = new Intl.DateTimeFormat('en-GB', { ...FORM, timeZone: 'Europe/London' })
const LOCAL_DATE_TIME = new Intl.DateTimeFormat('en-GB', FORM)

/** 21/11/2026 14:05, in London's time (spec §1: dd/MM/y, HH:mm). */
export const formatDateTime = (date: Date): string => DATE_TIME.format(date).replace(', ', ' ')

/** 21/11/2026, in London. */
export const formatDate = (date: Date): string => formatDateTime(date).slice(0, 10)

/** 21/11/2026 14:05 (UK time), in what the server writes: it does not know where that is read. */
export const formatUkTime = (date: Date): string => `${formatDateTime(date)} (UK time)`

/** 21/11/2026 14:05, by the clock of whoever has the page open. */
export const formatLocalTime = (date: Date): string => LOCAL_DATE_TIME.format(date).replace(', ', ' ')

/** 21/11/2026, where the page is open. */
export const formatLocalDay = (date: Date): string => formatLocalTime(date).slice(0, 10)

/** '2026-11-21', in London: the day that books and rates go by. */
export const isoDay = (date: Date): string => formatDate(date).split('/').reverse().join('-')

export const isoOrNull = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

export const DAY_MS = 86_400_000

export const daysAfter = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)

/** When a day begins in London; no clock is changed there at midnight. */
const dayBegins = (year: number, month: number, day: number): Date => {
  const inWinter = new Date(Date.UTC(year, month, day))
  return formatDateTime(inWinter).endsWith('00:00') ? inWinter : new Date(inWinter.getTime() - 3_600_000)
}

/** When a day, '2026-11-21', begins in London. */
export const londonDayBegins = (day: string): Date => {
  const [year = 0, month = 0, of = 0] = day.split('-').map(Number)
  return dayBegins(year, month - 1, of)
}

/** The day of an instant in London; January is the first month. */
const londonDay = (at: Date) => {
  const [day = 0, month = 0, year = 0] = formatDate(at).split('/').map(Number)
  return { day, month, year }
}

/** When the day so many days after that of an instant begins in London. */
export const dayAfter = (at: Date, days: number): Date => {
  const { day, month, year } = londonDay(at)
  return dayBegins(year, month - 1, day + days)
}

/** When the day, the week (Monday first) and the month of an instant began in London. */
export const londonPeriods = (now: Date): { today: Date; week: Date; month: Date } => {
  const { day, month, year } = londonDay(now)
  const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  return {
    today: dayBegins(year, month - 1, day),
    week: dayBegins(year, month - 1, day - sinceMonday),
    month: dayBegins(year, month - 1, 1),
  }
}
