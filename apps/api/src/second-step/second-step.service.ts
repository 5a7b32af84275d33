import { sql } from 'kysely'
import type { Trx } from '#database/client.ts'

export { listPasskeys } from '#second-step/passkeys.queries.ts'
export { hasApp } from '#second-step/second-step.queries.ts'

/** Without a passkey and an app nothing is left to answer with: the second step and its recovery codes end. True if so. */
export const endSecondStepIfBare = async (trx: Trx, customerId: string): Promise<boolean> => {
  const ended = await trx
    .updateTable('customers')
    .set({ second_step_at: null, second_step_ends_at: null, way_back_hash: null })
    .where('id', '=', customerId)
    .where('second_step_at', 'is not', null)
    .where(
      sql<boolean>`not exists (select from passkeys where customer_id = customers.id)
        and not exists (
          select from totp_secrets where customer_id = customers.id and confirmed_at is not null)`,
    )
    .returning('id')
    .executeTakeFirst()
  if (!ended) return false
  await trx.deleteFrom('recovery_codes').where('customer_id', '=', customerId).execute()
  return true
}
