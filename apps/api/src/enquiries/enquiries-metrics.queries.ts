import { sql } from 'kysely'
import type { Db } from '#database/client.ts'

/** What customers wrote and nobody has answered, and since when: from the first words after the operator's last. */
export const countNewEnquiries = async (db: Db) => {
  const { rows } = await sql<{ kind: 'application' | 'support'; count: number; oldest_seconds: number }>`
    select kind, count(*)::float8 as count,
      coalesce(extract(epoch from now() - min(unanswered_since)), 0)::float8 as oldest_seconds
    from enquiries, lateral (
      select min(created_at) as unanswered_since from enquiry_messages as message
      where message.enquiry_id = enquiries.id and not exists (
        select from enquiry_messages as answer
        where answer.enquiry_id = enquiries.id and answer.author = 'operator' and answer.created_at >= message.created_at
      )
    ) as waiting
    where state = 'new' group by kind`.execute(db)
  return rows
}
