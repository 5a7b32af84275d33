import { type ChargedCurrency, formatCharged } from '@hedgerow/domain/exchange'
import { formatMinor } from '@hedgerow/domain/money'

type Sum = { minor: number; currency: string }

const KNOWN = new Set(['EUR', 'GBP', 'PLN'])

const grouped = (text: string): string =>
  text.replace(/\d{4,15}(?=\.)/, (whole) => Number(whole).toLocaleString('en-GB'))

/** A sum as the shop writes it, with thousands apart; of a currency that the shop does not sell in, by its code. */
export const sumText = ({ minor, currency }: Sum): string =>
  grouped(
    KNOWN.has(currency)
      ? formatCharged(minor, currency as ChargedCurrency)
      : `${formatMinor(minor)} ${currency}`,
  )

const DATE_TIME = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: '2-digit',
  year: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: '2-digit' })
const SECONDS = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const UTC = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

const commaless = (text: string) => text.replace(', ', ' ')

/** 21/11/26 14:05, in the operator's own time. */
export const timeText = (iso: string): string => commaless(DATE_TIME.format(new Date(iso)))
export const dayText = (iso: string): string => DAY.format(new Date(iso))
/** Days of the books are London's, wherever they are read. */
const LONDON_DAY = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: '2-digit',
  year: '2-digit',
  timeZone: 'Europe/London',
})
const LONDON_MONTH = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: '2-digit',
  timeZone: 'Europe/London',
})
export const londonDayText = (iso: string): string => LONDON_DAY.format(new Date(iso))
/** 'Oct 26' */
export const londonMonthText = (iso: string): string =>
  LONDON_MONTH.format(new Date(iso)).replace('Sept', 'Sep')
/** 14:05:07 */
export const secondsText = (iso: string): string => SECONDS.format(new Date(iso))
/** For whoever compares times of two places. */
export const utcText = (iso: string): string => `${commaless(UTC.format(new Date(iso)))} UTC`

const RELATIVE = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** 'in 3 days', '5 minutes ago'. */
export const agoText = (iso: string, now = Date.now()): string => {
  const seconds = (new Date(iso).getTime() - now) / 1000
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit ? RELATIVE.format(Math.round(seconds / unit[1]), unit[0]) : 'just now'
}

/** How long ago, as short as it can be: '5 min', '2 h', '3 d'. */
export const waitText = (iso: string, now = Date.now()): string => {
  const minutes = Math.max(0, Math.floor((now - new Date(iso).getTime()) / 60_000))
  if (minutes < 60) return `${minutes} min`
  return minutes < 2 * 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`
}

export const countText = (count: number): string => count.toLocaleString('en-GB')
/** '1 job', '2 jobs'. */
export const counted = (count: number, thing: string): string =>
  `${countText(count)} ${thing}${count === 1 ? '' : 's'}`

/** 'vat return' → 'VAT return'. */
export const titleText = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/\bvat\b/gi, 'VAT')

/** A sum that is written as '16291.23': '€16,291.23'. */
export const writtenSumText = (sum: string, currency: string): string =>
  sumText({ minor: Math.round(Number(sum) * 100), currency })
