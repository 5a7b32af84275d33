import { DAY_MS } from './dates.ts'
import { withoutGroups } from './pasted.ts'
import { splitVat, type TaxedSums, VAT_RATE } from './vat.ts'
import { readVatNumber, VAT_MESSAGES } from './vat-numbers.ts'
import { isEuCountry } from './vat-rates.ts'

/**
 * What is written to a partner for commissions that were paid:
 * - 'self-billed': the VAT invoice of one who is registered in the United Kingdom, issued by us in their name
 * - 'reverse-charge': the same of one who is registered in the EU; the tax is ours to account for
 * - 'statement': no VAT; of one who is not registered, or with whom no agreement is in force
 */
export const COMMISSION_KINDS = ['self-billed', 'reverse-charge', 'statement'] as const
export type CommissionKind = (typeof COMMISSION_KINDS)[number]

export const COMMISSION_KIND_WORDS: Readonly<Record<CommissionKind, string>> = {
  'self-billed': 'Self-billed invoice',
  'reverse-charge': 'Self-billed invoice',
  statement: 'Commission statement',
}

/** An agreement on self-billing has to have an end (VAT Notice 700/62). */
export const SELF_BILLING_DAYS = 365

/** What both agree to, as the notice wants it. `company`: who issues. */
export const selfBillingTerms = (company: string): string[] => [
  `${company} issues a self-billed invoice for each commission it pays you, and you accept each of them.`,
  'You issue no VAT invoices for these commissions. They include VAT.',
  'You tell us at once if your VAT number changes, or you stop being registered or sell your business. To do so, change or remove the number here.',
  `This holds for ${SELF_BILLING_DAYS} days. Save again to renew it.`,
]

/** Until when what was agreed then holds. */
export const agreedUntil = (agreedAt: Date): Date => new Date(agreedAt.getTime() + SELF_BILLING_DAYS * DAY_MS)

const UK_FORM = /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/

export const BILLING_MESSAGES = {
  prefix:
    'Begin with the two letters of your country, like GB or DE. Outside the UK and the EU leave it empty',
  agrees: 'Please agree to self-billing, or leave the VAT number empty',
} as const

/** Reads a VAT number of the United Kingdom or the EU, with its prefix. That of Northern Ireland is the kingdom's. */
export const readPartnersVatNumber = (typed: string): { number: string } | { fault: string } => {
  const text = withoutGroups(typed).toUpperCase().replace(/[./]/g, '')
  const [prefix, rest] = [text.slice(0, 2), text.slice(2)]
  if (prefix === 'GB' || prefix === 'XI')
    return UK_FORM.test(rest) ? { number: `GB${rest}` } : { fault: VAT_MESSAGES.numberForm('GB') }
  const country = prefix === 'EL' ? 'GR' : prefix
  if (!isEuCountry(country)) return { fault: BILLING_MESSAGES.prefix }
  const read = readVatNumber(text, country)
  return 'fault' in read ? read : { number: `${read.prefix}${read.rest}` }
}

export const commissionKindOf = (
  { vatNumber, agreedAt }: { vatNumber: string | null; agreedAt: Date | null },
  at: Date,
): CommissionKind => {
  if (vatNumber === null || agreedAt === null || at > agreedUntil(agreedAt)) return 'statement'
  return vatNumber.startsWith('GB') ? 'self-billed' : 'reverse-charge'
}

/** A commission is what is paid, whatever the tax: VAT is within it. */
export const sumsOfCommission = (
  kind: CommissionKind,
  totalMinor: number,
): TaxedSums & { vatRate: number } =>
  kind === 'self-billed'
    ? { totalMinor, ...splitVat(totalMinor), vatRate: VAT_RATE }
    : { totalMinor, netMinor: totalMinor, vatMinor: 0, vatRate: 0 }

/** 2026, 7 → 'CM-2026-000007': they are numbered by themselves. */
export const commissionNumber = (year: number, number: number): string =>
  `CM-${year}-${String(number).padStart(6, '0')}`

/** The same of what may have none. */
export const commissionNumberOrNull = (year: number | null, number: number | null): string | null =>
  year === null || number === null ? null : commissionNumber(year, number)
