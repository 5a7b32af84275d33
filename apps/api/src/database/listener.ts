import type { FastifyBaseLogger } from 'fastify'
import { Client } from 'pg'

type Backend = { pid: number; start: Date }

export type Listener = {
  /** The connection's server process, by which others see that this process lives; undefined while it is broken. */
  backend: () => Backend | undefined
  stop: () => Promise<void>
}

type Options = {
  url: string
  channel: string
  onNotice: (payload: string) => void
  /** The connection stands again, or is lost: what was missed in between is not told. */
  onUp: (backend: Backend) => void | Promise<void>
  onDown: () => void
  log: FastifyBaseLogger
}

const RETRY_MS = 500
/** How often the connection is asked whether it lives, and how long it may take to say so. */
const ASK_EVERY_MS = 10_000
const ANSWER_WITHIN_MS = 5_000

/** A connection that listens; `onLost` hears once of its end, whatever ended it. */
const listen = async (
  client: Client,
  { channel, onNotice }: Pick<Options, 'channel' | 'onNotice'>,
  onLost: () => void,
): Promise<Backend | undefined> => {
  client.on('error', onLost)
  client.on('end', onLost)
  client.on('notification', ({ payload }) => onNotice(payload ?? ''))
  await client.connect()
  await client.query(`listen ${channel}`)
  const { rows } = await client.query(
    'select pid, backend_start as start from pg_stat_activity where pid = pg_backend_pid()',
  )
  return rows[0]
}

/** Keeps one connection open for as long as the process lives, and hears notifications on it. */
export const startListener = async (options: Options): Promise<Listener> => {
  const { url, onUp, onDown, log } = options
  let client: Client | undefined
  let backend: Backend | undefined
  let isStopped = false
  let retry: NodeJS.Timeout | undefined
  let asking: NodeJS.Timeout | undefined

  const lost = (from: Client) => {
    if (client !== from) return
    client = undefined
    backend = undefined
    clearInterval(asking)
    onDown()
    from.end().catch(() => undefined)
    if (!isStopped) retry = setTimeout(() => void connect().catch(() => undefined), RETRY_MS)
  }

  const connect = async () => {
    const next = new Client({
      connectionString: url,
      application_name: 'hedgerow listener',
      keepAlive: true,
      query_timeout: ANSWER_WITHIN_MS,
    })
    client = next
    try {
      backend = await listen(next, options, () => lost(next))
      if (backend) await onUp(backend)
      // A connection that was cut without a word would else be believed for hours.
      asking = setInterval(() => void next.query('select').catch(() => lost(next)), ASK_EVERY_MS)
    } catch (error) {
      log.warn({ err: error }, 'notifications from the database cannot be received')
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
      clearInterval(asking)
      const last = client
      client = undefined
      await last?.end()
    },
  }
}
