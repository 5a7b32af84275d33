import type { SaleTo } from '@hedgerow/contract/vat-fields'
import { isCountry } from '@hedgerow/domain/countries'
import { readCompany, readVatNumber, VAT_MESSAGES, type VatNumber } from '@hedgerow/domain/vat-numbers'
import type { Payer } from '#money/gateway/payer.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import type { PlaceOfSale } from '#money/payments/place-of-sale/place-of-sale.queries.ts'
import type { ViesAnswer } from '#money/vies/vies-client.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { refuseTooMany } from '#platform/http/limits/rate-counter.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

const HOUR_S = 3_600
/** A purchase asks once a press. The register's own limits are not known. */
const ASKED = { customer: 20, network: 60, all: 1_000 } as const

/**
 * Asks VIES, as often as one may. Throws 'too-many-requests' for a customer or a network that asks more; above what all may
 * ask together no one is refused, but VIES is not asked.
 */
const lookUp = async (
  { vies, rateCounter, log }: Dependencies & PaymentDependencies,
  customerId: string,
  { ipAddress }: Pick<Payer, 'ipAddress'>,
  number: VatNumber,
): Promise<ViesAnswer> => {
  const count = (name: keyof typeof ASKED, of: string) => ({
    name: `VIES ${name}`,
    of,
    most: ASKED[name],
    seconds: HOUR_S,
  })
  await refuseTooMany(rateCounter, [
    count('customer', customerId),
    { ...count('network', ''), from: ipAddress },
  ])
  if ((await rateCounter.count(count('all', ''))) === undefined) return vies.ask(number)
  log.warn('VAT numbers are not looked up for a while: too many were')
  return { kind: 'unanswered' }
}

/** A form sends what was left empty as an empty text. */
const isLeftOut = (value: unknown) => value === undefined || value === null || value === ''

/**
 * Where the customer says to be, and whether as a business: only under the scheme that asks; else undefined, whatever is said.
 * To be called outside of transactions: VIES is asked, for a few seconds at most.
 * A number without name and address is refused before VIES is asked: the invoice has to show both.
 * Throws 'country-refused' for a network in a country that nothing is sold to, under any scheme; 'invalid' at `country`,
 * `vatNumber`, `company` or `companyAddress`; and 'too-many-requests'.
 */
export const placeOfSale = async (
  deps: Dependencies & PaymentDependencies,
  customerId: string,
  { country, vatNumber, company: typedName, companyAddress }: SaleTo,
  payer: Pick<Payer, 'ipAddress' | 'networkCountry'>,
): Promise<PlaceOfSale | undefined> => {
  const { vatScheme, refusedCountries } = deps.settings
  const { networkCountry } = payer
  if (networkCountry && refusedCountries.includes(networkCountry)) throw new Problem('country-refused')
  if (vatScheme !== 'oss') return undefined
  if (!isCountry(country)) throw invalidField('country', VAT_MESSAGES.country)
  if (refusedCountries.includes(country)) throw invalidField('country', VAT_MESSAGES.countryRefused(country))
  if (isLeftOut(vatNumber)) return { country, networkCountry }
  const read = readVatNumber(typeof vatNumber === 'string' ? vatNumber.trim() : '', country)
  if ('fault' in read) throw invalidField('vatNumber', read.fault)
  const company = readCompany(typedName, companyAddress)
  if ('faults' in company) throw new Problem('invalid', { errors: company.faults })
  const answer = await lookUp(deps, customerId, payer, read)
  if (answer.kind === 'invalid') throw invalidField('vatNumber', VAT_MESSAGES.numberUnknown)
  return {
    country,
    networkCountry,
    vatNumber: `${read.prefix}${read.rest}`,
    standing: answer.kind,
    company,
    ...(answer.kind === 'valid'
      ? { consultation: answer.consultation, viesName: answer.name, viesAddress: answer.address }
      : {}),
  }
}
