import { isCountry } from '@hedgerow/domain/countries'
import { setBankCountry } from '#money/payments/place-of-sale/place-of-sale.queries.ts'
import type { Db } from '#platform/database/client.ts'

/**
 * Keeps the country of the card or the bank that a payment was made with, as the gateway tells it afterwards ('DE'; anything that
 * is no country is nothing). It is evidence beside the invoice, which stays as it was issued. May be called again and again: the
 * first one stays. True where it was noted now; false for a sale that asked for no country, one that has it, or none.
 */
export const noteBankCountry = async (db: Db, paymentId: string, country: unknown): Promise<boolean> => {
  const code = typeof country === 'string' ? country.trim().toUpperCase() : undefined
  return isCountry(code) && setBankCountry(db, paymentId, code)
}
