import type { ConversationKind, ConversationState, MessageAuthor } from '@hedgerow/domain/conversations'
import { sql } from 'kysely'
import { shownOperator } from '#people/operators/operator-actions.ts'
import type { Db } from '#platform/database/client.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'

export type InboxSearch = {
  isWaiting?: boolean | undefined
  kind?: ConversationKind | undefined
  state?: ConversationState | undefined
  of?: 'me' | 'nobody' | undefined
  isUnread?: boolean | undefined
  customerId?: string | undefined
}

/**
 * Of the questions of a visitor that wait, and of the applications of an account, the one that waited longest: with its answer
 * the next takes its place.
 */
const IS_FIRST_OF_SENDER = sql<boolean>`(conversations.state <> 'new'
  or (conversations.kind = 'support' and conversations.customer_id is not null)
  or conversations.id in (
    select distinct on (kind, coalesce(customer_id::text, sender, id::text)) id from conversations
    where state = 'new' and not is_held and (customer_id is null or kind = 'application')
    order by kind, coalesce(customer_id::text, sender, id::text), created_at, id))`

const LAST_AUTHOR = sql<MessageAuthor>`(select author from conversation_messages
  where conversation_id = conversations.id order by created_at desc limit 1)`

/** An application that is being talked about waits while its last words are the customer's. */
const IS_WAITING = sql<boolean>`(conversations.state = 'new'
  or (conversations.kind = 'application' and conversations.state = 'talking' and ${LAST_AUTHOR} = 'customer'))`

/** The first message since our last: who writes once more has waited no shorter. */
const WAITING_SINCE = sql<Date>`coalesce((select min(written.created_at) from conversation_messages as written
  where written.conversation_id = conversations.id and written.created_at > coalesce((
    select max(answer.created_at) from conversation_messages as answer
    where answer.conversation_id = conversations.id and answer.author = 'operator'), '-infinity')),
  conversations.last_message_at)`

/** What a search finds, in no order, as one operator sees it. */
export const selectInbox = (
  db: Db,
  operatorId: string | null,
  { isWaiting, kind, state, of, isUnread, customerId }: InboxSearch,
  isOneOfEach = false,
) =>
  db
    .selectFrom('conversations')
    .leftJoin('operators', 'operators.id', 'conversations.operator_id')
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .leftJoin('conversation_views', (join) =>
      join
        .onRef('conversation_views.conversation_id', '=', 'conversations.id')
        .on(sql<boolean>`conversation_views.operator_id = ${operatorId}::uuid`),
    )
    .select((row) => [
      'conversations.id',
      'conversations.kind',
      'conversations.state',
      'conversations.name',
      'conversations.customer_id',
      'conversations.created_at',
      'conversations.last_message_at',
      'conversations.operator_id',
      'operators.name as operator_name',
      sql<string>`coalesce(customers.email, conversations.email)`.as('email'),
      sql<boolean>`coalesce(conversation_views.seen_at < conversations.last_message_at, true)`.as(
        'is_unread',
      ),
      LAST_AUTHOR.as('last_author'),
      IS_WAITING.as('is_waiting'),
      WAITING_SINCE.as('waiting_since'),
      row
        .selectFrom('conversation_messages')
        .select(sql<string>`left(text, 600)`.as('text'))
        .whereRef('conversation_messages.conversation_id', '=', 'conversations.id')
        .where('conversation_messages.author', '=', 'customer')
        .orderBy('conversation_messages.created_at', 'desc')
        .limit(1)
        .as('last_words'),
    ])
    .where('conversations.is_held', '=', false)
    .$if(isOneOfEach && customerId === undefined, (query) => query.where(IS_FIRST_OF_SENDER))
    .$if(isWaiting === true, (query) => query.where(IS_WAITING))
    .$if(kind !== undefined, (query) => query.where('conversations.kind', '=', kind as ConversationKind))
    .$if(state !== undefined, (query) => query.where('conversations.state', '=', state as ConversationState))
    .$if(of === 'me', (query) => query.where(sql<boolean>`conversations.operator_id = ${operatorId}::uuid`))
    .$if(of === 'nobody', (query) => query.where('conversations.operator_id', 'is', null))
    .$if(isUnread === true, (query) =>
      query.where(sql<boolean>`coalesce(conversation_views.seen_at < conversations.last_message_at, true)`),
    )
    .$if(customerId !== undefined, (query) =>
      query.where('conversations.customer_id', '=', customerId as string),
    )

export type InboxRow = Awaited<ReturnType<ReturnType<typeof selectInbox>['executeTakeFirstOrThrow']>>

/** What lists are sorted by. */
export const inboxOrder = {
  sorts: {
    lastMessageAt: { by: sql`conversations.last_message_at`, type: 'timestamptz' },
    waitingSince: { by: WAITING_SINCE, type: 'timestamptz' },
  },
  id: { by: sql`conversations.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

export const markSeen = async (db: Db, operatorId: string, conversationId: string): Promise<void> => {
  await db
    .insertInto('conversation_views')
    .values({ operator_id: operatorId, conversation_id: conversationId })
    .onConflict((conflict) =>
      conflict.columns(['operator_id', 'conversation_id']).doUpdateSet({ seen_at: sql<Date>`now()` }),
    )
    .execute()
}

/** False where it is somebody else's by now, or gone. */
export const assign = async (
  db: Db,
  conversationId: string,
  { to, from }: { to: string | null; from: string | null },
): Promise<boolean> => {
  const row = await db
    .updateTable('conversations')
    .set({ operator_id: to })
    .where('id', '=', conversationId)
    .where(sql<boolean>`operator_id is not distinct from ${from}::uuid`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const listColleagueRows = (db: Db, roles: readonly string[]) =>
  db
    .selectFrom('operators')
    .select(['id', 'name'])
    .where('ended_at', 'is', null)
    .where(sql<boolean>`role = any(${roles}::text[])`)
    .orderBy('name')
    .execute()

/** When an operator wrote something in a conversation, and who it was, as the record has it. */
export const listWriting = async (db: Db, conversationId: string) => {
  const rows = await db
    .selectFrom('operator_actions')
    .select(['at', 'ended_at', 'who'])
    .where('subject', '=', conversationId)
    .where('command', 'in', ['support reply', 'application set'])
    .where('outcome', '=', 'done')
    .execute()
  return rows.map(({ who, ...when }) => ({ ...when, by: shownOperator(who) }))
}

export const listCanned = (db: Db) =>
  db.selectFrom('canned_replies').select(['id', 'title', 'text']).orderBy(sql`lower(title)`).execute()

/** False where one has the title. */
export const insertCanned = async (
  db: Db,
  row: { id: string; title: string; text: string },
): Promise<boolean> => {
  const inserted = await db
    .insertInto('canned_replies')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export const deleteCanned = async (db: Db, id: string): Promise<boolean> => {
  const row = await db.deleteFrom('canned_replies').where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}
