import type { Insertable } from 'kysely'
import type { Trx } from '#platform/database/client.ts'
import type { PlanChangesTable } from '#platform/database/tables/plans.table.ts'

export type NewPlanChange = Omit<Insertable<PlanChangesTable>, 'created_at' | 'ended_at'>

export const insertPlanChange = async (trx: Trx, change: NewPlanChange): Promise<void> => {
  await trx.insertInto('plan_changes').values(change).execute()
}

/** Whatever was to come for a plan comes to the one that follows it. */
export const passOnPlanChanges = async (trx: Trx, planId: string, followerId: string): Promise<void> => {
  await trx
    .updateTable('plan_changes')
    .set({ plan_id: followerId })
    .where('plan_id', '=', planId)
    .where('ended_at', 'is', null)
    .execute()
}
