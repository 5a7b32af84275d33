import type { ConversationWithEmail } from '#people/conversations/conversations.service.ts'
import type { MessageRow } from '#platform/database/tables/conversations.table.ts'

export const presentConversationRow = (row: ConversationWithEmail) => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  name: row.name,
  email: row.email,
  hasAccount: row.customer_id !== null,
  createdAt: row.created_at.toISOString(),
  lastMessageAt: row.last_message_at.toISOString(),
})

export const presentMessage = ({ id, author, text, created_at }: MessageRow) => ({
  id,
  author,
  text,
  createdAt: created_at.toISOString(),
})
