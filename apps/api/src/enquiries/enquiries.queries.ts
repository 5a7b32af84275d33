import { CONVERSATION_KEPT_MONTHS, type EnquiryKind, type EnquiryState } from '@hedgerow/domain/enquiries'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { Db } from '#database/client.ts'
import type { Database } from '#database/schema.ts'
import type { EnquiriesTable, EnquiryMessagesTable, EnquiryRow, MessageRow } from './enquiries.table.ts'

type Trx = Transaction<Database>

export type NewEnquiry = Pick<Insertable<EnquiriesTable>, 'id' | 'kind' | 'customer_id' | 'name'>
export type NewMessage = Pick<Insertable<EnquiryMessagesTable>, 'id' | 'enquiry_id' | 'author' | 'text'>

/** False when the id is taken. */
export const insertEnquiry = async (trx: Trx, row: NewEnquiry): Promise<boolean> => {
  const inserted = await trx
    .insertInto('enquiries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** False when the id is taken. */
export const insertMessage = async (trx: Trx, row: NewMessage): Promise<boolean> => {
  const inserted = await trx
    .insertInto('enquiry_messages')
    // The time at which it is written, not that at which its turn began.
    .values({ ...row, created_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Whether this very conversation, of the same customer and under the same name, is there already. */
export const hasEnquiry = async (db: Db, { id, kind, customer_id, name }: NewEnquiry): Promise<boolean> => {
  const row = await db
    .selectFrom('enquiries')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('customer_id', '=', customer_id)
    .where('name', '=', name)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether this very message is there already. */
export const hasMessage = async (db: Db, { id, enquiry_id, author, text }: NewMessage): Promise<boolean> => {
  const row = await db
    .selectFrom('enquiry_messages')
    .select('id')
    .where('id', '=', id)
    .where('enquiry_id', '=', enquiry_id)
    .where('author', '=', author)
    .where('text', '=', text)
    .executeTakeFirst()
  return row !== undefined
}

/** Whoever writes in a conversation, or decides about it, does so one after the other. */
export const lockEnquiry = (trx: Trx, id: string): Promise<EnquiryRow | undefined> =>
  trx.selectFrom('enquiries').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** How it stands once a message has been written in it. */
export const touchEnquiry = (trx: Trx, id: string, state: EnquiryState) =>
  trx
    .updateTable('enquiries')
    .set({ state, last_message_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()

export const setState = (trx: Trx, id: string, state: EnquiryState) =>
  trx.updateTable('enquiries').set({ state }).where('id', '=', id).execute()

/** The newest messages of each of these conversations, oldest first, and whether there were others before. */
export const listMessages = async (
  db: Db,
  enquiryIds: readonly string[],
  mostOfEach: number,
): Promise<(MessageRow & { has_earlier: boolean })[]> => {
  const { rows } = await sql<MessageRow & { has_earlier: boolean }>`
    select id, enquiry_id, author, text, created_at, how_many > ${mostOfEach}::int as has_earlier
    from (
      select *, row_number() over (partition by enquiry_id order by created_at desc, id) as from_end,
        count(*) over (partition by enquiry_id) as how_many
      from enquiry_messages where enquiry_id = any(${enquiryIds}::uuid[])
    ) as numbered
    where from_end <= ${mostOfEach}::int
    order by from_end desc`.execute(db)
  return rows
}

/** Of one customer, the one last written in first. */
export const listEnquiries = (db: Db, customerId: string, most: number): Promise<EnquiryRow[]> =>
  db
    .selectFrom('enquiries')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('last_message_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()

const withCustomer = (db: Db) =>
  db
    .selectFrom('enquiries')
    .innerJoin('customers', 'customers.id', 'enquiries.customer_id')
    .selectAll('enquiries')
    .select('customers.email')

export type EnquiryWithEmail = EnquiryRow & { email: string }

/** A conversation with the address of whoever began it. */
export const findEnquiry = (db: Db, id: string): Promise<EnquiryWithEmail | undefined> =>
  withCustomer(db).where('enquiries.id', '=', id).executeTakeFirst()

const HEX_DIGITS = 32

/** Two at most of those whose ids begin with these hexadecimal digits. */
export const findEnquiriesByStart = (db: Db, kind: EnquiryKind, start: string): Promise<EnquiryWithEmail[]> =>
  withCustomer(db)
    .where('enquiries.id', '>=', start.padEnd(HEX_DIGITS, '0'))
    .where('enquiries.id', '<=', start.padEnd(HEX_DIGITS, 'f'))
    .where('enquiries.kind', '=', kind)
    .limit(2)
    .execute()

/** Who wrote last, told with each: whose turn it is. */
export const listForOperator = (
  db: Db,
  { kind, state }: { kind: EnquiryKind; state?: EnquiryState | undefined },
  most: number,
) =>
  withCustomer(db)
    .select((row) =>
      row
        .selectFrom('enquiry_messages')
        .select('author')
        .whereRef('enquiry_id', '=', 'enquiries.id')
        .orderBy('created_at', 'desc')
        .limit(1)
        .as('last_author'),
    )
    .where('enquiries.kind', '=', kind)
    .$if(state !== undefined, (query) => query.where('enquiries.state', '=', state as EnquiryState))
    .orderBy('last_message_at', 'desc')
    .orderBy('enquiries.id')
    .limit(most)
    .execute()

export const findMessage = (db: Db, enquiryId: string, id: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom('enquiry_messages')
    .selectAll()
    .where('id', '=', id)
    .where('enquiry_id', '=', enquiryId)
    .executeTakeFirst()

/** What the customer wrote last before a moment. */
export const findWordsBefore = (db: Db, enquiryId: string, time: Date): Promise<MessageRow | undefined> =>
  db
    .selectFrom('enquiry_messages')
    .selectAll()
    .where('enquiry_id', '=', enquiryId)
    .where('author', '=', 'customer')
    .where('created_at', '<', time)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The operator's message in these words that was written within so many minutes. */
export const findSameReply = (db: Db, enquiryId: string, text: string, minutes: number) =>
  db
    .selectFrom('enquiry_messages')
    .selectAll()
    .where('enquiry_id', '=', enquiryId)
    .where('author', '=', 'operator')
    .where('text', '=', text)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst()

/** With all that was written in them. */
export const deleteOldEnquiries = (db: Db) =>
  db
    .deleteFrom('enquiries')
    .where('last_message_at', '<', sql<Date>`now() - make_interval(months => ${CONVERSATION_KEPT_MONTHS})`)
    .where('state', '<>', 'accepted')
    .execute()
