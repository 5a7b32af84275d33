import closeWithGrace from 'close-with-grace'
import { startAgent, type Variant } from './agent.ts'
import { readSettings, SettingsError } from './settings.ts'

const STOP_WITHIN_MS = 15_000
const EXIT = { unexpected: 1, forOperator: 2 } as const

/** Exit codes: 0 stopped, 1 something unexpected, 2 the settings or the token. */
const tell = (error: unknown): void => {
  const isForOperator = error instanceof SettingsError
  console.error(isForOperator ? error.message : error)
  process.exitCode = isForOperator ? EXIT.forOperator : EXIT.unexpected
}

/** The agent's program. After something unexpected it ends and leaves everything as it is, for the next start. */
export const runAgent = async (variant?: Variant): Promise<void> => {
  try {
    const agent = await startAgent(readSettings(process.env), variant)
    const closer = closeWithGrace({ delay: STOP_WITHIN_MS, logger: false }, async ({ err }) => {
      if (err) console.error(err)
      else await agent.stop()
    })
    await agent.running.catch(async (error) => {
      tell(error)
      await agent.stop()
      closer.uninstall()
    })
  } catch (error) {
    tell(error)
  }
}
