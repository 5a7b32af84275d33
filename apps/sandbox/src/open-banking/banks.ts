export type Bank = {
  id: number
  abbr: string
  name: string
  nativeName: string
  /** What differs from the usual way at this bank. */
  quirk?: 'no consent' | 'by post' | 'confirmed later'
}

export type Country = { path: string; name: string; currency: string; asksConsent: boolean; banks: Bank[] }

const bank = (id: number, name: string, quirk?: Bank['quirk'], nativeName = name): Bank => ({
  id,
  abbr: name.toUpperCase().replaceAll(' ', '-'),
  name,
  nativeName,
  ...(quirk && { quirk }),
})

/** The ids of the United Kingdom are the published ones; those of the other countries are the sandbox's own. */
export const COUNTRIES: readonly Country[] = [
  {
    path: 'uk',
    name: 'UK',
    currency: 'GBP',
    asksConsent: true,
    banks: [
      bank(3541, 'Barclays'),
      bank(3631, 'HSBC'),
      bank(3661, 'Lloyds'),
      bank(3851, 'Monzo', 'no consent'),
      bank(3701, 'Nationwide', 'confirmed later'),
      bank(3711, 'NatWest'),
      bank(3731, 'Revolut'),
      bank(3741, 'Santander'),
      bank(3871, 'Starling', 'by post'),
    ],
  },
  {
    path: 'germany',
    name: 'Germany',
    currency: 'EUR',
    asksConsent: false,
    banks: [
      bank(5101, 'Commerzbank'),
      bank(5102, 'Deutsche Bank'),
      bank(5103, 'N26'),
      bank(5104, 'Savings Banks', undefined, 'Sparkasse'),
    ],
  },
  {
    path: 'france',
    name: 'France',
    currency: 'EUR',
    asksConsent: false,
    banks: [
      bank(5201, 'BNP Paribas'),
      bank(5202, 'Credit Mutuel', undefined, 'Crédit Mutuel'),
      bank(5203, 'Societe Generale', undefined, 'Société Générale'),
    ],
  },
  {
    path: 'spain',
    name: 'Spain',
    currency: 'EUR',
    asksConsent: false,
    banks: [bank(5301, 'BBVA'), bank(5302, 'CaixaBank'), bank(5303, 'Banco Santander')],
  },
  {
    path: 'netherlands',
    name: 'Netherlands',
    currency: 'EUR',
    asksConsent: false,
    banks: [bank(5401, 'ABN AMRO'), bank(5402, 'ING'), bank(5403, 'Rabobank')],
  },
  {
    path: 'poland',
    name: 'Poland',
    currency: 'PLN',
    asksConsent: false,
    banks: [bank(5501, 'mBank'), bank(5502, 'PKO Bank Polski'), bank(5503, 'Bank Pekao')],
  },
]

/** In minor units, the same at every bank here. */
export const SMALLEST_AMOUNT = 1
export const LARGEST_AMOUNT = 1_000_000
