import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cluster } from '#testing/failover/cluster.ts'

/** What happens to the server that leads; and how it is mended afterwards. */
export type Event = { name: string; strike: (cluster: Cluster) => Promise<() => Promise<void>> }

const CHUNK = Buffer.alloc(1 << 20)

/** Until not a byte more fits. */
const fillDisk = async (folder: string): Promise<string> => {
  const file = join(folder, 'ballast')
  const handle = await open(file, 'w')
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(folder)
      await handle.write(CHUNK, 0, Math.min(CHUNK.length, Math.max(bsize, Number(bavail) * Number(bsize))))
    }
  } catch {
    return file
  } finally {
    await handle.close()
  }
}

export const EVENTS: readonly Event[] = [
  {
    name: 'switchover',
    strike: async (cluster) => {
      await cluster.switchOver()
      return async () => undefined
    },
  },
  {
    name: 'kill',
    strike: async ({ leader, startPatroni }) => {
      const machine = await leader()
      await machine.signalAll('SIGKILL', 'patroni', 'postgres', 'python3')
      return async () => startPatroni(machine)
    },
  },
  {
    name: 'cable',
    strike: async ({ leader }) => {
      const machine = await leader()
      await machine.plugIn(false)
      return () => machine.plugIn(true)
    },
  },
  {
    name: 'pause',
    strike: async ({ leader }) => {
      const machine = await leader()
      await machine.signalAll('SIGSTOP')
      return () => machine.signalAll('SIGCONT')
    },
  },
  {
    name: 'disk',
    strike: async ({ leader, revive }) => {
      const machine = await leader()
      const file = await fillDisk(machine.folder)
      return async () => {
        await rm(file)
        // Each ends itself where it cannot write; on a real server systemd starts it again.
        await revive(machine)
      }
    },
  },
]
