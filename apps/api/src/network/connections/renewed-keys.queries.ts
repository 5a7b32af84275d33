import { sql } from 'kysely'
import { WAITS_FOR_DEVICE } from '#network/nodes/key-renewal.queries.ts'
import type { Db } from '#platform/database/client.ts'

type Renewed = { id: string; name: string; renewed_at: Date; is_waiting: boolean; has_file_address: boolean }

/** That are to be renewed on a day which is still to come, as their customer is told. */
export const listRenewedSoon = async (db: Db, ids: readonly string[]) => {
  const { rows } = await sql<{ name: string; day: string }>`
    select name, keys_renew_on::text as day from connections
    where id = any(${ids}::uuid[]) and keys_every_days is not null and keys_told_on = keys_renew_on
      and (expires_at is null or expires_at > now())
    order by keys_renew_on, created_at, ordinal`.execute(db)
  return rows
}

/** Whose keys were renewed, and have not been made anew by hand since. */
const renewed = (found: ReturnType<typeof sql>) => sql<Renewed>`
  select connections.id, name, keys_renewed_at as renewed_at, ${WAITS_FOR_DEVICE} as is_waiting,
    file_address_hash is not null as has_file_address
  from connections join peers on peers.connection_id = connections.id and peers.replaced_at is null
    and peers.removed_at is null and peers.created_at = keys_renewed_at
  where ${found} and (expires_at is null or expires_at > now())
  order by connections.created_at, ordinal`

/** That the customer was not emailed of. */
export const listUnmailed = async (db: Db, customerId: string) =>
  (await renewed(sql`customer_id = ${customerId} and keys_mailed_at is null`).execute(db)).rows

export const listStillUnused = async (db: Db, ids: readonly string[]) =>
  (await renewed(sql`connections.id = any(${ids}::uuid[]) and ${WAITS_FOR_DEVICE}`).execute(db)).rows

/** One that was renewed again meanwhile waits for the next email. */
export const markRenewedMailed = async (
  db: Db,
  rows: readonly Pick<Renewed, 'id' | 'renewed_at'>[],
): Promise<void> => {
  await sql`
    update connections set keys_mailed_at = now()
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ renewed_at }) => renewed_at)}::timestamptz[]) as mailed (id, at)
    where connections.id = mailed.id and date_trunc('milliseconds', keys_renewed_at) = date_trunc('milliseconds', at)`.execute(
    db,
  )
}
