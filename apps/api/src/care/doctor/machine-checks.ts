import { statfs } from 'node:fs/promises'
import type { Check } from '#care/doctor/check.ts'
import { ok, problem, warning } from '#platform/doctor/finding.ts'

const GIB = 1024 ** 3
const LEAST_PART = 0.1
const LEAST_BYTES = 2 * GIB

export const machineChecks: readonly Check[] = [
  {
    name: 'disk',
    isCheap: true,
    look: async () => {
      // Where the program lies: logs and, on a small shop, the database are on the same disk.
      const { bavail, blocks, bsize } = await statfs(process.cwd())
      const says = `${((bavail * bsize) / GIB).toFixed(1)} GiB free on the disk of ${process.cwd()}`
      const act = 'Make room before the database or the log has none.'
      if (bavail * bsize < LEAST_BYTES / 4) return problem(says, act)
      return bavail * bsize < LEAST_BYTES || bavail / blocks < LEAST_PART / 2 ? warning(says, act) : ok(says)
    },
  },
]
