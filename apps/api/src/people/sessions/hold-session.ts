import { sql } from 'kysely'
import type { Caller } from '#people/sessions/recent-proof.ts'
import { holdAccount } from '#people/sessions/sessions.queries.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { Trx } from '#platform/database/client.ts'

export { holdAccount } from '#people/sessions/sessions.queries.ts'

/**
 * False when the session has ended, or has another token by now. A call that ends it waits until the transaction is over:
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
