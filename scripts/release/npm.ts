import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
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

type Locked = { optionalDependencies?: Record<string, string> } & Partial<
  Record<'os' | 'cpu' | 'libc', string | string[]>
>

/** Where a package may lie that the one at a path needs, the nearest first. */
const placesOf = (path: string, name: string): string[] => {
  const here = `${path && `${path}/`}node_modules/${name}`
  return path ? [here, ...placesOf(/^(.*)\/node_modules\//.exec(path)?.[1] ?? '', name)] : [here]
}

/** npm goes on without an optional package that could not be fetched; a release without it would be another one. */
export const checkOptional = async (
  cwd: string,
  place: Readonly<Record<'os' | 'cpu' | 'libc', string>>,
): Promise<void> => {
  const text = await readFile(join(cwd, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, Locked> }
  const isFor = (one: Locked) =>
    (['os', 'cpu', 'libc'] as const).every((what) => !one[what] || [one[what]].flat().includes(place[what]))
  // Of what is installed alone: workspaces that the shop does not run have others.
  const wanted = Object.entries(packages)
    .filter(([path]) => existsSync(join(cwd, path)))
    .flatMap(([path, one]) => Object.keys(one.optionalDependencies ?? {}).map((name) => placesOf(path, name)))
    .flatMap((places) => places.find((place) => packages[place]) ?? [])
  const missing = [...new Set(wanted)]
    .filter((path) => isFor(packages[path] ?? {}) && !existsSync(join(cwd, path)))
    .map((path) => path.replace(/^node_modules\//, ''))
  if (missing.length > 0)
    throw new ReleaseFault(
      `npm did not install ${missing.join(', ')}, and gave no reason: it may not have reached its registry. Try again.`,
    )
}

/** What the shop runs with on a Linux of that architecture, and the Node.js that development uses there. */
export const installForProduction = async (cwd: string, cpu: Architecture): Promise<void> => {
  const place = { os: 'linux', cpu, libc: 'glibc' }
  const words = Object.entries(place).map(([name, value]) => `--${name}=${value}`)
  const what = ['--omit=dev', '--workspace=apps/api', '--include-workspace-root']
  await run('npm', [...INSTALL, ...words, ...what], { cwd })
  await checkOptional(cwd, place)
}
