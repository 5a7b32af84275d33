import { maskPan, passesLuhn } from './cards.ts'
import { formatDateTime } from './dates.ts'

/** What the invoice page starts with, and what an invoice of ours says (spec §5). */
export const INVOICE_DEFAULTS = {
  description: 'PURCHASE: Timed VPN connections',
  method: 'Visa/Mastercard',
} as const

/** How long the texts typed in may be. */
export const INVOICE_LENGTHS = {
  timestamp: 40,
  description: 200,
  authCode: 32,
  method: 60,
  pan: 40,
  cardHolder: 100,
  total: 30,
} as const

/** For how many years after the one of its date an invoice is kept, as tax law wants. */
export const INVOICE_YEARS = 6

/** 2026, 7 → '2026-000007'. */
export const invoiceNumber = (year: number, number: number): string =>
  `${year}-${String(number).padStart(6, '0')}`

const SEPARATORS = /[\s\-‐-―._/]/gu

/** Masks a card number that somebody typed, in whatever groups; one that shows ten digits or fewer stays as it is. */
export const maskTypedPan = (typed: string): string => {
  const text = typed.normalize('NFKC').trim()
  const compact = text.replace(SEPARATORS, '')
  const digits = compact.match(/\p{Nd}/gu)?.length ?? 0
  return digits > 10 ? maskPan(compact) : text
}

const CARD_NUMBER = /\p{Nd}(?:[\s\-‐-―._/]?\p{Nd}){12,18}/gu

/** Masks every card number within a text: thirteen digits or more, in whatever groups, whose check digit is right. */
export const maskCardNumbers = (text: string): string =>
  text.replace(CARD_NUMBER, (found) => {
    const digits = found.normalize('NFKC').replace(SEPARATORS, '')
    return passesLuhn(digits) ? maskPan(digits) : found
  })

/** A sum with the sign or the three letters of its currency, before or after. */
export const AMOUNT_WITH_CURRENCY =
  /^(?:(?:\p{Sc}|[A-Z]{3})\s?\d[\d.,' \u00A0\u202F]*|\d[\d.,' \u00A0\u202F]*(?:\p{Sc}|[A-Z]{3}))$/u

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::\d\d(?:[.,]\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/
const SHOWN = /^(\d\d)\/(\d\d)\/(\d{4})(?:,? (\d\d):(\d\d)(?::\d\d)?)?$/

const shown = (year: string, month: string, day: string, hour = '', minute = '') => {
  const date = new Date(`${year}-${month}-${day}T${hour || '00'}:${minute || '00'}:00Z`)
  // A day that the month does not have rolls over, or is none.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined
  return `${day}/${month}/${year}${hour ? ` ${hour}:${minute}` : ''}`
}

/**
 * The time of a payment as a document shows it (spec §1). Takes an instant, which is shown in London's time, and a date,
 * with a time or without, that names no zone; that is shown as it stands. Undefined: it is neither.
 */
export const shownTimestamp = (typed: string): string | undefined => {
  const text = typed.trim()
  const [, year = '', month = '', day = '', hour, minute, zone] = text.match(ISO) ?? []
  const asItStands = year ? shown(year, month, day, hour, minute) : undefined
  if (zone && asItStands) {
    const date = new Date(text.replace(' ', 'T').replace(/\s/g, '').replace(',', '.'))
    return Number.isNaN(date.getTime()) ? undefined : formatDateTime(date)
  }
  if (year) return asItStands
  const [, d = '', m = '', y = '', h, min] = text.match(SHOWN) ?? []
  return y ? shown(y, m, d, h, min) : undefined
}
