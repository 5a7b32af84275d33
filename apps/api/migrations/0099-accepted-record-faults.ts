import { type Kysely, sql } from 'kysely'

/** What an owner looked into, where the record of what operators did does not hold. `mac` is of the shop's key. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table accepted_record_faults (
    seq bigint not null,
    says text not null,
    accepted_at timestamptz not null default clock_timestamp(),
    mac bytea not null,
    primary key (seq, says)
  )`.execute(db)
}
