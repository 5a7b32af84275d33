import type { CurrencyCode } from './money.ts'

/** Countries whose banks can be paid from, as the gateway names them, and their currency (gate.md §5.2). */
export const BANK_COUNTRIES: Readonly<Record<string, { name: string; currency: CurrencyCode }>> = {
  uk: { name: 'United Kingdom', currency: 'GBP' },
  austria: { name: 'Austria', currency: 'EUR' },
  belgium: { name: 'Belgium', currency: 'EUR' },
  estonia: { name: 'Estonia', currency: 'EUR' },
  finland: { name: 'Finland', currency: 'EUR' },
  france: { name: 'France', currency: 'EUR' },
  germany: { name: 'Germany', currency: 'EUR' },
  greece: { name: 'Greece', currency: 'EUR' },
  latvia: { name: 'Latvia', currency: 'EUR' },
  lithuania: { name: 'Lithuania', currency: 'EUR' },
  netherlands: { name: 'Netherlands', currency: 'EUR' },
  portugal: { name: 'Portugal', currency: 'EUR' },
  spain: { name: 'Spain', currency: 'EUR' },
}

/** Where an account has to be that pays in a currency: nothing is converted. */
export const BANK_AREAS: Readonly<Record<CurrencyCode, string>> = {
  GBP: 'in the United Kingdom',
  EUR: 'in the euro area',
}
