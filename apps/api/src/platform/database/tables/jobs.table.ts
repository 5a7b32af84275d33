/** Which process runs a queue worker, known by the database connection that this process holds as long as it lives. */
export type JobWorkersTable = {
  worker_id: string
  backend_pid: number
  backend_start: Date
}

export type JobsTables = { job_workers: JobWorkersTable }
