import { HOME_COUNTRY, isEuCountry, vatRateOn } from './vat-rates.ts'

/** Prices include VAT at the United Kingdom's standard rate, in per cent. */
export const VAT_RATE = 20

export type VatSplit = { netMinor: number; vatMinor: number }

/** A rate in per cent has at most one decimal: in tenths it is a whole number. */
const tenthsOf = (rate: number): number => Math.round(rate * 10)

/** The VAT in a price that includes it, rounded half up to a whole minor unit; what is left is the net price. */
export const splitVat = (grossMinor: number, rate: number = VAT_RATE): VatSplit => {
  const tenths = tenthsOf(rate)
  const vatMinor = Math.floor((2 * grossMinor * tenths + 1000 + tenths) / (2 * (1000 + tenths)))
  return { netMinor: grossMinor - vatMinor, vatMinor }
}

/** 'uk': one rate for all, and no country is asked for. 'oss': the customer's country decides. */
export const VAT_SCHEMES = ['uk', 'oss'] as const
export type VatScheme = (typeof VAT_SCHEMES)[number]

/**
 * Which tax a sale owes, and where it is declared:
 * - 'uk': the United Kingdom's, in its VAT return
 * - 'oss': that of the private customer's EU country, in the non-Union One Stop Shop (Directive 2006/112/EC art. 58)
 * - 'reverse-charge': none here; the business customer in the EU accounts for it (arts 44, 196)
 * - 'outside': none; the customer is neither in the United Kingdom nor in the EU
 */
export const VAT_TREATMENTS = ['uk', 'oss', 'reverse-charge', 'outside'] as const
export type VatTreatment = (typeof VAT_TREATMENTS)[number]

export const VAT_TREATMENT_WORDS: Readonly<Record<VatTreatment, string>> = {
  uk: 'United Kingdom',
  oss: 'One Stop Shop',
  'reverse-charge': 'reverse charge',
  outside: 'outside the UK and the EU',
}

/** How a VAT number stands: VIES knows it; its form is right and VIES was not asked; VIES gave no answer. */
export const VAT_NUMBER_STANDINGS = ['valid', 'unchecked', 'unanswered'] as const
export type VatNumberStanding = (typeof VAT_NUMBER_STANDINGS)[number]

/**
 * Places that belong to another country for this tax: Monaco to France, the Isle of Man to the United Kingdom (Directive art. 7);
 * Madeira and the Azores to Portugal, at rates of their own (art. 105). The Canaries, Ceuta and Melilla are outside it (art. 6).
 */
const BELONGS_TO: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB', QM: 'PT', QZ: 'PT' }

/** The country whose tax is owed by who is in this one. Codes of their own, such as Åland's, are places outside the tax. */
export const taxPlaceOf = (country: string): string =>
  Object.hasOwn(BELONGS_TO, country) ? (BELONGS_TO[country] as string) : country

/** Whom a sale is to, as chosen at the checkout. Without a country: under the scheme 'uk', or of before there was another. */
export type VatFacts = { country: string | null; numberStanding: VatNumberStanding | null }

/** `rate` in per cent. `country` is the one whose tax it is; null where none is owed here and for the scheme 'uk' without one. */
export type VatOfSale = { treatment: VatTreatment; country: string | null; rate: number }

/**
 * What a sale of a day, 'YYYY-MM-DD', owes. A number that VIES could not be asked about does not take the VAT off
 * (Implementing Regulation 282/2011 art. 18(1)): the price is the same, and the invoice says what was owed.
 */
export const vatOfSale = ({ country: chosen, numberStanding }: VatFacts, day: string): VatOfSale => {
  const country = chosen === null ? null : taxPlaceOf(chosen)
  if (country === null || country === HOME_COUNTRY) return { treatment: 'uk', country, rate: VAT_RATE }
  if (!isEuCountry(country)) return { treatment: 'outside', country, rate: 0 }
  const isBusiness = numberStanding === 'valid' || numberStanding === 'unchecked'
  return isBusiness
    ? { treatment: 'reverse-charge', country, rate: 0 }
    : {
        treatment: 'oss',
        country,
        rate: vatRateOn(chosen ?? country, day) ?? vatRateOn(country, day) ?? VAT_RATE,
      }
}

/** `part` of `whole`, of a sum of minor units, half up. `part` is at most `whole`. */
const shareOf = (minor: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Number((2n * BigInt(minor) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))

export type TaxedSums = { totalMinor: number; netMinor: number; vatMinor: number }

/**
 * What a refund takes off an invoice. `charged`: what was charged for it, in the currency that was charged; `before` and
 * `after`: what of that had gone back before this refund and with it. Each is the difference of two shares of the whole, so
 * that the credit notes of a payment that went back whole add up to its invoice, however many they are. More than was
 * charged takes nothing more off.
 */
export const creditOf = (
  { totalMinor, vatMinor }: Pick<TaxedSums, 'totalMinor' | 'vatMinor'>,
  chargedMinor: number,
  before: number,
  after: number,
): TaxedSums => {
  const at = (minor: number, given: number) => shareOf(minor, Math.min(given, chargedMinor), chargedMinor)
  const total = at(totalMinor, after) - at(totalMinor, before)
  const vat = at(vatMinor, after) - at(vatMinor, before)
  return { totalMinor: total, netMinor: total - vat, vatMinor: vat }
}

/** The same of an invoice that took another's place when `noted` had gone back already: it is of the rest. */
export const creditOfRest = (
  sums: Pick<TaxedSums, 'totalMinor' | 'vatMinor'>,
  noted: number,
  chargedMinor: number,
  before: number,
  after: number,
): TaxedSums => creditOf(sums, chargedMinor - noted, Math.max(0, before - noted), Math.max(0, after - noted))

/** What is left of an invoice after its credit notes. */
export const leftOf = (invoice: TaxedSums, credited: readonly TaxedSums[]): TaxedSums =>
  credited.reduce(
    (left, note) => ({
      totalMinor: left.totalMinor - note.totalMinor,
      netMinor: left.netMinor - note.netMinor,
      vatMinor: left.vatMinor - note.vatMinor,
    }),
    { totalMinor: invoice.totalMinor, netMinor: invoice.netMinor, vatMinor: invoice.vatMinor },
  )
