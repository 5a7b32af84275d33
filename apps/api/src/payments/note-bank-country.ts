import type { Db } from '#database/client.ts'

/**
 * Keeps the country of the card or the bank that a payment was made with, as the gateway tells it afterwards: evidence beside
 * the invoice. The first one told stays. True where it was noted now; false for a sale that asked for no country.
 */
export const noteBankCountry = async (db: Db, paymentId: string, country: unknown): Promise<boolean> => {
  if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) return false
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ bank_country: country })
    .where('id', '=', paymentId)
    .where('vat_country', 'is not', null)
    .where('bank_country', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
