import cluster from 'node:cluster'
import { once } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import { type EmbeddedDatabase, holdEmbedded } from '#platform/database/embedded.ts'
import { createLog } from '#platform/instrumentation/log.ts'
import type { Settings } from '#platform/settings.ts'

/** One that ends is followed by another after so long, and after twice as long each time it does not last. */
const AGAIN_MS = 500
const MOST_AGAIN_MS = 30_000
const LASTS_MS = 60_000
/** While nothing serves, so many that are killed one after another end the start: 7.5 seconds. */
const MOST_STARTS = 5

const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** What a process says when it serves. */
type Ready = { ready: true }

type Group = {
  settings: Settings
  log: FastifyBaseLogger
  embedded: EmbeddedDatabase | undefined
  isServing: boolean
  isStopping: boolean
}

/** Scrapes cannot be shared out as customers are: each process has a port of its own. */
const environmentOf = ({ settings: { metricsPort }, embedded }: Group, number: number) => ({
  METRICS_PORT: String(metricsPort === 0 ? 0 : metricsPort + number - 1),
  ...(embedded ? { DATABASE_URL: embedded.url } : {}),
})

/**
 * Starts one, and again whenever it ends, until all stop. Resolves when it serves for the first time; with nothing where it
 * cannot start and no other serves: it has said why, or is killed each time.
 */
const keepAlive = (group: Group, number: number): Promise<Ready | undefined> =>
  new Promise((resolve) => {
    let failures = 0
    const start = () => {
      if (group.isStopping) return resolve(undefined)
      const started = performance.now()
      const worker = cluster.fork(environmentOf(group, number))
      worker.once('message', (ready: Ready) => {
        group.isServing = true
        resolve(ready)
      })
      worker.once('exit', (code, signal) => {
        if (group.isStopping) return resolve(undefined)
        if (!group.isServing && !signal) return resolve(undefined)
        failures = performance.now() - started < LASTS_MS ? failures + 1 : 1
        const ended = { number, endedPid: worker.process.pid, code, signal }
        if (!group.isServing && failures === MOST_STARTS) {
          group.log.fatal(
            ended,
            `a process of the shop was killed at ${MOST_STARTS} starts in a row: the shop ends`,
          )
          return resolve(undefined)
        }
        const againMs = Math.min(MOST_AGAIN_MS, AGAIN_MS * 2 ** (failures - 1))
        group.log.error({ ...ended, againMs }, 'a process of the shop ended, and is started again')
        setTimeout(start, againMs)
      })
    }
    start()
  })

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
  // Each takes connections from the port itself. Handed out from here, one on its way to a process that is killed is lost: it
  // stays open and is never answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const log = createLog(settings.logLevel)
  const group: Group = { settings, log, embedded: undefined, isServing: false, isStopping: false }
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
    const ready = await keepAlive(group, number)
    if (!ready) await stop(1)
    first ??= ready
  }
  if (!group.isStopping) process.send?.(first)
  return new Promise(() => undefined)
}
