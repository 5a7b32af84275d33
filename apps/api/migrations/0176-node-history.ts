import { type Kysely, sql } from 'kysely'

/**
 * How each node fared: by the minute for a day, by the hour for a year. Sums of a whole node, and nothing of a peer. What its
 * agent says is null until it has said it; the shop's own tries from outside are counted in the same row.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table node_minutes (
      node_id uuid not null references nodes,
      minute timestamptz not null,
      peers integer check (peers >= 0),
      received bigint check (received >= 0),
      sent bigint check (sent >= 0),
      processor smallint check (processor between 0 and 100),
      errors integer check (errors >= 0),
      lists_age_hours integer check (lists_age_hours >= 0),
      tries integer not null default 0,
      lost integer not null default 0,
      primary key (node_id, minute),
      check (lost between 0 and tries),
      check (num_nulls(peers, received, sent, processor, errors) in (0, 5))
    )`.execute(db)
  await sql`create index node_minutes_by_minute on node_minutes (minute)`.execute(db)
  await sql`
    create table node_hours (
      node_id uuid not null references nodes,
      hour timestamptz not null,
      minutes smallint not null default 0 check (minutes between 0 and 60),
      peers bigint not null default 0,
      peers_most integer not null default 0,
      received bigint not null default 0,
      sent bigint not null default 0,
      processor integer not null default 0,
      processor_most smallint not null default 0,
      errors bigint not null default 0,
      lists_age_hours integer,
      tries integer not null default 0,
      lost integer not null default 0,
      primary key (node_id, hour),
      check (lost between 0 and tries)
    )`.execute(db)
  await sql`create index node_hours_by_hour on node_hours (hour)`.execute(db)
}
