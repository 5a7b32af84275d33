import type { ConversationKind, ConversationState, MessageAuthor } from '@hedgerow/domain/conversations'
import type { ColumnType, Generated, Selectable } from 'kysely'

type Time = ColumnType<Date, Date | undefined, Date>

/**
 * A conversation between a customer and the operator. `id` was made by the customer's page. Of someone who asked without
 * an account it has the address and a link in the place of the customer.
 */
export type ConversationsTable = {
  id: string
  kind: ConversationKind
  customer_id: string | null
  email: ColumnType<string | null, string | null | undefined, never>
  /** Of a visitor, which mailbox the address names (`mailboxOf`). Null: from before. */
  sender: ColumnType<string | null, string | null | undefined, never>
  link_hash: ColumnType<Buffer | null, Buffer | null | undefined, never>
  /** The link was opened, so the mails of the address are read. */
  link_opened_at: ColumnType<Date | null, never, Date>
  /** Of a visitor, while too many questions waited: the operator is mailed once the link was opened. */
  is_held: Generated<boolean>
  name: string
  /** Who answers it; null: not assigned. */
  operator_id: ColumnType<string | null, never, string | null>
  state: Generated<ConversationState>
  created_at: ColumnType<Date, Date | undefined, never>
  last_message_at: Time
}

/** The first one of a conversation carries the conversation's id. */
export type ConversationMessagesTable = {
  id: string
  conversation_id: string
  author: MessageAuthor
  text: string
  created_at: ColumnType<Date, Date | undefined, never>
}

export type ConversationRow = Selectable<ConversationsTable>
export type MessageRow = Selectable<ConversationMessagesTable>

/** Up to when an operator has seen a conversation. */
export type ConversationViewsTable = {
  operator_id: string
  conversation_id: string
  seen_at: Time
}

/** An answer that is given often. */
export type CannedRepliesTable = {
  id: string
  title: string
  text: string
  created_at: ColumnType<Date, Date | undefined, never>
}

export type ConversationsTables = {
  conversation_views: ConversationViewsTable
  canned_replies: CannedRepliesTable
  conversations: ConversationsTable
  conversation_messages: ConversationMessagesTable
}
