import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Slot } from '#network/own-addresses.ts'
import { portIsTaken } from '#network/port-user.ts'
import { ROOT_KEY, resolverConfig, type Stub } from '#network/resolver-config.ts'
import { withoutRights } from '#network/without-rights.ts'
import { Obstacle } from '#runtime/obstacle.ts'
import { env, runCommand } from '#runtime/run-command.ts'

const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 100
const DNS_PORT = 53
const IS_TAKEN = /address already in use/i
const END_WITHIN_MS = 3_000

export type ResolverProcess = { slot: Slot; child: ChildProcess; config: string }

export const isAlive = ({ child }: ResolverProcess) => child.exitCode === null && child.signalCode === null

/** True as soon as it answers; it reads its lists before it does. */
export const isReady = (config: string): Promise<boolean> =>
  runCommand('unbound-control', ['-c', config, 'status']).then(
    () => true,
    () => false,
  )

/** The folder's name is older than the word slot: what an earlier version left behind has to be found. */
const slotDir = (dir: string, slot: Slot) => join(dir, `bank${slot}`)

/** The process of this slot that an agent before this one left behind, if it still runs. */
export const findOrphan = async (dir: string, slot: Slot): Promise<number | undefined> => {
  const config = join(slotDir(dir, slot), 'unbound.conf')
  const pid = Number(await readFile(join(slotDir(dir, slot), 'pid'), 'utf8').catch(() => ''))
  if (!Number.isInteger(pid) || pid < 2) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(config) ? pid : undefined
}

export const endOrphan = async (dir: string, slot: Slot): Promise<void> => {
  const pid = await findOrphan(dir, slot)
  if (pid === undefined) return
  process.kill(pid, 'SIGTERM')
  for (let i = 0; i < 60 && (await findOrphan(dir, slot)) !== undefined; i++) await setTimeout(50)
}

/** Starts unbound on a slot's addresses and waits until it answers. */
export const startResolver = async (
  dir: string,
  zonesDir: string,
  slot: Slot,
  stubs: readonly Stub[],
  isStopped: () => boolean,
): Promise<ResolverProcess> => {
  const own = slotDir(dir, slot)
  await mkdir(own, { recursive: true, mode: 0o700 })
  const config = join(own, 'unbound.conf')
  await writeFile(config, resolverConfig(own, zonesDir, slot, stubs), { mode: 0o600 })
  const anchor = join(own, 'root.key')
  if (existsSync(ROOT_KEY) && !existsSync(anchor)) await copyFile(ROOT_KEY, anchor)

  const [program, ...args] = withoutRights(['unbound', '-d', '-c', config])
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const started = { slot, child, config }
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
    if (await isReady(config)) {
      child.stderr.removeAllListeners('data').resume()
      return started
    }
    await setTimeout(LOOK_EVERY_MS)
  }
  await endResolver(started)
  if (IS_TAKEN.test(stderr)) throw new Obstacle(await portIsTaken(DNS_PORT))
  throw new Error(`unbound did not start: ${failure?.message ?? (stderr.trim() || 'it gave no reason')}`)
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
