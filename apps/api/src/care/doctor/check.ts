import type { Db } from '#platform/database/client.ts'
import type { Finding } from '#platform/doctor/finding.ts'
import type { Settings } from '#platform/settings.ts'

/** What checks work with. */
export type Looking = {
  settings: Settings
  db: Db
  /** Where the pages were built into. */
  storefrontDir: string
  /** An address that a mail is sent to; undefined: none is sent. */
  mailTo?: string | undefined
}

/**
 * Looks at one thing, and changes nothing. What it throws is a problem too. One that needs nothing but this machine and the
 * database, and takes no time, is `isCheap`: it is done at each start.
 */
export type Check = {
  name: string
  isCheap?: true
  /** Looked at all the while by the running shop: it reaches out to what customers need, and costs little. */
  isWatched?: true
  /** It may be well on one machine of the shop and not on another. */
  isOfMachine?: true
  look: (on: Looking, signal: AbortSignal) => Promise<Finding | readonly Finding[]>
}
