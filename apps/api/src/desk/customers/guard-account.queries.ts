import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'

export type GuardFacts = {
  second_step_at: Date | null
  second_step_ends_at: Date | null
  totp_at: Date | null
  recovery_codes: number
}

/** Nothing of what it takes to get in. Undefined for an account that is gone. */
export const findGuard = async (db: Db, customerId: string): Promise<GuardFacts | undefined> => {
  const { rows } = await sql<GuardFacts>`
    select second_step_at, second_step_ends_at,
      (select confirmed_at from totp_secrets where customer_id = customers.id) as totp_at,
      (select count(*)::integer from recovery_codes where customer_id = customers.id and used_at is null) as recovery_codes
    from customers where id = ${customerId}`.execute(db)
  return rows[0]
}

/** A password that nobody knows: the account opens by none until its owner has chosen another. */
export const replacePasswordBy = (trx: Trx, customerId: string, passwordHash: string) =>
  trx.updateTable('customers').set({ password_hash: passwordHash }).where('id', '=', customerId).execute()
