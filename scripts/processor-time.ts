import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of Linux; it counts in them whatever the machine. */
const TICKS_A_SECOND = 100
const MARK = 'TEST_RUN'
const LOOK_EVERY_MS = 2_000

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

type Times = { parent: number; own: number; ofEnded: number }

/** Undefined for a process that has ended, and where there is no /proc. */
export const timesOf = (pid: number | string): Times | undefined => {
  // The name before the bracket may contain anything.
  const stat = read(`/proc/${pid}/stat`)
  if (!stat) return undefined
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const sum = (first: number) => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) / TICKS_A_SECOND
  return { parent: fields[1] ?? 0, own: sum(11), ofEnded: sum(13) }
}

/** What this process has started and waited for, with all that those waited for. */
const ofChildren = (): number => timesOf('self')?.ofEnded ?? 0

/** Servers of this run, with what their sessions have used so far. They leave the process that started them, so no one waits for them. */
const readServers = (): Map<string, number> => {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const servers = new Map<string, number>()
  for (const pid of pids) {
    const isOurs = read(`/proc/${pid}/environ`).includes(`${MARK}=${process.pid}\0`)
    const times = isOurs && read(`/proc/${pid}/comm`).trim() === 'postgres' ? timesOf(pid) : undefined
    if (times) servers.set(pid, times.own + times.ofEnded)
  }
  for (const pid of pids) {
    const times = timesOf(pid)
    const server = String(times?.parent)
    if (times && servers.has(server)) servers.set(server, (servers.get(server) ?? 0) + times.own)
  }
  return servers
}

/** Counts what this run uses of the processors, by kind. On Linux; elsewhere nothing is known. */
export const startProcessorClock = () => {
  process.env[MARK] = String(process.pid)
  const servers = new Map<string, number>()
  const look = () => {
    for (const [pid, seconds] of readServers()) servers.set(pid, Math.max(seconds, servers.get(pid) ?? 0))
  }
  const isLinux = process.platform === 'linux'
  if (isLinux) setInterval(look, LOOK_EVERY_MS).unref()
  const kinds = new Map<string, number>()
  return {
    /** What `work` starts and waits for counts as this kind. */
    during: async <T>(kind: string, work: () => Promise<T>): Promise<T> => {
      const before = ofChildren()
      const result = await work()
      kinds.set(kind, (kinds.get(kind) ?? 0) + ofChildren() - before)
      return result
    },
    /** Undefined where the system does not say. */
    summary: (): string | undefined => {
      if (!isLinux) return undefined
      const database = [...servers.values()].reduce((sum, seconds) => sum + seconds, 0)
      const all = [...kinds, ['database', database] as const]
      return all.map(([kind, seconds]) => `${kind} ${Math.round(seconds)}`).join(', ')
    },
  }
}
