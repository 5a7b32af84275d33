import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { programEnvironment } from '@hedgerow/testing/compiled'
import { type ProgramPath, programFile } from '@hedgerow/testing/programs'
import { API_FLAGS, PROGRAM_ENV } from '../../../../../scripts/api-process.ts'

/** A program of ours in a process of its own. It ends itself when this process has gone. */
export type Program = {
  ready: Record<string, unknown>
  isAlive: () => boolean
  ended: Promise<unknown>
  /** Ends it as a power cut does. */
  kill: () => Promise<void>
  /** Asks it to stop, and waits; how it ended. */
  stop: () => Promise<number | string | null>
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

type Start = {
  path: ProgramPath
  env: Record<string, string>
  logFile: string
  /** Called with the process at once, so that it can be ended should it never become ready. */
  onSpawn: (kill: () => Promise<void>) => void
}

/** Starts it and waits until it is ready. Undefined: it ended before that, and its log says why. */
export const startProgram = async ({ path, env, logFile, onSpawn }: Start): Promise<Program | undefined> => {
  const log = openSync(logFile, 'a')
  const child = fork(await programFile(path), {
    env: { ...PROGRAM_ENV, ...programEnvironment(), ...env },
    execArgv: API_FLAGS,
    // In a group of its own: Ctrl-C comes to us, and we stop the programs in turn.
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  closeSync(log)
  const ended = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    if (!hasEnded(child)) {
      child.kill(signal)
      await ended
    }
    return child.exitCode ?? child.signalCode
  }
  const kill = async () => void (await end('SIGKILL'))
  onSpawn(kill)
  const ready = await Promise.race([
    once(child, 'message').then(([message]) => message as Record<string, unknown>),
    ended.then(() => undefined),
  ])
  return ready && { ready, isAlive: () => !hasEnded(child), ended, kill, stop: () => end('SIGTERM') }
}
