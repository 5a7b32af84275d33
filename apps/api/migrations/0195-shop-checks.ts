import { type Kysely, sql } from 'kysely'

/** What the shop found when it last looked at what it needs: its machine, mail server, gateways and the like. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table shop_checks (
      name text not null,
      machine text not null,
      state text not null check (state in ('ok', 'warning', 'problem')),
      says text not null,
      act text,
      since timestamptz not null default now(),
      looked_at timestamptz not null default now(),
      told_at timestamptz,
      primary key (name, machine)
    )`.execute(db)
}
