import type { CurrencyCode } from './money.ts'

/** A country's name, its ISO 3166 code, and the currency that its banks pay in. */
export type BankCountry = { name: string; iso: string; currency: CurrencyCode }

/** Countries whose banks can be paid from, as the gateway names them (gate.md §5.2). */
export const BANK_COUNTRIES: Readonly<Record<string, BankCountry>> = {
  uk: { name: 'United Kingdom', iso: 'GB', currency: 'GBP' },
  austria: { name: 'Austria', iso: 'AT', currency: 'EUR' },
  belgium: { name: 'Belgium', iso: 'BE', currency: 'EUR' },
  estonia: { name: 'Estonia', iso: 'EE', currency: 'EUR' },
  finland: { name: 'Finland', iso: 'FI', currency: 'EUR' },
  france: { name: 'France', iso: 'FR', currency: 'EUR' },
  germany: { name: 'Germany', iso: 'DE', currency: 'EUR' },
  greece: { name: 'Greece', iso: 'GR', currency: 'EUR' },
  latvia: { name: 'Latvia', iso: 'LV', currency: 'EUR' },
  lithuania: { name: 'Lithuania', iso: 'LT', currency: 'EUR' },
  netherlands: { name: 'Netherlands', iso: 'NL', currency: 'EUR' },
  portugal: { name: 'Portugal', iso: 'PT', currency: 'EUR' },
  spain: { name: 'Spain', iso: 'ES', currency: 'EUR' },
}

/** Where an account has to be that pays in a currency: nothing is converted. */
export const BANK_AREAS: Readonly<Record<CurrencyCode, string>> = {
  GBP: 'in the United Kingdom',
  EUR: 'in the euro area',
}
