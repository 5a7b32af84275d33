import { type Insertable, sql } from 'kysely'
import type { Db, Trx } from '#database/client.ts'
import type { PlanChangeRow, PlanChangesTable } from '#database/tables/plans.table.ts'

export type NewPlanChange = Omit<Insertable<PlanChangesTable>, 'created_at' | 'ended_at'>

export const insertPlanChange = async (trx: Trx, change: NewPlanChange): Promise<void> => {
  await trx.insertInto('plan_changes').values(change).execute()
}

/** Those to come, the next first. */
export const listPlanChanges = (db: Db): Promise<PlanChangeRow[]> =>
  db
    .selectFrom('plan_changes')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('due_at')
    .orderBy('created_at')
    .execute()

export const findPlanChangeToCome = (trx: Trx, id: string): Promise<PlanChangeRow | undefined> =>
  trx
    .selectFrom('plan_changes')
    .selectAll()
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/** Of several who end it at once, one gets it. */
export const endPlanChange = (
  trx: Trx,
  id: string,
  isDue: 'due' | 'whenever',
): Promise<PlanChangeRow | undefined> =>
  trx
    .updateTable('plan_changes')
    .set({ ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .$if(isDue === 'due', (query) => query.where('due_at', '<=', sql<Date>`now()`))
    .returningAll()
    .executeTakeFirst()

/** Whatever was to come for a plan comes to the one that follows it. */
export const passOnPlanChanges = async (trx: Trx, planId: string, followerId: string): Promise<void> => {
  await trx
    .updateTable('plan_changes')
    .set({ plan_id: followerId })
    .where('plan_id', '=', planId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Seconds from now, by the database's clock; negative where it has passed. */
export const secondsUntil = async (db: Db, at: Date): Promise<number> => {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from ${at}::timestamptz - now())::float8 as seconds`.execute(db)
  return rows[0]?.seconds ?? 0
}
