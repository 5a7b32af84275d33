import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** What customers wrote and was not answered, and since when: from the first words after the operator's last. */
export const countNewConversations = async (db: Db) => {
  const { rows } = await sql<{
    kind: 'application' | 'support'
    count: number
    oldest_seconds: number
    only: string
  }>`
    select kind, count(*)::float8 as count, min(conversations.id::text) as only,
      coalesce(extract(epoch from now() - min(unanswered_since)), 0)::float8 as oldest_seconds
    from conversations, lateral (
      select min(created_at) as unanswered_since from conversation_messages as message
      where message.conversation_id = conversations.id and not exists (
        select from conversation_messages as answer
        where answer.conversation_id = conversations.id and answer.author = 'operator' and answer.created_at >= message.created_at
      )
    ) as waiting
    where state = 'new' and not is_held group by kind`.execute(db)
  return rows
}
