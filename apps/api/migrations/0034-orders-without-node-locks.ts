import { type Kysely, sql } from 'kysely'

/** A foreign key would lock the one row of its node with each order, and with each delivery. Rows of nodes are never deleted. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    alter table orders
      drop constraint orders_location_id_fkey,
      drop constraint orders_delivered_location_id_fkey`.execute(db)
}
