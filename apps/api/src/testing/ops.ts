import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import type { Json } from '@hedgerow/testing/call'
import { programEnvironment } from '@hedgerow/testing/compiled'
import { programFile } from '@hedgerow/testing/programs'
import { until } from '@hedgerow/testing/until'
import { onTestFinished } from 'vitest'
import { runTool } from '#ops.ts'
import type { Environment, ShopGround } from '#testing/test-shop.ts'

export type OpsOutcome = {
  code: number | null
  /** What it printed on its standard output, and on its standard error. */
  out: string
  err: string
  json: Json
}

const outcome = (code: number | null, out: string, err: string): OpsOutcome => ({
  code,
  out,
  err,
  get json() {
    return JSON.parse(out)
  },
})

const outcomeOf = async (child: ChildProcess): Promise<OpsOutcome> => {
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk) => (out += chunk))
  child.stderr?.on('data', (chunk) => (err += chunk))
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  const [code] = await once(child, 'close')
  return outcome(code, out, err)
}

/** The tool's program, for what only a process of its own shows: signals, a terminal, pipes. */
export const opsProgram = (): Promise<string> => programFile('apps/api/src/ops.ts')

const collector = () => {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write: (chunk, _, taken) => {
      chunks.push(Buffer.from(chunk))
      taken()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** Runs the operator's tool in the test's process, with nothing but these settings, no terminal, and this on its standard input. */
export const runOpsOn = async (env: Environment, input: string, ...args: string[]): Promise<OpsOutcome> => {
  const [out, err] = [collector(), collector()]
  const code = await runTool(args, {
    env,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: out.stream,
    stderr: err.stream,
    signals: new EventEmitter(),
    exit: () => undefined,
  })
  return outcome(code, out.text(), err.text())
}

export const runOps = (env: Environment, ...args: string[]): Promise<OpsOutcome> => runOpsOn(env, '', ...args)

const environment = (env: Environment) => ({ ...programEnvironment(), ...env })

/** Runs the tool as a program of its own: users of the embedded database are distinguished by their processes. */
export const runOpsProgram = async (env: Environment, ...args: string[]): Promise<OpsOutcome> =>
  outcomeOf(
    spawn(process.execPath, [await opsProgram(), ...args], {
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )

/** The tool takes one interruption; the next would end it at once. So it has heard of one when it no longer catches them. */
const hasHeard = async (pid: number): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, caught = '0'] = /^SigCgt:\s*(\w+)$/m.exec(status) ?? []
  return (BigInt(`0x${caught}`) & 2n) === 0n
}

/** Runs the tool as a program, interrupted as Ctrl-C does it, once something has come true; `then` when it has heard of it. */
export const interruptOps = async (
  env: Environment,
  when: () => Promise<unknown>,
  args: string[],
  then: () => void = () => undefined,
): Promise<OpsOutcome> => {
  const child = spawn(process.execPath, [await opsProgram(), ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const interrupt = async () => {
    await when().catch(() => undefined)
    child.kill('SIGINT')
    await until(() => hasHeard(child.pid ?? 0))
    then()
  }
  const [outcome] = await Promise.all([outcomeOf(child), interrupt()])
  return outcome
}

/** The same at a terminal, where someone types. All that it says is in `out`. */
export const runOpsAtTerminal = async (
  env: Environment,
  typed: string,
  ...args: string[]
): Promise<OpsOutcome> => {
  const command = [process.execPath, await opsProgram(), ...args].map((word) => `'${word}'`).join(' ')
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
