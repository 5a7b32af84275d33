import type { ConversationKind, ConversationState, MessageAuthor } from '@hedgerow/domain/conversations'
import type { ColumnType, Generated, Selectable } from 'kysely'

type Time = ColumnType<Date, Date | undefined, Date>

/** A conversation between a customer and the operator. `id` was made by the customer's page. */
export type ConversationsTable = {
  id: string
  kind: ConversationKind
  customer_id: string
  name: string
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

export type ConversationsTables = {
  conversations: ConversationsTable
  conversation_messages: ConversationMessagesTable
}
