import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table enquiry_messages (
      id uuid primary key,
      enquiry_id uuid not null references enquiries on delete cascade,
      author text not null check (author in ('customer', 'operator')),
      text text not null check (length(text) between 1 and 5000),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index enquiry_messages_in_turn on enquiry_messages (enquiry_id, created_at)`.execute(db)
  // The first words of a conversation carry its own id.
  await sql`
    insert into enquiry_messages (id, enquiry_id, author, text, created_at)
    select id, id, 'customer', text, created_at from enquiries`.execute(db)
  await sql`alter table enquiries drop column text, drop constraint enquiries_state_check`.execute(db)
  await sql`update enquiries set state = 'talking' where kind = 'application' and state = 'answered'`.execute(
    db,
  )
  await sql`
    alter table enquiries
      add column last_message_at timestamptz not null default now(),
      add constraint enquiries_state_check check (case kind
        when 'support' then state in ('new', 'answered', 'closed')
        else state in ('new', 'talking', 'accepted', 'refused') end)`.execute(db)
  await sql`update enquiries set last_message_at = created_at`.execute(db)
  await sql`drop index enquiries_by_customer`.execute(db)
  await sql`create index enquiries_by_customer on enquiries (customer_id, last_message_at desc)`.execute(db)
  await sql`create index enquiries_by_age on enquiries (last_message_at)`.execute(db)
}
