import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table payments validate constraint payments_gateway`.execute(db)
  await sql`alter table payments validate constraint payments_gateway_ref`.execute(db)
  await sql`create unique index payments_of_gateway_ref on payments (gateway, gateway_ref) where gateway_ref is not null`.execute(
    db,
  )
}
