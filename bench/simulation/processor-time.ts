import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'

/** `getconf CLK_TCK`, 100 on every Linux that Node.js runs on. */
const MS_PER_TICK = 10

/** The fields of a stat file from `state` on: the name before it may hold spaces and brackets. */
const statOf = (path: string): string[] => {
  const text = readFileSync(path, 'utf8')
  return text.slice(text.lastIndexOf(') ') + 2).split(' ')
}

const tick = (fields: string[], at: number): number => Number(fields[at]) * MS_PER_TICK

/** Milliseconds of processor time that a process and its threads have used. */
const processMs = (pid: number | string): number => {
  const fields = statOf(`/proc/${pid}/stat`)
  return tick(fields, 11) + tick(fields, 12)
}

/** By the thread's id, since several have the same name. */
const threadsMs = (pid: number): Map<string, { name: string; ms: number }> => {
  const threads = new Map<string, { name: string; ms: number }>()
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const path = `/proc/${pid}/task/${id}`
    try {
      const fields = statOf(`${path}/stat`)
      const name = readFileSync(`${path}/comm`, 'utf8').trim()
      threads.set(id, { name, ms: tick(fields, 11) + tick(fields, 12) })
    } catch {
      // It has ended since the folder was read.
    }
  }
  return threads
}

const parentOf = (pid: string): number => {
  try {
    return Number(statOf(`/proc/${pid}/stat`)[1])
  } catch {
    return 0
  }
}

/** A PostgreSQL server: its postmaster, the backends that live, and those that have ended. */
const serverMs = (postmaster: number): number => {
  const own = statOf(`/proc/${postmaster}/stat`)
  let sum = tick(own, 11) + tick(own, 12) + tick(own, 13) + tick(own, 14)
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (parentOf(pid) !== postmaster) continue
    try {
      sum += processMs(pid)
    } catch {
      // It ended a moment ago and is counted at the next look.
    }
  }
  return sum
}

/** All that the machine's processors did, whoever asked for it. */
const machineMs = (): number => {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * MS_PER_TICK
}

/** Milliseconds of processor time by who used them, and of a clock. `others` is what else ran on the machine. */
export type Used = {
  wall: number
  /** The API's main thread: what one request after the other has to itself. */
  main: number
  /** Its thread that makes documents, which has the lowest priority. */
  documents: number
  /** Its threads for hashes and files, and those of V8. */
  threads: number
  database: number
  gateway: number
  client: number
  others: number
}

export type Meter = { start: () => () => Used }

type Watched = { api: number; gateway: number; dataDir: string }

/** The first line of postmaster.pid. */
const postmasterOf = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10)

/** Of processor time and not of clocks: other work on the machine makes a measurement longer, but not dearer. */
export const createMeter = ({ api, gateway, dataDir }: Watched): Meter => {
  const postmaster = postmasterOf(dataDir)
  const look = () => ({
    wall: performance.now(),
    api: processMs(api),
    threads: threadsMs(api),
    database: serverMs(postmaster),
    gateway: processMs(gateway),
    client: processMs(process.pid),
    machine: machineMs(),
  })
  return {
    start: () => {
      const before = look()
      return () => {
        const after = look()
        const used = (isOne: (id: string, name: string) => boolean) => {
          let ms = 0
          for (const [id, { name, ms: now }] of after.threads)
            if (isOne(id, name)) ms += now - (before.threads.get(id)?.ms ?? 0)
          return ms
        }
        const all = after.api - before.api
        const main = used((id) => id === String(api))
        const documents = used((id, name) => id !== String(api) && name === 'WorkerThread')
        const database = after.database - before.database
        const gatewayMs = after.gateway - before.gateway
        const client = after.client - before.client
        return {
          wall: after.wall - before.wall,
          main,
          documents,
          threads: Math.max(0, all - main - documents),
          database,
          gateway: gatewayMs,
          client,
          others: Math.max(0, after.machine - before.machine - all - database - gatewayMs - client),
        }
      }
    },
  }
}

export const machineKind = (): string => {
  const all = cpus()
  return `${all.length} × ${all[0]?.model.trim() ?? 'processor'}, ${process.arch}, Node.js ${process.versions.node}`
}
