import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Call, callerOf } from '@hedgerow/testing/call'
import { programEnvironment } from '@hedgerow/testing/compiled'
import { programFile } from '@hedgerow/testing/programs'
import { onTestFinished } from 'vitest'
import type { Environment } from '#testing/test-shop.ts'

export type ApiProcess = {
  url: string
  pid: number
  call: Call
  /** What it has said so far. */
  output: () => string
  /** Ends it as a power cut does, or by another signal. */
  kill: (signal?: NodeJS.Signals) => Promise<void>
  /** Asks it to stop, and waits. */
  stop: () => Promise<number | null>
}

export type ProcessOptions = {
  cwd?: string
  /** Lets it leave a core file behind, unless it forbids that itself. */
  mayDumpCore?: boolean
  /** Done to it before it is ready. */
  whileStarting?: (pid: number) => unknown
}

type Outcome = { code: number | null; output: string }

const launch = async (
  env: Environment,
  { cwd, mayDumpCore = false }: ProcessOptions = {},
): Promise<{ child: ChildProcess; output: () => string; ended: Promise<Outcome> }> => {
  const command = [process.execPath, await programFile('apps/api/src/main.ts')] as const
  const [program, ...args] = mayDumpCore
    ? (['sh', '-c', 'ulimit -c "$(ulimit -H -c)"; exec "$@"', 'sh', ...command] as const)
    : command
  const child = spawn(program, args, {
    ...(cwd ? { cwd } : {}),
    env: { ...programEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close').then(([code]) => ({ code, output }))
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, output: () => output, ended }
}

/** The API in a process of its own, by its own main program. Ended with the test at the latest. */
export const startApiProcess = async (env: Environment, options?: ProcessOptions): Promise<ApiProcess> => {
  const { child, output, ended } = await launch(env, options)
  options?.whileStarting?.(child.pid ?? 0)
  const ready = once(child, 'message').then(([message]) => message as { url: string })
  const failed = ended.then(({ output }) => {
    throw new Error(`The API did not start:\n${output}`)
  })
  const { url } = await Promise.race([ready, failed])
  failed.catch(() => undefined)
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return (await ended).code
  }
  return {
    url,
    pid: child.pid ?? 0,
    call: callerOf(url),
    output,
    kill: async (signal = 'SIGKILL') => void (await end(signal)),
    stop: () => end('SIGTERM'),
  }
}

/** Starts the API where it cannot start, and returns what it said. */
export const failToStartApi = async (
  env: Environment,
  whileStarting?: (pid: number) => unknown,
): Promise<Outcome> => {
  const { child, ended } = await launch(env)
  whileStarting?.(child.pid ?? 0)
  return ended
}

/** Tells the API to stop while it is starting, as soon as it has come so far. */
export const stopStartingApi = async (
  env: Environment,
  hasComeSoFar: () => Promise<unknown>,
): Promise<Outcome> => {
  const { child, ended } = await launch(env)
  await hasComeSoFar()
  child.kill('SIGTERM')
  return ended
}
