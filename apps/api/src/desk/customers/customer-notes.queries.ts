import { rolesWith } from '@hedgerow/domain/operator-roles'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'

/** Newest first. */
export const listNotes = (db: Db, customerId: string) =>
  db
    .selectFrom('customer_notes')
    .innerJoin('operators', 'operators.id', 'operator_id')
    .select(['customer_notes.id', 'operator_id', 'operators.name as by', 'text', 'customer_notes.created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('customer_notes.created_at', 'desc')
    .orderBy('customer_notes.id')
    .execute()

/** False where the account has gone. */
export const insertNote = async (
  db: Db,
  note: { id: string; customer_id: string; operator_id: string; text: string },
): Promise<boolean> => {
  const row = await db
    .insertInto('customer_notes')
    .columns(['id', 'customer_id', 'operator_id', 'text'])
    .expression(({ selectFrom }) =>
      selectFrom('customers')
        .select([
          sql<string>`${note.id}::uuid`.as('id'),
          'customers.id as customer_id',
          sql<string>`${note.operator_id}::uuid`.as('operator_id'),
          sql<string>`${note.text}::text`.as('text'),
        ])
        .where('customers.id', '=', note.customer_id),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Of one operator, where one is named. False where there is no such note. */
export const deleteNote = async (
  db: Db,
  { id, customerId, operatorId }: { id: string; customerId: string; operatorId: string | undefined },
): Promise<boolean> => {
  const row = await db
    .deleteFrom('customer_notes')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .$if(operatorId !== undefined, (query) => query.where('operator_id', '=', operatorId ?? ''))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** So long another operator has to agree. */
const RESET_LASTS = sql<boolean>`asked_at > now() - interval '24 hours'`

export const findReset = (db: Db, customerId: string) =>
  db
    .selectFrom('second_step_resets')
    .innerJoin('operators', 'operators.id', 'operator_id')
    .select(['operator_id', 'operators.name as by', 'asked_at'])
    .where('customer_id', '=', customerId)
    .where(RESET_LASTS)
    // As they are now: the word of one who has gone, or may do less since, does not count.
    .where('operators.ended_at', 'is', null)
    .where('operators.role', 'in', rolesWith('customers.reset-second-step'))
    .executeTakeFirst()

export const askReset = async (trx: Trx, customerId: string, operatorId: string): Promise<void> => {
  await trx
    .insertInto('second_step_resets')
    .values({ customer_id: customerId, operator_id: operatorId })
    .onConflict((conflict) =>
      conflict.column('customer_id').doUpdateSet({ operator_id: operatorId, asked_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Of several who agree at once, one gets true. */
export const takeReset = async (db: Db, customerId: string): Promise<boolean> => {
  const row = await db
    .deleteFrom('second_step_resets')
    .where('customer_id', '=', customerId)
    .where(RESET_LASTS)
    .returning('customer_id')
    .executeTakeFirst()
  return row !== undefined
}
