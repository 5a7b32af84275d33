import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig, type Pool, type PoolClient, type PoolConfig } from 'pg'
import { isDatabaseAway, isDiskFull, isReadOnly, readOnlyServer } from '#platform/database/database-away.ts'

/** So long may a server take to let us in, and so long may a call wait for one of the connections. */
const CONNECT_WITHIN_MS = 3_000
const TURN_WITHIN_MS = 10_000
/** An idle connection is asked by the system whether its other end is there; ten silent seconds later it is gone. */
const KEEP_ALIVE_AFTER_MS = 5_000

/** A server that hands over to another is away for two seconds or three: nothing was sent yet, so we wait for that. */
const PATIENCE_MS = 4_000
const BETWEEN_TRIES_MS = 150

type ParameterStatus = { parameterName: string; parameterValue: string }
type Insides = {
  connection: {
    on: (event: 'parameterStatus', hear: (status: ParameterStatus) => void) => void
    stream: { destroy: () => void }
  }
}

/** What a server says by itself that is not to be written to, when one logs in and when it changes. */
const REFUSES_CHANGES = new Set(['in_hot_standby', 'default_transaction_read_only'])

class ShopClient extends Client {
  readonly refusals = new Set<string>()

  constructor(config: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_WITHIN_MS })
    const { connection } = this as unknown as Insides
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (!REFUSES_CHANGES.has(parameterName)) return
      if (parameterValue === 'on') this.refusals.add(parameterName)
      else this.refusals.delete(parameterName)
    })
  }
}

/** What the running shop asks of a pool: no connection to a server that takes no changes, and none is waited for for ever. */
export const shopPoolConfig: PoolConfig = {
  Client: ShopClient as unknown as NonNullable<PoolConfig['Client']>,
  connectionTimeoutMillis: TURN_WITHIN_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  onConnect: (client) => {
    if ((client as unknown as ShopClient).refusals.size > 0) throw readOnlyServer()
  },
}

/**
 * A connection on which a change was refused is not used again: its server is not the one that takes changes. `onFull`
 * hears that the server has no room.
 */
export const watchRefusals = (pool: Pool, onFull: () => void): void => {
  const refused = new WeakSet<PoolClient>()
  pool.on('connect', (client) => {
    const plain = client.query.bind(client) as (...args: unknown[]) => unknown
    const query = (...args: unknown[]) => {
      const result = plain(...args)
      if (result instanceof Promise)
        result.catch((error: unknown) => {
          if (isReadOnly(error)) refused.add(client)
          if (isDiskFull(error)) onFull()
        })
      return result
    }
    client.query = query as typeof client.query
  })
  pool.on('release', (_error, client) => {
    // The pool keeps no connection that is being ended.
    if (refused.has(client)) void client.end()
  })
}

/** Cuts what was opened before a moment, as the server's end would: its user gets an error, and nothing waits. */
export const createCut = (pool: Pool): ((openedBefore: number) => void) => {
  const opened = new Map<PoolClient, number>()
  pool.on('connect', (client) => opened.set(client, performance.now()))
  pool.on('remove', (client) => opened.delete(client))
  return (openedBefore) => {
    for (const [client, at] of opened)
      if (at < openedBefore) (client as unknown as Insides).connection.stream.destroy()
  }
}

/** A connection, waited for where the database is away for a moment. */
export const connectPatiently = async (pool: Pool): Promise<PoolClient> => {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await pool.connect()
    } catch (error) {
      if (!isDatabaseAway(error) || pool.ending || performance.now() > end) throw error
      await pause(BETWEEN_TRIES_MS)
    }
  }
}
