import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

export type ListedJob = { task: string; created_at: Date; run_at: Date }

/** The jobs in the queue that name one of these records. The queue's own view of its jobs leaves the payload out. */
export const listJobsNaming = async (db: Db, ids: readonly string[]): Promise<ListedJob[]> => {
  const { rows } = await sql<ListedJob>`
    select task.identifier as task, job.created_at, job.run_at
    from graphile_worker._private_jobs as job
    join graphile_worker._private_tasks as task on task.id = job.task_id
    where exists (select from json_each_text(job.payload) as named where named.value = any(${ids}::text[]))
    order by job.created_at, job.id`.execute(db)
  return rows
}
