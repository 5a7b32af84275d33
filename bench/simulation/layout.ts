/** What a shop runs on. Times in milliseconds. */
export type Layout = {
  name: string
  machines: number
  /** Processors of each machine. */
  cores: number
  /** API processes, shared out over the machines. */
  processes: number
  /** PostgreSQL has a machine of its own, besides. */
  hasOwnDatabase: boolean
  /** A statement's way to the database and back. */
  networkMs: number
  /** Until a commit is on disk, and at the standby that is waited for. */
  commitMs: number
  /** Calls are counted for their limits, and agents are told of what was sold. The bench has neither. */
  inProduction: boolean
  /** nginx, or a network that keeps copies, has the pages' files. */
  servesFiles: boolean
}
