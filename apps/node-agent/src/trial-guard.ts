import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, Worker } from 'node:worker_threads'
import { NOT_IN_TIME } from '#upgrade/not-in-time.ts'

/**
 * Runs inside of a version on trial before anything of it does, and does not depend on it: it notes why it ended, and, on a
 * thread of its own, ends it when it has neither proved itself nor given up in time.
 */
const { AGENT_VERSIONS_DIR = '', AGENT_TRIAL_MS = '150000' } = process.env

const END_FILE = join(AGENT_VERSIONS_DIR, 'last-end')

/** What was noted first says most. */
const note = (why: string): void => {
  try {
    writeFileSync(END_FILE, why.slice(0, 200), { mode: 0o600, flag: 'wx' })
  } catch {
    // There is one, or none can be written: then no reason is known.
  }
}

const isOnTrial = (): boolean => {
  try {
    return 'trial' in JSON.parse(readFileSync(join(AGENT_VERSIONS_DIR, 'state.json'), 'utf8'))
  } catch {
    return false
  }
}

if (isMainThread) {
  rmSync(END_FILE, { force: true })
  process.on('uncaughtExceptionMonitor', (error) => note(`${error.name}: ${error.message.split('\n')[0]}`))
  process.on('exit', (code) => {
    if (isOnTrial()) note(`it ended with code ${code}`)
  })
  new Worker(new URL(import.meta.url), { execArgv: [] }).unref()
} else
  setTimeout(() => {
    if (!isOnTrial()) return
    note(NOT_IN_TIME)
    process.kill(process.pid, 'SIGKILL')
  }, Number(AGENT_TRIAL_MS))
