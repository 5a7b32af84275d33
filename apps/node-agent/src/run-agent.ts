import { setTimeout } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import { startAgent, type Variant } from '#agent.ts'
import { createLog } from '#runtime/log.ts'
import { readSettings, SettingsError } from '#settings.ts'
import { noteEnd } from '#upgrade/version-store.ts'

const STOP_WITHIN_MS = 15_000
const EXIT = { unexpected: 1, forOperator: 2 } as const

/** Exit codes: 0 stopped, 1 something unexpected, 2 the settings or the token. */
export const reportFailure = (error: unknown): void => {
  const isForOperator = error instanceof SettingsError
  noteEnd(error)
  if (isForOperator) console.error(error.message)
  else createLog('fatal').fatal({ err: error }, 'The agent stops because of an error')
  process.exitCode = isForOperator ? EXIT.forOperator : EXIT.unexpected
}

/** The agent's program. After something unexpected it ends and leaves everything as it is, for the next start. */
export const runAgent = async (variant?: Variant): Promise<void> => {
  try {
    const agent = await startAgent(readSettings(process.env), variant)
    const closer = closeWithGrace({ delay: STOP_WITHIN_MS, logger: false }, async ({ err }) => {
      if (err) createLog('fatal').fatal({ err }, 'The process stops because of an error')
      else await agent.stop()
    })
    await agent.running.catch(async (error) => {
      reportFailure(error)
      await agent.stop()
      closer.uninstall()
    })
    if (!agent.isLeaving()) return
    closer.uninstall()
    // What hangs in it must not keep the next version from starting.
    await Promise.race([agent.leave().catch(reportFailure), setTimeout(STOP_WITHIN_MS)])
    process.exit(0)
  } catch (error) {
    reportFailure(error)
  }
}
