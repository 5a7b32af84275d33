import { spawn } from 'node:child_process'
import type { SecurityShop } from './shop.ts'

/** `where` stays the same when lines move, so that an exception can name it; `line` is for people. */
export type Finding = { where: string; line?: number; what: string }

/** Why a checker could not run here: plainly said, and counted apart from what was found. */
export class Skipped extends Error {
  override name = 'Skipped'
}

export type Bench = {
  root: string
  /** A folder for what a checker writes, gone with the run. */
  scratch: string
  /** Where the npm packages of this checker are installed. */
  tools: string
  /** A running shop, started by the first checker that asks. */
  shop: () => Promise<SecurityShop>
}

export type Checker = {
  name: string
  /** One line for `--list`. */
  what: string
  /** From npm, at exact versions, outside the project. */
  packages?: readonly string[]
  /** Programs, and the Debian package of each. */
  programs?: Readonly<Record<string, string>>
  run: (bench: Bench) => Promise<Finding[]>
}

export type Output = { code: number; stdout: string; stderr: string }

type RunOptions = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string; minutes?: number }

/** Runs a program to its end. Not to be found is a reason to skip; what it says and returns is the caller's to read. */
export const run = (
  program: string,
  args: readonly string[],
  { cwd, env, input = '', minutes = 10 }: RunOptions = {},
): Promise<Output> =>
  new Promise((ended, failed) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      timeout: minutes * 60_000,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
    child.on('error', ({ message }) => failed(new Skipped(message)))
    child.on('close', (code, signal) => {
      if (signal) failed(new Skipped(`${program} did not end within ${minutes} minutes`))
      else ended({ code: code ?? 1, stdout, stderr })
    })
    child.stdin.on('error', () => undefined).end(input)
  })

/** A program of npm's in a checker's own folder, run by this Node.js. */
export const runTool = (bench: Bench, file: string, args: readonly string[], options: RunOptions = {}) =>
  run(process.execPath, [`${bench.tools}/node_modules/${file}`, ...args], { cwd: bench.root, ...options })

/** What a checker printed as JSON; without it the checker has failed, which is not the same as finding nothing. */
export const parseJson = <T>(what: string, text: string, { stderr, code }: Output): T => {
  try {
    return JSON.parse(text) as T
  } catch {
    throw new Error(`${what} ended with ${code} and no report: ${(stderr || text).trim().slice(-400)}`)
  }
}
