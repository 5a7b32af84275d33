import type { Conversation } from '@hedgerow/contract/conversations'
import type { ConversationRow, MessageRow } from '#platform/database/tables/conversations.table.ts'

const presentMessage = ({ id, author, text, created_at }: MessageRow): Conversation['messages'][number] => ({
  _id: id,
  author,
  text,
  createdAt: created_at.toISOString(),
})

export const presentConversation = (
  row: Omit<ConversationRow, 'email'>,
  messages: readonly (MessageRow & { has_earlier: boolean })[],
): Conversation => ({
  _id: row.id,
  kind: row.kind,
  name: row.name,
  state: row.state,
  createdAt: row.created_at.toISOString(),
  lastMessageAt: row.last_message_at.toISOString(),
  hasEarlier: messages.some(({ has_earlier }) => has_earlier),
  messages: messages.map(presentMessage),
})
