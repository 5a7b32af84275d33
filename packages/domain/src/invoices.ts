import { maskPan, passesLuhn } from './cards.ts'
import { composed } from './composed.ts'
import { formatUkTime } from './dates.ts'
import { plainCode } from './pasted.ts'

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

/** For how many years after the one of its date an invoice, and what belongs to it, is kept, as tax law wants. */
export const INVOICE_YEARS = 6
/** The same for a sale that is declared in the One Stop Shop (Directive 2006/112/EC art. 369). */
export const OSS_INVOICE_YEARS = 10

/** 2026, 7 → '2026-000007'. */
export const invoiceNumber = (year: number, number: number): string =>
  `${year}-${String(number).padStart(6, '0')}`

/** The same of what may have no invoice. */
export const invoiceNumberOrNull = (year: number | null, number: number | null): string | null =>
  year === null || number === null ? null : invoiceNumber(year, number)

/** 2026, 7 → 'CN-2026-000007': credit notes are numbered by themselves. */
export const creditNoteNumber = (year: number, number: number): string => `CN-${invoiceNumber(year, number)}`

/** '2026-000007', or 7 of the current year; undefined for anything else. */
export const parseInvoiceNumber = (typed: string): { year?: number; number: number } | undefined => {
  const [, year, digits] = /^(?:(20\d\d)-)?(\d{1,7})$/.exec(plainCode(typed)) ?? []
  const number = Number(digits)
  if (!digits || number === 0) return undefined
  return year ? { year: Number(year), number } : { number }
}

const SEPARATORS = /[\s\-‐-―._/]/gu

/** Masks a card number that someone typed, in whatever groups; one that shows ten digits or fewer stays as it is. */
export const maskTypedPan = (typed: string): string => {
  const text = composed(typed, 'NFKC').trim()
  const compact = text.replace(SEPARATORS, '')
  const digits = compact.match(/\p{Nd}/gu)?.length ?? 0
  return digits > 10 ? maskPan(compact) : text
}

const DIGIT_GROUPS = /\p{Nd}+(?:[\s\-‐-―._/]{1,2}\p{Nd}+)*/gu
const GROUP_OR_BETWEEN = /\p{Nd}+|\P{Nd}+/gu
const CARD_DIGITS = { min: 13, max: 19 } as const

/** The longest card number that these groups begin with, and the place of its last group. */
const cardNumberAt = (parts: readonly string[], from: number) => {
  let digits = ''
  let found: { digits: string; last: number } | undefined
  for (let at = from; at < parts.length; at += 2) {
    digits += parts[at]?.normalize('NFKC') ?? ''
    if (digits.length > CARD_DIGITS.max) break
    if (digits.length >= CARD_DIGITS.min && passesLuhn(digits)) found = { digits, last: at }
  }
  return found
}

/** Groups of digits, with what stands between them at every other place. */
const maskGroups = (run: string): string => {
  const parts = run.match(GROUP_OR_BETWEEN) ?? []
  let masked = ''
  let hasNumber = false
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const number = at % 2 === 0 ? cardNumberAt(parts, at) : undefined
    // What follows a card number in three or four digits may well be its security code.
    const isCode = hasNumber && /^\p{Nd}{3,4}$/u.test(part)
    if (number) {
      masked += maskPan(number.digits)
      at = number.last
      hasNumber = true
    } else masked += isCode ? '***' : part
  }
  return masked
}

const NAMED_CODE = /\b((?:cvv2?|cvc2?|cv2|csc|security code)\b\P{L}{0,4}?)(?<!\p{Nd})\p{Nd}{3,4}(?!\p{Nd})/giu

/**
 * Masks every card number within a text: thirteen to nineteen digits, in whatever groups, whose check digit is right. With
 * them go a security code that follows, and one that is named as such.
 */
export const maskCardNumbers = (text: string): string =>
  text.replace(DIGIT_GROUPS, maskGroups).replace(NAMED_CODE, '$1***')

/** A sum with the sign or the three letters of its currency, before or after. */
export const AMOUNT_WITH_CURRENCY =
  /^(?:(?:\p{Sc}|[A-Z]{3})\s?\d[\d.,' \u00A0\u202F]*|\d[\d.,' \u00A0\u202F]*(?:\p{Sc}|[A-Z]{3}))$/u

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::\d\d(?:[.,]\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/
const SHOWN = /^(\d\d)\/(\d\d)\/(\d{4})(?:,? (\d\d):(\d\d)(?::\d\d)?(?: (\(UK time\)))?)?$/

const shown = (year: string, month: string, day: string, hour = '', minute = '') => {
  const date = new Date(`${year}-${month}-${day}T${hour || '00'}:${minute || '00'}:00Z`)
  // A day that the month does not have rolls over, or is none.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined
  return `${day}/${month}/${year}${hour ? ` ${hour}:${minute}` : ''}`
}

/**
 * The time of a payment as a document shows it (spec §1). Takes an instant, which is shown in UK time, and a date, with a
 * time or without, that names no other zone; that is shown as it stands. Undefined: it is neither.
 */
export const shownTimestamp = (typed: string): string | undefined => {
  const text = typed.trim()
  const [, year = '', month = '', day = '', hour, minute, zone] = text.match(ISO) ?? []
  const asItStands = year ? shown(year, month, day, hour, minute) : undefined
  if (zone && asItStands) {
    const date = new Date(text.replace(' ', 'T').replace(/\s/g, '').replace(',', '.'))
    return Number.isNaN(date.getTime()) ? undefined : formatUkTime(date)
  }
  if (year) return asItStands
  const [, d = '', m = '', y = '', h, min, uk] = text.match(SHOWN) ?? []
  const again = y ? shown(y, m, d, h, min) : undefined
  return again && uk ? `${again} ${uk}` : again
}
