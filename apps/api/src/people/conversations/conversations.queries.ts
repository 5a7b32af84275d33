import {
  CONVERSATION_KEPT_MONTHS,
  type ConversationKind,
  type ConversationState,
  QUESTION_LINK_DAYS,
} from '@hedgerow/domain/conversations'
import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import type {
  ConversationMessagesTable,
  ConversationRow,
  ConversationsTable,
  MessageRow,
} from '#platform/database/tables/conversations.table.ts'

export type NewConversation = Pick<
  Insertable<ConversationsTable>,
  'id' | 'kind' | 'customer_id' | 'name' | 'email' | 'sender' | 'link_hash' | 'is_held'
>
export type NewMessage = Pick<
  Insertable<ConversationMessagesTable>,
  'id' | 'conversation_id' | 'author' | 'text'
>

/** False when the id is taken. */
export const insertConversation = async (trx: Trx, row: NewConversation): Promise<boolean> => {
  const inserted = await trx
    .insertInto('conversations')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** False when the id is taken. */
export const insertMessage = async (trx: Trx, row: NewMessage): Promise<boolean> => {
  const inserted = await trx
    .insertInto('conversation_messages')
    // The time at which it is written, not that at which its turn began.
    .values({ ...row, created_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Whether this very conversation, of the same author and under the same name, is there already. */
export const hasConversation = async (
  db: Db,
  { id, kind, customer_id, name, email = null }: NewConversation,
): Promise<boolean> => {
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('customer_id', 'is not distinct from', customer_id ?? null)
    .where('email', 'is not distinct from', email)
    .where('name', '=', name)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether this very message is there already. */
export const hasMessage = async (
  db: Db,
  { id, conversation_id, author, text }: NewMessage,
): Promise<boolean> => {
  const row = await db
    .selectFrom('conversation_messages')
    .select('id')
    .where('id', '=', id)
    .where('conversation_id', '=', conversation_id)
    .where('author', '=', author)
    .where('text', '=', text)
    .executeTakeFirst()
  return row !== undefined
}

/** Writing in a conversation and deciding about it happen one after the other. */
export const lockConversation = (trx: Trx, id: string): Promise<ConversationRow | undefined> =>
  trx.selectFrom('conversations').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** How it stands once a message has been written in it. */
export const touchConversation = (trx: Trx, id: string, state: ConversationState) =>
  trx
    .updateTable('conversations')
    .set({ state, last_message_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()

export const setState = (trx: Trx, id: string, state: ConversationState) =>
  trx.updateTable('conversations').set({ state }).where('id', '=', id).execute()

/** `bytes`: of all together, in the order of the conversations; the newest message of each is read in any case. */
type MostMessages = { ofEach: number; bytes: number }

/** The newest messages of each of these conversations, oldest first, and whether there were others before. */
export const listMessages = async (
  db: Db,
  conversationIds: readonly string[],
  most: MostMessages,
): Promise<(MessageRow & { has_earlier: boolean })[]> => {
  const { rows } = await sql<MessageRow & { has_earlier: boolean }>`
    select id, conversation_id, author, text, created_at, has_earlier
    from (
      select *, bool_or(not is_read) over (partition by conversation_id) as has_earlier
      from (
        select message.*, from_end = 1 or from_end <= ${most.ofEach}::int and
          sum(octet_length(text)) over (order by place, from_end) <= ${most.bytes}::int as is_read
        from unnest(${conversationIds}::uuid[]) with ordinality as listed (listed_id, place)
        cross join lateral (
          select *, row_number() over (order by created_at desc, id) as from_end
          from conversation_messages where conversation_id = listed_id
          order by created_at desc, id limit ${most.ofEach}::bigint + 1
        ) as message
      ) as judged
    ) as found
    where is_read
    order by from_end desc`.execute(db)
  return rows
}

/** What an account writes at once is counted one after the other. */
export const waitForTurnOf = (trx: Trx, account: string) =>
  sql`select pg_advisory_xact_lock(hashtext('messages'), hashtext(${account}))`.execute(trx)

/**
 * How many messages other than this one were written by the customer within these days and since the operator's last answer:
 * in one conversation, or in all of an account.
 */
export const countUnanswered = async (
  trx: Trx,
  within: { conversation: string } | { account: string },
  messageId: string,
  days: number,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from conversations join conversation_messages as message on conversation_id = conversations.id
    where ${'account' in within ? sql`customer_id = ${within.account}` : sql`conversations.id = ${within.conversation}`}
      and author = 'customer' and message.id <> ${messageId}
      and message.created_at > now() - make_interval(days => ${days}) and not exists (
        select from conversation_messages as answer where answer.conversation_id = conversations.id
          and answer.author = 'operator' and answer.created_at >= message.created_at
      )`.execute(trx)
  return rows[0]?.count ?? 0
}

/** Also what was asked without the account, by its address. A session means that the address is confirmed. */
const askedBy = (customerId: string) =>
  sql<boolean>`conversations.customer_id is null
    and lower(conversations.email) = (select email from customers where id = ${customerId})`

/**
 * What a customer has written. Of questions without the account those whose link was opened: others may have been typed by a stranger
 * may have typed the address.
 */
const ofCustomer = (customerId: string) =>
  sql<boolean>`(conversations.customer_id = ${customerId}
    or (conversations.link_opened_at is not null and ${askedBy(customerId)}))`

export const isOfCustomer = async (db: Db, id: string, customerId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', id)
    .where(ofCustomer(customerId))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * What is held of the account, and under its address, which anyone may have typed: of what was never opened by its mailed link
 * the latest so many, because a stranger can write without end.
 */
export const listHeld = (db: Db, customerId: string, mostUnopened: number): Promise<ConversationRow[]> =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where(ofCustomer(customerId))
    .unionAll((both) =>
      both.parens(
        both
          .selectFrom('conversations')
          .selectAll()
          .where(askedBy(customerId))
          .where('link_opened_at', 'is', null)
          .orderBy('last_message_at', 'desc')
          .limit(mostUnopened),
      ),
    )
    .orderBy('last_message_at', 'desc')
    .orderBy('id')
    .execute()

/** What is the account's goes with it. */
export const deleteQuestionsOf = (trx: Trx, customerId: string) =>
  trx.deleteFrom('conversations').where(askedBy(customerId)).execute()

/** Of one customer, the one last written in first. */
export const listConversationRows = (db: Db, customerId: string, most: number): Promise<ConversationRow[]> =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where(ofCustomer(customerId))
    .orderBy('last_message_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()

const withCustomer = (db: Db) =>
  db
    .selectFrom('conversations')
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .selectAll('conversations')
    .select(sql<string>`coalesce(customers.email, conversations.email)`.as('email'))

export type ConversationWithEmail = Omit<ConversationRow, 'email'> & { email: string }

/** A conversation with its author's address. */
export const findConversation = (db: Db, id: string): Promise<ConversationWithEmail | undefined> =>
  withCustomer(db).where('conversations.id', '=', id).executeTakeFirst()

const HEX_DIGITS = 32

/** Two at most of those whose ids begin with these hexadecimal digits. */
export const findConversationsByStart = (
  db: Db,
  kind: ConversationKind,
  start: string,
): Promise<ConversationWithEmail[]> =>
  withCustomer(db)
    .where('conversations.id', '>=', start.padEnd(HEX_DIGITS, '0'))
    .where('conversations.id', '<=', start.padEnd(HEX_DIGITS, 'f'))
    .where('conversations.kind', '=', kind)
    .limit(2)
    .execute()

export const newestMessageId = async (db: Db, conversationId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom('conversation_messages')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export const findMessage = (db: Db, conversationId: string, id: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('id', '=', id)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst()

/** What the customer wrote last before a moment. */
export const findWordsBefore = (
  db: Db,
  conversationId: string,
  time: Date,
): Promise<MessageRow | undefined> =>
  db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('author', '=', 'customer')
    .where('created_at', '<', time)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The operator's message in these words that was written within so many minutes. */
export const findSameReply = (db: Db, conversationId: string, text: string, minutes: number) =>
  db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('author', '=', 'operator')
    .where('text', '=', text)
    .where('created_at', '>', sql<Date>`now() - make_interval(mins => ${minutes})`)
    .executeTakeFirst()

/** With all that was written in them. One that is held cannot be released any more once its link has expired. */
export const deleteOldConversations = async (db: Db): Promise<void> => {
  const isOld = sql`last_message_at < now() - make_interval(months => ${CONVERSATION_KEPT_MONTHS})`
  const isUnseen = sql`is_held and last_message_at < now() - make_interval(days => ${QUESTION_LINK_DAYS})`
  await deleteDue(db, 'conversations', sql`state <> 'accepted' and ${isOld}`)
  await deleteDue(db, 'conversations', sql`state <> 'accepted' and ${isUnseen}`)
}
