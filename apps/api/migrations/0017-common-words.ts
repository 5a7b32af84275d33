import { type Kysely, sql } from 'kysely'

/** Tables, columns and queued jobs get the names that other payment and VPN companies use for them; no content changes. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table enquiries rename to conversations`.execute(db)
  await sql`alter table enquiry_messages rename to conversation_messages`.execute(db)
  await sql`alter table conversation_messages rename column enquiry_id to conversation_id`.execute(db)
  await sql`alter index enquiries_by_customer rename to conversations_by_customer`.execute(db)
  await sql`alter index enquiries_by_age rename to conversations_by_age`.execute(db)
  await sql`alter index new_enquiries rename to new_conversations`.execute(db)
  await sql`alter index enquiry_messages_in_turn rename to conversation_messages_in_turn`.execute(db)
  await sql`alter table conversations rename constraint enquiries_state_check to conversations_state_check`.execute(
    db,
  )
  await sql`alter table payments rename column prescription to next_action`.execute(db)
  await sql`alter table payments rename column news_at to gate_updated_at`.execute(db)
  await sql`alter table payments rename column told_at to notified_at`.execute(db)
  await sql`alter table nodes rename column told_down_at to down_notified_at`.execute(db)
  await sql`alter table nodes rename column told_low_at to low_notified_at`.execute(db)
  await sql`alter table node_watch rename column told_waiting_at to waiting_notified_at`.execute(db)
  await sql`alter table partners rename column crossings to referral_visits`.execute(db)
  await sql`alter index withdrawals_asked rename to withdrawals_requested`.execute(db)
  await renameJobs(db)
}

const JOBS = [
  ['mail-enquiry', 'mail-conversation'],
  ['mail-enquiry-received', 'mail-conversation-received'],
  ['mail-written-on', 'mail-new-message'],
  ['mail-withdrawal-asked', 'mail-withdrawal-requested'],
  ['see-to-nodes', 'maintain-nodes'],
] as const

/** The queue makes its own tables, after these: a new shop has none yet, one that is upgraded or restored has jobs in them. */
const renameJobs = async (db: Kysely<unknown>): Promise<void> => {
  const { rows } = await sql<{ has_queue: boolean }>`
    select to_regclass('graphile_worker._private_jobs') is not null as has_queue`.execute(db)
  if (!rows[0]?.has_queue) return
  for (const [before, after] of JOBS) {
    await sql`update graphile_worker._private_tasks set identifier = ${after} where identifier = ${before}`.execute(
      db,
    )
    await sql`update graphile_worker._private_jobs set key = ${after} where key = ${before}`.execute(db)
  }
  await sql`
    update graphile_worker._private_jobs
    set payload = (payload::jsonb - 'enquiryId' || jsonb_build_object('conversationId', payload->>'enquiryId'))::json
    where payload->>'enquiryId' is not null`.execute(db)
}
