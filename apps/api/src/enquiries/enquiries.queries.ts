import type { Insertable } from 'kysely'
import type { Db } from '#database/client.ts'
import type { EnquiriesTable } from './enquiries.table.ts'

export type NewEnquiry = Pick<Insertable<EnquiriesTable>, 'id' | 'kind' | 'customer_id' | 'name' | 'text'>

/** Undefined when the id is taken. */
export const insertEnquiry = (db: Db, row: NewEnquiry) =>
  db
    .insertInto('enquiries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()

/** Whether this very enquiry, of the same customer and in the same words, is there already. */
export const hasEnquiry = async (
  db: Db,
  { id, kind, customer_id, name, text }: NewEnquiry,
): Promise<boolean> => {
  const row = await db
    .selectFrom('enquiries')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('customer_id', '=', customer_id)
    .where('name', '=', name)
    .where('text', '=', text)
    .executeTakeFirst()
  return row !== undefined
}

/** An enquiry with the address of whoever wrote it. */
export const findEnquiry = (db: Db, id: string) =>
  db
    .selectFrom('enquiries')
    .innerJoin('customers', 'customers.id', 'enquiries.customer_id')
    .select(['enquiries.kind', 'enquiries.name', 'enquiries.text', 'enquiries.created_at', 'customers.email'])
    .where('enquiries.id', '=', id)
    .executeTakeFirst()

/** Everything that a customer wrote to us, oldest first: part of what they may download of themselves. */
export const listEnquiriesForExport = (db: Db, customerId: string) =>
  db
    .selectFrom('enquiries')
    .select(['id', 'kind', 'name', 'text', 'state', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .execute()
