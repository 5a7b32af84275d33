import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Checker, run, Skipped } from './checker.ts'

/** Outside the project: the shop's own packages stay those of its lockfile. */
export const TOOLS =
  process.env.SECURITY_TOOLS ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hedgerow-security')

const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`
const isThere = (program: string) =>
  spawnSync('which', [program], { env: { ...process.env, PATH } }).status === 0

const installPackages = async (name: string, packages: readonly string[]): Promise<string> => {
  const versions = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)
  const folder = join(TOOLS, `${name}-${versions}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.part`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  await writeFile(join(unfinished, 'package.json'), '{ "private": true }\n')
  // No script of theirs is run: checkers are other people's code, and there are many of them.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error']
  const { code, stderr } = await run('npm', ['install', ...quiet, ...packages], { cwd: unfinished })
  if (code !== 0)
    throw new Skipped(`npm could not install ${packages.join(', ')}: ${stderr.trim().slice(-200)}`)
  await rename(unfinished, folder)
  return folder
}

let isUpToDate = false

const installPrograms = async (programs: Readonly<Record<string, string>>): Promise<void> => {
  const missing = () =>
    Object.entries(programs).flatMap(([program, name]) => (isThere(program) ? [] : [name]))
  if (missing().length === 0) return
  const wanted = missing().join(', ')
  if (process.getuid?.() !== 0 || !isThere('apt-get'))
    throw new Skipped(`it needs the Debian package ${wanted}, which only root can install`)
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
  if (!isUpToDate) await run('apt-get', ['update', '-qq'], options)
  isUpToDate = true
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing()], options)
  if (missing().length > 0) throw new Skipped(`Debian's ${missing().join(', ')} could not be installed`)
}

/** Installs what a checker needs. Returns the folder of its npm packages. Throws `Skipped` where that cannot be had. */
export const provide = async ({
  name,
  packages = [],
  programs = {},
}: Pick<Checker, 'name' | 'packages' | 'programs'>): Promise<string> => {
  process.env.PATH = PATH
  await installPrograms(programs)
  return packages.length > 0 ? installPackages(name, packages) : TOOLS
}
