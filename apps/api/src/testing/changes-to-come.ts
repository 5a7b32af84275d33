import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import type { TestShop } from '#testing/test-shop.ts'

/** Of what is to be so from a moment on: its jobs, and the moment itself. */
export const momentsOf = (shop: Pick<TestShop, 'db'>, table: 'plan_changes' | 'price_changes') => {
  const jobsOf = async (changeId: string): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`select id from graphile_worker._private_jobs
      where payload ->> 'changeId' = ${changeId}`.execute(shop.db)
    return rows.map(({ id }) => id)
  }
  return {
    jobsOf,
    hasNoJob: (changeId: string) => until(async () => (await jobsOf(changeId)).length === 0),
    /** As if the moments of these changes had come, a second apart, while no process ran. */
    comes: async (...changeIds: readonly string[]) => {
      for (const [index, id] of changeIds.entries())
        await sql`update ${sql.table(table)} set due_at = now() - ${changeIds.length - index} * interval '1 second'
          where id = ${id}`.execute(shop.db)
      // Only their own jobs, and again where one was running just now.
      await until(async () => {
        const ids = (await Promise.all(changeIds.map(jobsOf))).flat()
        await sql`select graphile_worker.reschedule_jobs(${ids}::bigint[], run_at := now())`.execute(shop.db)
        await sql`select pg_notify('jobs:insert', '{"count":1}')`.execute(shop.db)
        return ids.length === 0
      })
    },
  }
}
