import { sql } from 'kysely'
import type { TestShop } from '#testing/test-shop.ts'

/**
 * Offers a node what a shop would that someone has broken into: the archive that is stored, under a version that it does not
 * have, and, if asked for, with a byte of it changed.
 */
export const offerUnderName = async (
  { db }: Pick<TestShop, 'db'>,
  node: string,
  version: string,
  { isChanged = false } = {},
): Promise<void> => {
  await sql`
    delete from agent_archives where stored_at < (select max(stored_at) from agent_archives)`.execute(db)
  await sql`update agent_archives set version = ${version}`.execute(db)
  if (isChanged)
    await sql`
      update agent_archive_parts set content = set_byte(content, 1000, (get_byte(content, 1000) + 1) % 256)
      where position = 0`.execute(db)
  await sql`
    insert into node_upgrades (id, run_id, place, node_id, version, state)
    select gen_random_uuid(), gen_random_uuid(), 0, id, ${version}, 'offered' from nodes where name = ${node}
    returning pg_notify('changed', 'node:' || node_id)`.execute(db)
}
