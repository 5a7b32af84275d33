import type { FastifyBaseLogger } from 'fastify'
import { Client } from 'pg'

export type Listener = {
  /** The connection's server process, by which others see that this process lives; undefined while it is broken. */
  backend: () => { pid: number; start: Date } | undefined
  stop: () => Promise<void>
}

type Options = {
  url: string
  channel: string
  onNotice: (payload: string) => void
  /** The connection stands again, or is lost: what was missed in between is not told. */
  onUp: (backend: { pid: number; start: Date }) => void | Promise<void>
  onDown: () => void
  log: FastifyBaseLogger
}

const RETRY_MS = 500

/** Keeps one connection open for as long as the process lives, and hears notifications on it. */
export const startListener = async ({
  url,
  channel,
  onNotice,
  onUp,
  onDown,
  log,
}: Options): Promise<Listener> => {
  let client: Client | undefined
  let backend: { pid: number; start: Date } | undefined
  let isStopped = false
  let retry: NodeJS.Timeout | undefined

  const lost = (from: Client) => {
    if (client !== from) return
    client = undefined
    backend = undefined
    onDown()
    from.end().catch(() => undefined)
    if (!isStopped) retry = setTimeout(() => void connect().catch(() => undefined), RETRY_MS)
  }

  const connect = async () => {
    const next = new Client({ connectionString: url, application_name: 'hedgerow listener', keepAlive: true })
    client = next
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', ({ payload }) => onNotice(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      const { rows } = await next.query(
        'select pid, backend_start as start from pg_stat_activity where pid = pg_backend_pid()',
      )
      backend = rows[0]
      if (backend) await onUp(backend)
    } catch (error) {
      log.warn({ err: error }, 'the database cannot be listened to')
      lost(next)
      throw error
    }
  }

  await connect()
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
