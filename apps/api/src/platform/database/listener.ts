import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Client, escapeIdentifier, type Notification } from 'pg'
import { createRepeats } from '#platform/instrumentation/repeats.ts'

type Backend = { pid: number; start: Date }
/** `server` tells one running server from every other. */
type Reached = Backend & { server: string }

export type Listener = {
  /** The connection's server process, by which others see that this process lives; undefined while it is broken. */
  backend: () => Backend | undefined
  stop: () => Promise<void>
}

export type ListenerOptions = {
  url: string
  channels: readonly string[]
  onNotice: (notice: Notification) => void
  /** The connection stands again, or is lost: what was missed in between is lost. */
  onUp: (backend: Backend) => void | Promise<void>
  onDown: () => void
  /** The server has fallen silent, or another has taken over: what was opened before that moment leads nowhere. */
  onStale: (openedBefore: number) => void
  log: FastifyBaseLogger
}

const RETRY_MS = 500
/** How often the connection is asked whether it lives, and how long it may take to say so. */
const ASK_EVERY_MS = 3_000
const ANSWER_WITHIN_MS = 5_000
/** Longer, so that the question above is the one that notices. */
const QUERY_TIMEOUT_MS = 7_000

/** A connection that listens; `onLost` hears once of its end, whatever ended it. */
const listen = async (
  client: Client,
  { channels, onNotice }: Pick<ListenerOptions, 'channels' | 'onNotice'>,
  onLost: () => void,
): Promise<Reached> => {
  client.on('error', onLost)
  client.on('end', onLost)
  client.on('notification', onNotice)
  await client.connect()
  // A server that takes no changes refuses to notify of them.
  await client.query(channels.map((name) => `listen ${escapeIdentifier(name)}`).join(';'))
  const { rows } = await client.query<Reached>(
    `select pid, backend_start as start, pg_postmaster_start_time()::text as server
      from pg_stat_activity where pid = pg_backend_pid()`,
  )
  const [reached] = rows
  if (!reached) throw new Error('The connection is not among those of the server')
  return reached
}

/** Whether a connection that has not been cut leads nowhere all the same: a cable is out, or the server hangs. */
const isSilent = async (client: Client): Promise<boolean> => {
  let hasAnswered = false
  const heard = () => {
    hasAnswered = true
  }
  // An error is an answer too, and goes to those who listen for it.
  const answer = client.query('select').then(heard, heard)
  await Promise.race([answer, pause(ANSWER_WITHIN_MS, undefined, { ref: false })])
  // A process that was busy itself has not read its answer yet.
  for (let turns = 0; !hasAnswered && turns < 2; turns++) await turn()
  return !hasAnswered
}

/** Keeps one connection open for as long as the process lives, and hears notifications on it. */
export const startListener = async (options: ListenerOptions): Promise<Listener> => {
  const { url, onUp, onDown, onStale, log } = options
  let client: Client | undefined
  let backend: Reached | undefined
  let lastServer: string | undefined
  let lostAt = 0
  let isStopped = false
  let retry: NodeJS.Timeout | undefined
  const failures = createRepeats()

  const lost = (from: Client) => {
    if (client !== from) return
    client = undefined
    if (backend) lostAt = performance.now()
    backend = undefined
    onDown()
    from.end().catch(() => undefined)
    if (!isStopped) retry = setTimeout(() => void connect().catch(() => undefined), RETRY_MS)
  }

  const watch = async (watched: Client) => {
    for (;;) {
      await pause(ASK_EVERY_MS, undefined, { ref: false })
      if (client !== watched) return
      if (!(await isSilent(watched)) || client !== watched) continue
      log.warn('the database has fallen silent')
      lost(watched)
      onStale(lostAt)
    }
  }

  const connect = async () => {
    const next = new Client({
      connectionString: url,
      application_name: 'hedgerow listener',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    })
    client = next
    try {
      const reached = await listen(next, options, () => lost(next))
      if (client !== next) throw new Error('The connection was lost at once')
      backend = reached
      if (lastServer && reached.server !== lastServer) {
        log.warn('another database server has taken over')
        onStale(lostAt)
      }
      lastServer = reached.server
      await onUp(reached)
      if (failures.end('listen') > 0) log.info('notifications from the database are received again')
      void watch(next)
    } catch (error) {
      const { count, isToTell } = failures.add('listen', 'away')
      if (isToTell)
        log.warn({ err: error, times: count }, 'notifications from the database cannot be received')
      lost(next)
      throw error
    }
  }

  await connect().catch((error: unknown) => {
    isStopped = true
    clearTimeout(retry)
    throw error
  })
  return {
    backend: () => backend,
    stop: async () => {
      isStopped = true
      clearTimeout(retry)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}
