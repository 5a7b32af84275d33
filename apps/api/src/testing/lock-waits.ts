import { sql } from 'kysely'
import type { TestShop } from '#testing/test-shop.ts'

/** Whether so many queries of this shop's database wait for a lock: on its server there are those of other tests. */
export const areWaiting = async ({ db }: Pick<TestShop, 'db'>, count = 1): Promise<boolean> => {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length >= count
}
