import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { portIsTaken } from '#network/port-user.ts'
import { type ResolverOptions, resolverArguments, resolverFiles } from '#network/resolver-config.ts'
import { withoutRights } from '#network/without-rights.ts'
import { Obstacle } from '#runtime/obstacle.ts'
import { env, runCommand } from '#runtime/run-command.ts'

const READY_WITHIN_MS = 60_000
const READ_WITHIN_S = 60
const LOOK_EVERY_MS = 100
const DNS_PORT = 53
const IS_TAKEN = /address already in use/i
const END_WITHIN_MS = 3_000
const PROGRAM = 'pdns_recursor'

export type ResolverProcess = { dir: string; child: ChildProcess }

const resolverIn = (stateDir: string) => join(stateDir, 'resolver')

/** Throws an Obstacle where the program is missing. */
export const requireResolver = async (): Promise<void> => {
  const isIn = (folder: string): Promise<boolean> =>
    access(join(folder, PROGRAM), constants.X_OK).then(
      () => true,
      () => false,
    )
  if (!(await Promise.all(env.PATH.split(':').map(isIn))).includes(true))
    throw new Obstacle(
      'PowerDNS Recursor is missing, which resolves names for customers: install it with "apt-get install pdns-recursor"',
    )
}

export const isAlive = ({ child }: ResolverProcess) => child.exitCode === null && child.signalCode === null

const control = (dir: string, ...command: string[]): Promise<string> =>
  runCommand('rec_control', [`--socket-dir=${dir}`, ...command])

/** True as soon as it answers; it reads its lists before it does. */
export const isReady = ({ dir }: ResolverProcess): Promise<boolean> =>
  control(dir, 'ping').then(
    () => true,
    () => false,
  )

/** Has it read its lists again, during which it answers by those that it has. */
export const reloadLists = async ({ dir }: ResolverProcess): Promise<void> => {
  const said = await control(dir, `--timeout=${READ_WITHIN_S}`, 'reload-lua-config')
  if (!said.includes('Reloaded')) throw new Error(`The resolver could not read its lists: ${said}`)
}

const findOrphan = async (pidFile: string, argument: string): Promise<number | undefined> => {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''))
  if (!Number.isInteger(pid) || pid < 2) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(argument) ? pid : undefined
}

const endOrphan = async (pidFile: string, argument: string): Promise<boolean> => {
  const pid = await findOrphan(pidFile, argument)
  if (pid === undefined) return false
  const start = Date.now()
  while ((await findOrphan(pidFile, argument)) === pid) {
    try {
      process.kill(pid, Date.now() - start < END_WITHIN_MS ? 'SIGTERM' : 'SIGKILL')
    } catch {
      // It has ended in the meantime.
    }
    await setTimeout(LOOK_EVERY_MS)
  }
  return true
}

/** Of what an agent before this one left behind; earlier versions had unbound, in two folders. Returns whether there was any. */
export const endOrphans = async (stateDir: string): Promise<boolean> => {
  const dir = resolverIn(stateDir)
  const ended = [await endOrphan(join(dir, `${PROGRAM}.pid`), `--config-dir=${dir}`)]
  for (const folder of [join(dir, 'bank0'), join(dir, 'bank1')])
    ended.push(await endOrphan(join(folder, 'pid'), join(folder, 'unbound.conf')))
  return ended.includes(true)
}

/** Starts it and waits until it answers. */
export const startResolver = async (
  options: ResolverOptions,
  endsWithAgent: boolean,
  isStopped: () => boolean,
): Promise<ResolverProcess> => {
  const dir = resolverIn(options.stateDir)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const [name, text] of resolverFiles(dir, options))
    await writeFile(join(dir, name), text, { mode: 0o600 })

  const [program, ...args] = withoutRights([PROGRAM, ...resolverArguments(dir, options)], endsWithAgent)
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const started = { dir, child }
  let failure: Error | undefined
  let stderr = ''
  child.on('error', (error) => {
    failure = error
  })
  // Only what it says while it starts is kept: later it might speak of names.
  child.stderr.on('data', (data) => {
    stderr = (stderr + data).slice(-1_000)
  })
  const end = Date.now() + READY_WITHIN_MS
  while (!failure && !isStopped() && isAlive(started) && Date.now() < end) {
    if (await isReady(started)) {
      child.stderr.removeAllListeners('data').resume()
      return started
    }
    await setTimeout(LOOK_EVERY_MS)
  }
  await endResolver(started)
  if (IS_TAKEN.test(stderr)) throw new Obstacle(await portIsTaken(DNS_PORT))
  throw new Error(`${PROGRAM} did not start: ${failure?.message ?? (stderr.trim() || 'it gave no reason')}`)
}

export const endResolver = async (resolver: ResolverProcess): Promise<void> => {
  const { child } = resolver
  if (child.pid === undefined || !isAlive(resolver)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const hard = globalThis.setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
  await ended
  clearTimeout(hard)
}
