import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import type { IncidentRow, IncidentsTable } from '#platform/database/tables/status.table.ts'

export const insertIncident = async (trx: Trx, row: Insertable<IncidentsTable>): Promise<void> => {
  await trx.insertInto('incidents').values(row).execute()
}

export const insertUpdate = async (
  trx: Trx,
  row: { id: string; incident_id: string; text: string },
): Promise<void> => {
  await trx.insertInto('incident_updates').values(row).execute()
}

export const findIncident = (db: Db, id: string): Promise<IncidentRow | undefined> =>
  db.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst()

/** So that updates of one incident are counted one after the other. */
export const lockIncident = (trx: Trx, id: string): Promise<IncidentRow | undefined> =>
  trx.selectFrom('incidents').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

const IS_OVER = sql<boolean>`(closed_at is not null or coalesce(ends_at <= now(), false))`

/** Until the transaction ends no other incident is counted, so that of several at once none is one too many. */
export const countOpen = async (trx: Trx): Promise<number> => {
  await sql`select pg_advisory_xact_lock(hashtext('open incidents'))`.execute(trx)
  const { count } = await trx
    .selectFrom('incidents')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(IS_OVER, '=', false)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const listIncidents = (db: Db, isAll: boolean, most: number): Promise<IncidentRow[]> =>
  db
    .selectFrom('incidents')
    .selectAll()
    .$if(!isAll, (query) => query.where(IS_OVER, '=', false))
    .orderBy(IS_OVER)
    .orderBy('starts_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()

export const listUpdates = (db: Db, incidentId: string) =>
  db
    .selectFrom('incident_updates')
    .select(['text', 'written_at'])
    .where('incident_id', '=', incidentId)
    .orderBy('written_at', 'desc')
    .orderBy('id')
    .execute()

export const setEnd = async (trx: Trx, id: string, endsAt: Date): Promise<void> => {
  await trx.updateTable('incidents').set({ ends_at: endsAt }).where('id', '=', id).execute()
}

export const setClosed = async (trx: Trx, id: string): Promise<void> => {
  await trx.updateTable('incidents').set({ closed_at: sql<Date>`now()` }).where('id', '=', id).execute()
}

/** Those of these names that no node has. */
export const listUnknownPlaces = async (db: Db, names: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) as name
    where not exists (select from nodes where nodes.name = name.name and removed_at is null)`.execute(db)
  return rows.map(({ name }) => name)
}
