import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { PROGRAM_ENV } from '../scripts/api-process.ts'

export type Child = {
  process: ChildProcess
  ready: Record<string, unknown>
  rssMiB: () => number
  stop: () => Promise<void>
}

/** Starts a program and waits until it says that it is ready. */
export const startChild = async (
  path: string,
  env: NodeJS.ProcessEnv,
  execArgv: string[] = [],
  execPath = process.execPath,
): Promise<Child> => {
  const child: ChildProcess = fork(new URL(path, import.meta.url), {
    env: { ...process.env, ...PROGRAM_ENV, ...env },
    execArgv,
    execPath,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // A bench that fails leaves no process behind.
  const end = () => void child.kill('SIGTERM')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const ready = await Promise.race([
    once(child, 'message').then(([message]) => message as Record<string, unknown>),
    once(child, 'exit').then(() => undefined),
  ])
  if (!ready) throw new Error(`${path} did not start`)
  return {
    process: child,
    ready,
    rssMiB: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${path} has ended by itself: ${child.exitCode ?? child.signalCode}`)
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    },
  }
}
