import { type ChildProcess, execFile, execFileSync, type StdioOptions, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { programEnvironment } from './compiled.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const TOOLS =
  'ip ping tc nft conntrack setpriv wg wg-quick wireguard-go pdns_recursor rec_control dig curl'.split(' ')
/** Some are started with a short PATH; these tools live in the directories of the administrator. */
const PATH = `${process.env.PATH ?? ''}${delimiter}/usr/sbin${delimiter}/sbin`

/** A name that fits into the 15 bytes of an interface's, and that no other has: some things are shared by namespaces. */
export const randomName = (prefix: string): string => `${prefix}${randomBytes(4).toString('hex')}`

const isInstalled = (tool: string) => PATH.split(delimiter).some((folder) => existsSync(join(folder, tool)))

/** What is missing here for tests with tunnels, in words; empty: nothing. */
const whatIsMissing = (): string[] => [
  ...(process.getuid?.() === 0 ? [] : ['root (network namespaces need it)']),
  ...(existsSync('/dev/net/tun') ? [] : ['/dev/net/tun']),
  ...TOOLS.filter((tool) => !isInstalled(tool)).map((tool) => `${tool} (npm test installs it from Debian)`),
]

/** For the top of a test file: stops it with a plain word where tunnels cannot be made. */
export const requireTunnels = (): void => {
  const missing = whatIsMissing()
  if (missing.length > 0) throw new Error(`Tunnels cannot be tested here; missing: ${missing.join(', ')}`)
}

type Environment = Record<string, string>

export type Namespace = {
  name: string
  /** Runs a program inside and returns what it printed. */
  run: (program: string, ...args: string[]) => Promise<string>
  /** The same for a program that may fail: its exit code, and all that it printed. */
  attempt: (program: string, ...args: string[]) => Promise<{ code: number; out: string }>
  /** Runs commands of `ip`, one a line. */
  ip: (lines: string) => void
  /** Starts a program inside, which ends with the namespace at the latest. */
  spawn: (program: string, args: readonly string[], env?: Environment, stdio?: StdioOptions) => ChildProcess
  /** Processes that live inside, all or those of a program. */
  pids: (program?: string) => Promise<number[]>
}

const GENTLY_MS = 3_000

/** Asks first, so that the programs tidy up what they left outside the namespace. */
const endAll = async (name: string, pids: () => Promise<number[]>): Promise<void> => {
  const start = Date.now()
  await until(async () => {
    const left = await pids()
    for (const pid of left) {
      try {
        process.kill(pid, Date.now() - start < GENTLY_MS ? 'SIGTERM' : 'SIGKILL')
      } catch {
        // It ended in the meantime.
      }
    }
    return left.length === 0
  })
  await run('ip', ['netns', 'delete', name])
}

/** Takes what is to be done at the end: of the test, if nothing else is said. */
export type AtEnd = (step: () => Promise<void>) => void

/** Steps for a whole file or rig: they are done in the opposite order, as those of a test are. */
export const createEnd = () => {
  const steps: (() => Promise<void>)[] = []
  return {
    atEnd: (step: () => Promise<void>) => void steps.push(step),
    end: async () => {
      for (const step of steps.reverse()) await step()
    },
  }
}

export const atEndOfTest: AtEnd = (step) => onTestFinished(step)

/** '' if it has ended meanwhile. */
const nameOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

/** A network of its own with a loopback interface. It goes, with its processes, at the end. */
export const createNamespace = async (atEnd: AtEnd = atEndOfTest): Promise<Namespace> => {
  const name = randomName('hg')
  await run('ip', ['netns', 'add', name])
  const pids = async (program?: string) => {
    const all = (await run('ip', ['netns', 'pids', name])).stdout.split('\n').filter(Boolean).map(Number)
    return program === undefined ? all : all.filter((pid) => nameOf(pid) === program)
  }
  atEnd(() => endAll(name, pids))
  const options = { maxBuffer: 1 << 26, env: { ...process.env, PATH } }
  const inside = (program: string, args: readonly string[]) => ['netns', 'exec', name, program, ...args]
  const namespace: Namespace = {
    name,
    pids,
    run: async (program, ...args) => (await run('ip', inside(program, args), options)).stdout,
    attempt: (program, ...args) =>
      run('ip', inside(program, args), options).then(
        ({ stdout, stderr }) => ({ code: 0, out: `${stdout}${stderr}` }),
        ({ code, stdout, stderr }) => ({ code: Number(code) || 1, out: `${stdout}${stderr}` }),
      ),
    ip: (lines) =>
      void execFileSync('ip', ['-n', name, '-batch', '-'], {
        input: lines,
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    spawn: (program, args, env = {}, stdio = 'pipe') =>
      spawn('ip', inside(program, args), { env: { ...programEnvironment(), PATH, ...env }, stdio }),
  }
  await namespace.run('ip', 'link', 'set', 'dev', 'lo', 'up')
  return namespace
}

export type Cable = { a: string; b: string; nameA: string; nameB: string }

/** Of networks of four addresses: a worker of a run of tests has 10.x to itself, and counts from anywhere, as another run may. */
const WORKERS = 50
const NETWORKS = 2 ** 14
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS
let cables = randomInt(NETWORKS)

/** A cable between two namespaces, or from one to the machine itself, with an address at each end. */
export const connect = async (a: Namespace, b?: Namespace): Promise<Cable> => {
  const [nameA, nameB] = [randomName('va'), randomName('vb')]
  const at = cables++ % NETWORKS
  const network = `10.${200 + worker}.${at >> 6}`
  const first = 4 * (at & 63)
  const cable = { a: `${network}.${first + 1}`, b: `${network}.${first + 2}`, nameA, nameB }
  const toB = b ? ['netns', b.name] : []
  await run('ip', ['link', 'add', nameA, 'netns', a.name, 'type', 'veth', 'peer', 'name', nameB, ...toB])
  const runB = b ? b.run : async (program: string, ...args: string[]) => (await run(program, args)).stdout
  const ends = [
    [a.run, cable.a, nameA],
    [runB, cable.b, nameB],
  ] as const
  for (const [runAt, address, device] of ends) {
    await runAt('ip', 'address', 'add', `${address}/30`, 'dev', device)
    await runAt('ip', 'link', 'set', 'dev', device, 'up')
  }
  return cable
}
