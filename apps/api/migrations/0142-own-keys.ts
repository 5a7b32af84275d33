import { type Kysely, sql } from 'kysely'

/** A key that its customer made, of which the shop has the public half alone. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table peers
      add column has_own_key boolean not null default false,
      add constraint own_key_is_not_here check (not has_own_key or private_key_encrypted is null) not valid`.execute(
    db,
  )
}
