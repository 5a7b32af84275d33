import { type Kysely, sql } from 'kysely'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table job_workers (
      worker_id text primary key,
      backend_pid integer not null,
      backend_start timestamptz not null
    )`.execute(db)
}
