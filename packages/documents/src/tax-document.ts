import type { Brand } from '@hedgerow/brand/brand'
import type { VatTreatment } from '@hedgerow/domain/vat'

/** Who issues a document. `ossNumber`: of the One Stop Shop, where the sale is declared there. */
export type Issuer = Pick<Brand, 'name' | 'company'> & { ossNumber?: string }

/** Whom it is to, as it was kept when the document was issued. */
export type Customer = { name: string; address: readonly string[]; vatNumber?: string }

/** Which tax is owed, and whose: the country's name stands where it is not the United Kingdom's. */
export type Supply = { treatment: VatTreatment; country?: string }

/** The sums in pounds, printed as they are; the rate holds from a day on: '1.15', 'EUR', '01/11/2026'. */
export type Sterling = {
  net: string
  vat: string
  total: string
  rate: string
  currency: string
  since: string
}

/** What was paid, or went back, in another currency: '192.03 PLN' at '4.2512' to the 'EUR', of '21/11/2026 14:05'. */
export type Charged = { sum: string; rate: string; currency: string; ratedAt: string }

/** What both kinds of document say of the tax; left out of invoices of before it was kept. */
export type TaxFacts = {
  customer?: Customer
  supply?: Supply
  sterling?: Sterling
  charged?: Charged
}

/** 20, 'uk' → 'VAT 20% included'. */
export const vatLabelOf = (vatRate: number, supply: Supply | undefined): string => {
  switch (supply?.treatment) {
    case 'oss':
      return `VAT of ${supply.country}, ${vatRate}%, included`
    case 'reverse-charge':
      return 'VAT, reverse charge'
    case 'outside':
      return 'VAT, outside the scope'
    default:
      return `VAT ${vatRate}% included`
  }
}

const TREATMENT_WORDS: Readonly<Partial<Record<VatTreatment, string>>> = {
  'reverse-charge':
    'Reverse charge: the customer accounts for the VAT (articles 44 and 196 of Directive 2006/112/EC).',
  outside: 'Outside the scope of UK VAT.',
}

const CURRENCY_WORDS: Readonly<Record<string, string>> = { EUR: 'euro', GBP: 'pound' }

const chargedWords = ({ rate, currency, ratedAt }: Charged): string =>
  `Charged in złoty at ${rate} PLN to the ${CURRENCY_WORDS[currency] ?? currency}, the rate of ${ratedAt}.`

const sterlingWords = ({ rate, currency, since }: Sterling): string =>
  `In pounds at HMRC's rate of ${rate} ${currency} to the pound, from ${since}.`

/** The sentences below the sums. */
export const notesOf = ({ supply, sterling, charged }: TaxFacts): string[] => {
  const words = supply && TREATMENT_WORDS[supply.treatment]
  return [
    ...(words ? [words] : []),
    ...(charged ? [chargedWords(charged)] : []),
    ...(sterling ? [sterlingWords(sterling)] : []),
  ]
}
