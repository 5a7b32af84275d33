import { sql } from 'kysely'
import type { Trx } from '#database/client.ts'

/** As long as the way back of somebody who has lost the second step takes. */
const WAY_BACK_DAYS = 7

const hasFactor = async (trx: Trx, customerId: string): Promise<boolean> => {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from passkeys where customer_id = ${customerId})
      or exists (select from totp_secrets where customer_id = ${customerId} and confirmed_at is not null) as has`.execute(
    trx,
  )
  return rows[0]?.has ?? false
}

/**
 * An intruder had the account since then: what was added to prove its owner is removed, and what was there before stays. A
 * second step that was on before stays on. If nothing is left that would open it, it ends after the waiting time of one
 * that was lost: a mailbox alone opens no such account at once. Returns when it ends, where it does.
 */
export const dropNewerFactors = async (trx: Trx, customerId: string, since: Date): Promise<Date | null> => {
  await trx
    .deleteFrom('passkeys')
    .where('customer_id', '=', customerId)
    .where('created_at', '>', since)
    .execute()
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
  const waits = !(await hasFactor(trx, customerId))
  const row = await trx
    .updateTable('customers')
    .set({
      second_step_at: sql<Date | null>`case when second_step_at <= ${since} then second_step_at end`,
      second_step_ends_at: sql<Date | null>`case when second_step_at <= ${since} and ${waits}
        then now() + make_interval(days => ${sql.lit(WAY_BACK_DAYS)}) end`,
      way_back_hash: null,
    })
    .where('id', '=', customerId)
    .returning('second_step_ends_at')
    .executeTakeFirstOrThrow()
  return row.second_step_ends_at
}
