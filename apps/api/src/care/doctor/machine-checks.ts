import { stat, statfs } from 'node:fs/promises'
import { isLoopback } from '@hedgerow/settings/hosts'
import type { Check } from '#care/doctor/check.ts'
import { type Finding, ok, problem, warning } from '#platform/doctor/finding.ts'
import type { Settings } from '#platform/settings.ts'

const GIB = 1024 ** 3
const LEAST_PART = 0.1
const LEAST_BYTES = 2 * GIB

/** Where Debian's PostgreSQL keeps its data: the folder itself is the server's alone, what it lies on is not. */
const POSTGRESQL = '/var/lib/postgresql'
const LOGS = '/var/log'

const isDatabaseHere = ({ databaseUrl }: Settings): boolean => {
  const host = databaseUrl ? new URL(databaseUrl).hostname : ''
  return host === '' || isLoopback(host)
}

const lookAtDisk = async (folder: string): Promise<Finding> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  const says = `${((bavail * bsize) / GIB).toFixed(1)} GiB free on the disk of ${folder}`
  const act = 'Make room before the database or the log has none.'
  if (bavail * bsize < LEAST_BYTES / 4) return problem(says, act)
  return bavail * bsize < LEAST_BYTES || bavail / blocks < LEAST_PART / 2 ? warning(says, act) : ok(says)
}

export const machineChecks: readonly Check[] = [
  {
    name: 'disk',
    isWatched: true,
    isOfMachine: true,
    isCheap: true,
    look: async ({ settings }) => {
      const folders = [
        process.cwd(),
        ...(isDatabaseHere(settings) ? [settings.databaseUrl ? POSTGRESQL : settings.dataDir] : []),
        ...(settings.backupDir ? [settings.backupDir] : []),
        LOGS,
      ]
      // Each disk once, by the first of them that lies on it.
      const disks = new Map<number, string>()
      for (const folder of folders) {
        const device = await stat(folder).then(
          ({ dev }) => dev,
          () => undefined,
        )
        if (device !== undefined && !disks.has(device)) disks.set(device, folder)
      }
      return Promise.all([...disks.values()].map(lookAtDisk))
    },
  },
]
