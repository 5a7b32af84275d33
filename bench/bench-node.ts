import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FILTERS } from '@hedgerow/domain/filters'
import { runningVersion } from '@hedgerow/settings/running-version'
import { architectureOf, makeAgentFolder } from '../scripts/release/agent.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CABLE = { node: '10.251.7.1', shop: '10.251.7.2' }

const ip = (...args: string[]) => execFileSync('ip', args)

type Cable = { namespace: string; near: string; far: string }

/** Lays a cable from this machine into a network namespace of its own. */
const layCable = ({ namespace, near, far }: Cable): void => {
  ip('netns', 'add', namespace)
  ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', namespace)
  ip('address', 'add', `${CABLE.shop}/30`, 'dev', near)
  ip('link', 'set', near, 'up')
  ip('-n', namespace, 'link', 'set', 'lo', 'up')
  ip('-n', namespace, 'address', 'add', `${CABLE.node}/30`, 'dev', far)
  ip('-n', namespace, 'link', 'set', far, 'up')
  ip('-n', namespace, 'route', 'add', 'default', 'via', CABLE.shop)
}

/** Where the agent finds the shop at the end of the cable. */
const openDoor = async (shopPort: number) => {
  const door = createServer((socket) => {
    const inner = connect(shopPort, '127.0.0.1')
    socket.setNoDelay(true)
    inner.setNoDelay(true)
    socket.pipe(inner).pipe(socket)
    for (const one of [socket, inner])
      one.on('error', () => one.destroy()).on('close', () => socket.destroy())
  })
  door.listen(0, CABLE.shop)
  await once(door, 'listening')
  return door
}

/** A server in a network namespace of its own, with the agent as a server gets it, that comes to the shop through a cable. */
export const openBenchNode = async (folder: string, shopPort: number, token: string) => {
  const id = randomBytes(3).toString('hex')
  const [namespace, device] = [`hb${id}`, `hbw${id}`]
  layCable({ namespace, near: `hba${id}`, far: `hbb${id}` })
  const door = await openDoor(shopPort)
  const program = join(folder, 'program')
  const architecture = architectureOf(process.arch) ?? 'x64'
  await makeAgentFolder({
    root: ROOT,
    folder: program,
    node: process.execPath,
    architecture,
    running: runningVersion(),
  })
  const stateDir = join(folder, 'agent')
  const lists = join(stateDir, 'lists')
  mkdirSync(lists, { recursive: true })
  // A filter is not sold where its list is empty.
  for (const { filter } of FILTERS) writeFileSync(join(lists, `${filter.list}.txt`), 'adverts.example\n')
  const env = {
    PATH: process.env.PATH ?? '',
    AGENT_API_URL: `http://${CABLE.shop}:${(door.address() as AddressInfo).port}`,
    AGENT_TOKEN: token,
    AGENT_STATE_DIR: stateDir,
    AGENT_INTERFACE: device,
    AGENT_METRICS_PORT: '0',
    AGENT_LOG_LEVEL: 'error',
  }
  let agent: ChildProcess | undefined
  const inside = (...command: string[]) =>
    execFileSync('ip', ['netns', 'exec', namespace, ...command], { maxBuffer: 1 << 28 }).toString()
  const pids = () => inside('ip', 'netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)
  const end = async (signal: NodeJS.Signals) => {
    if (!agent || agent.exitCode !== null || agent.signalCode !== null) return
    const exit = once(agent, 'exit')
    agent.kill(signal)
    await exit
  }
  return {
    device,
    stateDir,
    inside,
    pids,
    start: () => {
      agent = spawn('ip', ['netns', 'exec', namespace, join(program, 'node'), join(program, 'agent.mjs')], {
        env,
        stdio: 'inherit',
      })
    },
    /** As at a power cut: the agent and the interface are gone. */
    crash: async () => {
      await end('SIGKILL')
      ip('-n', namespace, 'link', 'delete', device)
    },
    close: async () => {
      await end('SIGTERM')
      for (const pid of pids()) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has ended meanwhile.
        }
      }
      door.close()
      ip('netns', 'delete', namespace)
    },
  }
}

export type BenchNode = Awaited<ReturnType<typeof openBenchNode>>
