import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { env, runCommand } from '../run-command.ts'
import type { Bank } from './own-addresses.ts'
import { ROOT_KEY, resolverConfig, type Stub } from './resolver-config.ts'

const READY_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 100
const END_WITHIN_MS = 3_000

export type ResolverProcess = { bank: Bank; child: ChildProcess; config: string }

export const isAlive = ({ child }: ResolverProcess) => child.exitCode === null && child.signalCode === null

/** True as soon as it answers; it reads its lists before it does. */
export const isReady = (config: string): Promise<boolean> =>
  runCommand('unbound-control', ['-c', config, 'status']).then(
    () => true,
    () => false,
  )

const bankDir = (dir: string, bank: Bank) => join(dir, `bank${bank}`)

/** The process of this bank that an agent before this one left behind, if it still runs. */
export const leftBehind = async (dir: string, bank: Bank): Promise<number | undefined> => {
  const config = join(bankDir(dir, bank), 'unbound.conf')
  const pid = Number(await readFile(join(bankDir(dir, bank), 'pid'), 'utf8').catch(() => ''))
  if (!Number.isInteger(pid) || pid < 2) return undefined
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.split('\0').includes(config) ? pid : undefined
}

/** Starts unbound on a bank's addresses and waits until it answers. */
export const startResolver = async (
  dir: string,
  zonesDir: string,
  bank: Bank,
  stubs: readonly Stub[],
  isStopped: () => boolean,
): Promise<ResolverProcess> => {
  const own = bankDir(dir, bank)
  await mkdir(own, { recursive: true, mode: 0o700 })
  const config = join(own, 'unbound.conf')
  await writeFile(config, resolverConfig(own, zonesDir, bank, stubs), { mode: 0o600 })
  const anchor = join(own, 'root.key')
  if (existsSync(ROOT_KEY) && !existsSync(anchor)) await copyFile(ROOT_KEY, anchor)

  const child = spawn('unbound', ['-d', '-c', config], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const started = { bank, child, config }
  let failure: Error | undefined
  let complaint = ''
  child.on('error', (error) => {
    failure = error
  })
  // Only what it says while it starts is kept: later it might speak of names.
  child.stderr.on('data', (data) => {
    complaint = (complaint + data).slice(-1_000)
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
  throw new Error(`unbound did not start: ${failure?.message ?? (complaint.trim() || 'it gave no reason')}`)
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
