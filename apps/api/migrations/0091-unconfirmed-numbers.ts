import { type Kysely, sql } from 'kysely'
import { buildIndex } from '#platform/database/build-index.ts'

export const isOutsideTransaction = true

/** Sales to VAT numbers that VIES has not confirmed yet. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await buildIndex(
    db,
    'payments_with_unconfirmed_number',
    sql`on payments (vies_asked_at nulls first, id)
      where vat_number_standing in ('unchecked', 'unanswered') and vies_late_answer is null`,
  )
}
