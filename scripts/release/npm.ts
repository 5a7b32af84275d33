import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { isBuiltIn } from '../build-pages.ts'
import type { Architecture } from './agent.ts'
import { ReleaseFault } from './source.ts'

/** Of the caller's environment nothing that changes what is made. */
const CHANGES = /^(?:VITE_|NODE_ENV$|NODE_OPTIONS$|SAMPLE_LEGAL_TEXTS$|SOURCE_DATE_EPOCH$|npm_)/

const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(([name]) => !CHANGES.test(name) && !isBuiltIn(name))
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  return { ...Object.fromEntries(kept), PATH: path, TZ: 'UTC', LC_ALL: 'C.UTF-8' }
}

/** Runs a program of the folder's sources to its end. What it says is only shown if it fails. */
export const run = async (
  program: string,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> => {
  const child = spawn(program, args, {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, all] = ['', '']
  child.stdout.on('data', (text) => {
    output += text
    all += text
  })
  child.stderr.on('data', (text) => (all += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new ReleaseFault(`${program} ${args[0]} failed:\n${all.trim()}`)
  return output
}

const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']

/** From the lockfile, which has the hash of each package; nothing of them is run. */
export const installAll = (cwd: string) => run('npm', [...INSTALL, '--include=dev'], { cwd })

/** What the shop runs with on a Linux of that architecture, and the Node.js that development uses there. */
export const installForProduction = (cwd: string, architecture: Architecture) => {
  const place = ['--os=linux', `--cpu=${architecture}`, '--libc=glibc']
  const what = ['--omit=dev', '--workspace=apps/api', '--include-workspace-root']
  return run('npm', [...INSTALL, ...place, ...what], { cwd })
}
