import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = 'NODE_COMPILE_CACHE'
const RUN = 'TEST_RUN_FOLDER'

/** A folder for what Node.js makes of sources, so that programs which tests start need not make it each time. */
export const keepCompiled = async (): Promise<{ folder: string; forget: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-compiled-'))
  process.env[NAME] = folder
  process.env[RUN] = folder
  // A program that has just been ended may be writing there still.
  const forget = () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  return { folder, forget }
}

/** The same folder, for what is made once per run; undefined outside of a run of tests. */
export const runFolder = (): string | undefined => process.env[RUN]

/** The environment of a program in any case: where programs are, and that folder. */
export const programEnvironment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  ...(process.env[NAME] ? { [NAME]: process.env[NAME] } : {}),
})
