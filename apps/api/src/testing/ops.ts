import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Json } from '@hedgerow/testing/call'
import { programEnvironment } from '@hedgerow/testing/compiled'
import { inject, onTestFinished } from 'vitest'
import type { Environment, ShopGround } from '#testing/test-shop.ts'

export type OpsOutcome = {
  code: number | null
  /** What it printed on its standard output, and on its standard error. */
  out: string
  err: string
  json: Json
}

const outcomeOf = async (child: ChildProcess): Promise<OpsOutcome> => {
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => (out += chunk))
  child.stderr?.on('data', (chunk) => (err += chunk))
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const [code] = await once(child, 'close')
  return {
    code,
    out,
    err,
    get json() {
      return JSON.parse(out)
    },
  }
}

/** The file to be started with Node.js. */
export const opsProgram = (): string => inject('opsProgram')

const environment = (env: Environment) => ({ ...programEnvironment(), ...env })

/** Runs the operator's tool as a program of its own, with nothing but these settings and no terminal. */
export const runOps = (env: Environment, ...args: string[]): Promise<OpsOutcome> =>
  outcomeOf(
    spawn(process.execPath, [opsProgram(), ...args], {
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )

/** The same, with a text on its standard input, as a pipe gives it. */
export const runOpsOn = (env: Environment, input: string, ...args: string[]): Promise<OpsOutcome> => {
  const child = spawn(process.execPath, [opsProgram(), ...args], {
    env: environment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(input)
  return outcomeOf(child)
}

/** The same, interrupted as Ctrl-C does it, once something has come true. */
export const interruptOps = (
  env: Environment,
  when: () => Promise<unknown>,
  ...args: string[]
): Promise<OpsOutcome> => {
  const child = spawn(process.execPath, [opsProgram(), ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  void when().finally(() => child.kill('SIGINT'))
  return outcomeOf(child)
}

/** The same at a terminal, where somebody types. All that it says is in `out`. */
export const runOpsAtTerminal = (env: Environment, typed: string, ...args: string[]): Promise<OpsOutcome> => {
  const command = [process.execPath, opsProgram(), ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: environment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // Typed when it is asked for: what comes before that is lost to the program's start.
  child.stdout.on('data', (chunk) => String(chunk).includes('[y/N]') && child.stdin.write(typed))
  return outcomeOf(child)
}

/** The settings that the tool needs of a test's shop, and no other. */
export const opsSettings = ({
  databaseUrl,
  sandbox,
}: Pick<ShopGround, 'databaseUrl' | 'sandbox'>): Environment => ({
  DATABASE_URL: databaseUrl,
  GATE_URL: sandbox.url,
})
