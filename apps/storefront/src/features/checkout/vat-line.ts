import { countryInText, isCountry } from '@hedgerow/domain/countries'
import { isoDay } from '@hedgerow/domain/dates'
import { vatOfSale } from '@hedgerow/domain/vat'
import { readVatNumber, takesVatNumber } from '@hedgerow/domain/vat-numbers'
import type { SaleSaid } from '#features/checkout/use-sale-place.ts'

/** A number counts while it is typed as soon as it has the form of one; whether there is such a number, the shop asks. */
const standingOf = ({ country, vatNumber }: SaleSaid) =>
  vatNumber.trim() !== '' && takesVatNumber(country) && !('fault' in readVatNumber(vatNumber, country))
    ? 'unchecked'
    : null

/** What of the price is tax, in a sentence. */
export const vatLine = (said: SaleSaid, now: Date): string => {
  if (!isCountry(said.country)) return 'Prices include VAT.'
  const sale = vatOfSale({ country: said.country, numberStanding: standingOf(said) }, isoDay(now))
  if (sale.treatment === 'outside') return 'No VAT: outside the United Kingdom and the EU.'
  if (sale.treatment === 'reverse-charge') return 'No VAT: reverse charge.'
  return `Includes VAT of ${countryInText(sale.country ?? said.country)}, ${sale.rate}%.`
}
