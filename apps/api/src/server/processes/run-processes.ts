import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import { type EmbeddedDatabase, holdEmbedded } from '#platform/database/embedded.ts'
import { createLog } from '#platform/instrumentation/log.ts'
import type { Settings } from '#platform/settings.ts'

/** One that ends is followed by another after so long, and after twice as long each time it does not last. */
const AGAIN_MS = 500
const MOST_AGAIN_MS = 30_000
const LASTS_MS = 60_000

const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** What a process says when it serves. */
type Ready = { ready: true }

/** Undefined: it ended before that, and has said why. */
const untilReady = (worker: Worker): Promise<Ready | undefined> =>
  new Promise((resolve) => {
    worker.once('message', (message: Ready) => resolve(message))
    worker.once('exit', () => resolve(undefined))
  })

type Group = {
  settings: Settings
  log: FastifyBaseLogger
  embedded: EmbeddedDatabase | undefined
  isStopping: boolean
}

/** Scrapes cannot be shared out as customers are: each process has a port of its own. */
const environmentOf = ({ settings: { metricsPort }, embedded }: Group, number: number) => ({
  METRICS_PORT: String(metricsPort === 0 ? 0 : metricsPort + number - 1),
  ...(embedded ? { DATABASE_URL: embedded.url } : {}),
})

const startOne = (group: Group, number: number): Worker => cluster.fork(environmentOf(group, number))

/** Starts it again whenever it ends, until all stop. */
const keepAlive = (group: Group, number: number, first: Worker): void => {
  let failures = 0
  const watch = (worker: Worker) => {
    const started = performance.now()
    worker.once('exit', (code, signal) => {
      if (group.isStopping) return
      failures = performance.now() - started < LASTS_MS ? failures + 1 : 1
      const againMs = Math.min(MOST_AGAIN_MS, AGAIN_MS * 2 ** (failures - 1))
      const ended = { number, endedPid: worker.process.pid, code, signal, againMs }
      group.log.error(ended, 'a process of the shop ended, and is started again')
      setTimeout(() => {
        if (!group.isStopping) watch(startOne(group, number))
      }, againMs)
    })
  }
  watch(first)
}

/** All at once; each ends what is under way in its own time. Those that have gone before are not waited for. */
const stopAll = async (): Promise<void> => {
  const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  await Promise.all(
    running.map(async (worker) => {
      if (worker.isDead()) return
      const ended = once(worker, 'exit')
      worker.process.kill('SIGTERM')
      await ended
    }),
  )
}

/**
 * Starts so many processes of this program behind one port, which this one holds, and sees to it that they live. They are
 * started one by one: the first brings the database up to date, and a start that fails is reported once. Never returns.
 */
export const runProcesses = async (settings: Settings): Promise<never> => {
  const log = createLog(settings.logLevel)
  const group: Group = { settings, log, embedded: undefined, isStopping: false }
  let embedded: Promise<EmbeddedDatabase> | undefined
  const stop = async (code: number): Promise<void> => {
    if (group.isStopping) return
    group.isStopping = true
    await stopAll()
    // One that is being brought up would go on alone.
    await embedded?.then(
      (database) => database.stop(),
      () => undefined,
    )
    process.exit(code)
  }
  for (const signal of FORWARDED) process.on(signal, () => void stop(0))
  process.on('disconnect', () => void stop(0))

  // Held here, it outlives each of them.
  embedded = settings.databaseUrl ? undefined : holdEmbedded(settings.dataDir)
  group.embedded = await embedded
  let first: Ready | undefined
  for (let number = 1; number <= settings.processes && !group.isStopping; number++) {
    const worker = startOne(group, number)
    const ready = await untilReady(worker)
    if (!ready) await stop(1)
    else keepAlive(group, number, worker)
    first ??= ready
  }
  if (!group.isStopping) process.send?.(first)
  return new Promise(() => undefined)
}
