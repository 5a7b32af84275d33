import { join } from 'node:path'
import { SettingsError } from '#settings.ts'
import { loadDesiredState } from '#state/desired-state.ts'
import { loadIdentity } from '#state/identity.ts'
import { readLastTime } from '#state/last-time.ts'

/** Only the operator can help. */
const NOT_OURS = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR']

/** What is kept from one start to the next. */
export const loadState = async (stateDir: string) => {
  try {
    const identity = await loadIdentity(stateDir)
    const journal = join(stateDir, 'peers.journal')
    const lastTime = await readLastTime(stateDir, journal)
    return { identity, lastTime, state: await loadDesiredState(journal) }
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (!code || !NOT_OURS.includes(code)) throw error
    throw new SettingsError(`AGENT_STATE_DIR: ${path ?? stateDir} cannot be read and written (${code})`)
  }
}
