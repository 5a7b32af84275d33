const DATE_TIME = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'Europe/London',
})

/** 21/11/2026 14:05, in London's time (spec §1: dd/MM/y, HH:mm). */
export const formatDateTime = (date: Date): string => DATE_TIME.format(date).replace(', ', ' ')

/** 21/11/2026, in London. */
export const formatDate = (date: Date): string => formatDateTime(date).slice(0, 10)

export const DAY_MS = 86_400_000

export const daysAfter = (date: Date, days: number): Date => new Date(date.getTime() + days * DAY_MS)
