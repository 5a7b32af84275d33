import { sql } from 'kysely'
import { deletePasskeys } from '#people/passkeys/passkeys.queries.ts'
import { beginWayBack } from '#people/second-step/second-step.queries.ts'
import { canAnswer } from '#people/second-step/second-step.service.ts'
import { tellBeforeTheEnd } from '#people/second-step/way-back.ts'
import type { Trx } from '#platform/database/client.ts'

/**
 * An intruder had the account since then: what was added to prove its owner is removed, and what was there before stays. A
 * second step that was on before stays on. If nothing is left that would open it, it ends after the waiting time of one
 * that was lost: a mailbox alone opens no such account at once.
 */
export const dropNewerFactors = async (trx: Trx, customerId: string, since: Date): Promise<void> => {
  await deletePasskeys(trx, customerId, since)
  await trx
    .deleteFrom('recovery_codes')
    .where('customer_id', '=', customerId)
    .where('created_at', '>', since)
    .execute()
  await trx
    .deleteFrom('totp_secrets')
    .where('customer_id', '=', customerId)
    .where(({ or, eb }) => or([eb('confirmed_at', '>', since), eb('confirmed_at', 'is', null)]))
    .execute()
  await trx
    .updateTable('totp_secrets')
    .set({ pending_encrypted: null, pending_until: null })
    .where('customer_id', '=', customerId)
    .execute()
  await trx
    .updateTable('customers')
    .set({
      second_step_at: sql<Date | null>`case when second_step_at <= ${since} then second_step_at end`,
      second_step_ends_at: null,
      way_back_hash: null,
    })
    .where('id', '=', customerId)
    .execute()
  if (await canAnswer(trx, customerId)) return
  const begun = await beginWayBack(trx, customerId)
  if (begun) await tellBeforeTheEnd(trx, customerId)
}
