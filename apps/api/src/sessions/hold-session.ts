import { sql } from 'kysely'
import type { Trx } from '#database/client.ts'

/**
 * False when the session has ended. Whoever would end it waits until the transaction is over: what a session leaves behind
 * is then there to be ended with it.
 */
export const holdSession = async (trx: Trx, tokenHash: Buffer): Promise<boolean> => {
  const session = await trx
    .selectFrom('sessions')
    .select('customer_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .forShare()
    .executeTakeFirst()
  return session !== undefined
}
