import type { Db } from '#database/client.ts'

/** Whether an authenticator app is set up. */
export const hasApp = async (db: Db, customerId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('totp_secrets')
    .select('customer_id')
    .where('customer_id', '=', customerId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
