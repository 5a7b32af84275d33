import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { JobName } from '#platform/queue/add-job.ts'
import { deleteLeftRuns } from '#platform/queue/recurring-runs.ts'

export type Backend = { pid: number; start: Date }

/** Says which process runs these workers, by the database connection that the process holds. */
export const registerWorkers = async (
  db: Db,
  workerIds: readonly string[],
  backend: Backend,
): Promise<void> => {
  if (workerIds.length === 0) return
  await db
    .insertInto('job_workers')
    .values(
      workerIds.map((id) => ({ worker_id: id, backend_pid: backend.pid, backend_start: backend.start })),
    )
    .onConflict((conflict) =>
      conflict.column('worker_id').doUpdateSet({ backend_pid: backend.pid, backend_start: backend.start }),
    )
    .execute()
}

/** A process that was killed before it could say that it runs these workers has left them free by then. */
const UNKNOWN_FOR_S = 60

/** Gives back the jobs of workers whose process has died; the queue by itself would wait four hours. */
export const releaseDeadWorkers = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ worker_id: string }>`
    with dead as (
      delete from job_workers where not exists (
        select from pg_stat_activity as alive
        where alive.pid = backend_pid and date_trunc('milliseconds', alive.backend_start) = date_trunc('milliseconds', job_workers.backend_start)
      ) returning worker_id
    )
    select worker_id from dead
    union
    select locked_by from graphile_worker.jobs
    where locked_at < now() - make_interval(secs => ${UNKNOWN_FOR_S})
      and locked_by not in (select worker_id from job_workers)`.execute(db)
  const dead = rows.map(({ worker_id }) => worker_id)
  await unlock(db, dead)
  return dead.length
}

/** Gives back the jobs of workers that are known to have ended. */
export const releaseWorkers = async (db: Db, workerIds: readonly string[]): Promise<void> => {
  if (workerIds.length === 0) return
  await db.deleteFrom('job_workers').where('worker_id', 'in', workerIds).execute()
  await unlock(db, workerIds)
}

const unlock = async (db: Db, workerIds: readonly string[]): Promise<void> => {
  if (workerIds.length === 0) return
  await sql`select graphile_worker.force_unlock_workers(${workerIds}::text[])`.execute(db)
  await deleteLeftRuns(db)
}

/** Jobs that have a key and are yet to be done; one that runs and has planned its next run counts once. */
export const countKeyedJobs = async (db: Db, name: JobName): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from graphile_worker.jobs where task_identifier = ${name} and key is not null`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
