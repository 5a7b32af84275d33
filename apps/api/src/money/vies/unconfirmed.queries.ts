import { sql } from 'kysely'
import type { ViesAnswer } from '#money/vies/vies-client.ts'
import type { Db, Trx } from '#platform/database/client.ts'

export type Unconfirmed = {
  id: string
  vat_number: string
  vat_country: string
  vat_number_standing: 'unchecked' | 'unanswered'
}

/**
 * Invoiced sales whose number VIES has not confirmed, those first that were asked about longest ago. For 90 days: registers
 * are away for hours, and by then the return of the sale's quarter is made.
 */
export const listUnconfirmed = async (db: Db, limit: number): Promise<Unconfirmed[]> => {
  const { rows } = await sql<Unconfirmed>`
    select id, vat_number, vat_country, vat_number_standing from payments
    where vat_number_standing in ('unchecked', 'unanswered') and vies_late_answer is null
      and status = 'Success' and is_invoiced and ended_at > now() - interval '90 days'
    order by vies_asked_at nulls first, id limit ${limit}`.execute(db)
  return rows
}

export const noteAsked = async (db: Db, id: string): Promise<void> => {
  await sql`update payments set vies_asked_at = now() where id = ${id}`.execute(db)
}

/** True once: the first that notes it corrects the invoice. */
export const noteLateAnswer = async (trx: Trx, id: string, answer: ViesAnswer): Promise<boolean> => {
  const { name = null, address = null } = answer.kind === 'valid' ? answer : {}
  const { rows } = await sql`
    update payments set vies_late_answer = ${answer.kind}, vies_asked_at = now(),
      vies_name = coalesce(${name}, vies_name), vies_address = coalesce(${address}, vies_address)
    where id = ${id} and vies_late_answer is null returning id`.execute(trx)
  return rows.length > 0
}
