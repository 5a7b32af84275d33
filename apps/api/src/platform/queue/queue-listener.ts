import { EventEmitter } from 'node:events'
import type { Notification, Pool, PoolClient } from 'pg'

/** On which the queue says that a job has come, or that a newer version has changed its tables. */
export const QUEUE_CHANNELS = ['jobs:insert', 'worker:migrate']

/** All workers look for jobs in the same moment: out of the calls' pool they would take as many connections as they are. */
export const QUEUE_CONNECTIONS = 3

export type QueueListener = {
  notify: (notice: Notification) => void
  /** The pool as the queue uses it. */
  poolOver: (pool: Pool) => Pool
}

/**
 * The workers of each lane would keep a connection of the pool to listen on; they hear by the one on which the process
 * listens anyway. What is missed while that one is away they find themselves: they look every two seconds.
 */
export const createQueueListener = (): QueueListener => {
  // It is asked to LISTEN and to UNLISTEN, and that alone.
  const client = Object.assign(new EventEmitter(), { query: async () => undefined })
  return {
    notify: (notice) => void client.emit('notification', notice),
    poolOver: (pool) => {
      // Who asks by a callback means to listen.
      const connect = (listen?: (error: undefined, client: PoolClient, release: () => void) => void) =>
        listen ? listen(undefined, client as unknown as PoolClient, () => undefined) : pool.connect()
      const listeners = (event: string) => pool.listeners(event)
      // Its timetable asks so, and holds a stop up for as long as it cannot.
      const query = pool.query.bind(pool)
      return { options: pool.options, listeners, connect, query } as unknown as Pool
    },
  }
}
