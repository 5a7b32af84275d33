import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A machine that can break: a network namespace with a cable and a small disk of its own. */
export type Machine = {
  name: string
  address: string
  /** Its disk, in memory. */
  folder: string
  /** Starts a program on it as the database's user. What it says goes to a file beside the disk. */
  start: (program: string, args: readonly string[], env?: Record<string, string>) => ChildProcess
  /** What runs on it, by name. */
  programs: () => Promise<string[]>
  signalAll: (signal: NodeJS.Signals, ...names: string[]) => Promise<void>
  plugIn: (isIn: boolean) => Promise<void>
}

export type Machines = {
  machines: readonly Machine[]
  network: string
  gateway: string
  close: () => Promise<void>
}

const DISK = '512m'

const nameOf = async (pid: number): Promise<string> =>
  (await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))).stdout.trim()

const sleep = (ms: number) => new Promise((later) => setTimeout(later, ms))

/** So many machines on one network, which this one reaches. All of it is gone after `close`. */
export const openMachines = async (names: readonly string[], home: string): Promise<Machines> => {
  const run_ = randomBytes(3).toString('hex')
  const bridge = `hgb${run_}`
  const prefix = `10.${randomInt(100, 200)}.${randomInt(256)}`
  const cleanups: (() => Promise<unknown>)[] = []
  const ip = (...args: string[]) => run('ip', args)
  const close = async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean().catch(console.error)
  }
  const open = async (name: string, nth: number): Promise<Machine> => {
    const namespace = `hg${run_}${name}`
    const cable = `hgc${run_}${name}`
    const address = `${prefix}.${nth + 1}`
    const folder = join(home, name)
    await mkdir(folder, { recursive: true })
    await run('mount', [
      '-t',
      'tmpfs',
      '-o',
      `size=${DISK},mode=0700,uid=postgres,gid=postgres`,
      'hedgerow',
      folder,
    ])
    cleanups.push(() => run('umount', ['-l', folder]))
    await ip('netns', 'add', namespace)
    const pids = async () =>
      (await ip('netns', 'pids', namespace)).stdout.split('\n').filter(Boolean).map(Number)
    const signalAll = async (signal: NodeJS.Signals, ...programs: string[]) => {
      for (const pid of await pids()) {
        if (programs.length > 0 && !programs.includes(await nameOf(pid))) continue
        try {
          process.kill(pid, signal)
        } catch {
          // It ended meanwhile.
        }
      }
    }
    cleanups.push(async () => {
      await signalAll('SIGKILL')
      for (let tries = 0; tries < 50 && (await pids()).length > 0; tries++) await sleep(50)
      await ip('netns', 'delete', namespace)
    })
    await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    await ip('link', 'set', cable, 'master', bridge, 'up')
    await ip('-n', namespace, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    await ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    await ip('-n', namespace, 'link', 'set', 'lo', 'up')
    return {
      name,
      address,
      folder,
      start: (program, args, env = {}) => {
        const log = openSync(join(home, `${name}.log`), 'a')
        const asUser = ['--reuid', 'postgres', '--regid', 'postgres', '--clear-groups', program, ...args]
        const child = spawn('ip', ['netns', 'exec', namespace, 'setpriv', ...asUser], {
          cwd: folder,
          env: { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C.UTF-8', ...env },
          stdio: ['ignore', log, log],
          detached: true,
        })
        closeSync(log)
        child.on('error', () => undefined)
        child.unref()
        return child
      },
      programs: async () => Promise.all((await pids()).map(nameOf)),
      signalAll,
      plugIn: async (isIn) => void (await ip('link', 'set', cable, isIn ? 'up' : 'down')),
    }
  }
  try {
    await ip('link', 'add', bridge, 'type', 'bridge')
    cleanups.push(() => ip('link', 'delete', bridge))
    const gateway = `${prefix}.254`
    await ip('address', 'add', `${gateway}/24`, 'dev', bridge)
    await ip('link', 'set', bridge, 'up')
    const machines: Machine[] = []
    for (const [nth, name] of names.entries()) machines.push(await open(name, nth))
    return { machines, network: `${prefix}.0/24`, gateway, close }
  } catch (error) {
    await close()
    throw error
  }
}
