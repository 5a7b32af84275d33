import type { correctInvoice as contract } from '@hedgerow/contract/console/invoices'
import { isCountry } from '@hedgerow/domain/countries'
import { addressLines, readVatNumber, VAT_MESSAGES } from '@hedgerow/domain/vat-numbers'
import type * as z from 'zod/mini'
import { refused } from '#desk/console/refused.ts'
import { createVies } from '#money/vies/vies-client.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'
import {
  type CorrectionRefusal,
  correctInvoice,
  findIssuedCountry,
  type KnownNumber,
} from '#sales/invoices/correct-invoice.ts'

type Deps = With<'db' | 'settings' | 'log'>

const WHY: Readonly<Record<Exclude<CorrectionRefusal, 'unknown'>, string>> = {
  corrected: 'another invoice stands in its place already: correct that one',
  'nothing-left': 'all of it has been credited, so nothing is left to correct',
  'bad-debt': 'a bad debt was booked on it: correct it with your accountant',
  'nothing-changes': 'the invoice says this already',
  'no-country': 'this sale named no country, so only its name and address can be corrected',
  'no-buyer': 'without VAT the invoice must show the name and address of the business: give both',
}

/** Looked up before anything is written. A number that VIES does not answer about takes no VAT off, so it is refused. */
const lookUp = async ({ settings, log }: Deps, typed: string, country: string): Promise<KnownNumber> => {
  const read = readVatNumber(typed, country)
  if ('fault' in read) throw invalidField('vatNumber', read.fault)
  const vies = createVies(settings, (why) => log.warn({ why }, 'a VAT number could not be looked up'))
  const answer = await vies.ask(read)
  if (answer.kind === 'invalid') throw invalidField('vatNumber', VAT_MESSAGES.numberUnknown)
  if (answer.kind === 'unanswered')
    throw refused('VIES does not answer, so it is not known whether the number is valid: try again later')
  const consultation = answer.kind === 'valid' ? answer.consultation : undefined
  return { number: `${read.prefix}${read.rest}`, standing: answer.kind, consultation }
}

/** Throws 'document-not-found', 'operator-refused', and 'invalid' at a field. */
export const correctByOperator = async (
  deps: Deps,
  name: string,
  { name: buyer, address, country, vatNumber, private: isPrivate }: z.output<typeof contract.schema.body>,
) => {
  if (country !== undefined && !isCountry(country)) throw invalidField('country', VAT_MESSAGES.country)
  if (vatNumber !== undefined && isPrivate)
    throw invalidField('vatNumber', 'A private customer has no VAT number. Leave one of the two out')
  const place = country ?? (await findIssuedCountry(deps, name))
  if (vatNumber !== undefined && !place) throw refused(WHY['no-country'])
  const known = vatNumber && place ? await lookUp(deps, vatNumber, place) : undefined
  const outcome = await correctInvoice(deps, name, {
    ...(buyer || address
      ? {
          buyer: {
            ...(buyer ? { name: buyer } : {}),
            ...(address ? { address: addressLines(address) } : {}),
          },
        }
      : {}),
    ...(country ? { country } : {}),
    ...(isPrivate ? { vatNumber: null } : known ? { vatNumber: known } : {}),
  })
  if (outcome.kind === 'corrected') return { invoice: outcome.invoice, creditNote: outcome.creditNote }
  if (outcome.why === 'unknown') throw new Problem('document-not-found')
  throw refused(WHY[outcome.why])
}
