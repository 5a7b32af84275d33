import { type Kysely, sql } from 'kysely'

/** Another port of a node, and whether it answers there; and how the file of a connection differs from the plain one. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table nodes add column second_port integer,
    add column second_port_answers boolean not null default false`.execute(db)
  await sql`alter table connections add column file_form text[] not null default '{}'`.execute(db)
}
