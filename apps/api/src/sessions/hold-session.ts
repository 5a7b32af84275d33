import { sql } from 'kysely'
import { hashToken } from '#crypto/tokens.ts'
import type { Trx } from '#database/client.ts'
import type { Caller } from '#sessions/recent-proof.ts'
import { holdAccount } from '#sessions/sessions.queries.ts'

export { holdAccount } from '#sessions/sessions.queries.ts'

/**
 * False when the session has ended, or has another token by now. Whoever would end it waits until the transaction is over:
 * what a session leaves behind is then there to be ended with it. Who locks the account does so before.
 */
export const holdSession = async (trx: Trx, { customerId, sessionToken }: Caller): Promise<boolean> => {
  await holdAccount(trx, customerId)
  const session = await trx
    .selectFrom('sessions')
    .select('customer_id')
    .where('token_hash', '=', hashToken(sessionToken))
    .where('expires_at', '>', sql<Date>`now()`)
    .forShare()
    .executeTakeFirst()
  return session !== undefined
}
