import type { Db } from '#platform/database/client.ts'
import type { Settings } from '#platform/settings.ts'

export type Finding = {
  state: 'ok' | 'warning' | 'problem'
  /** What was seen. */
  says: string
  /** What to do about it. */
  act?: string
}

export const ok = (says: string): Finding => ({ state: 'ok', says })
export const warning = (says: string, act: string): Finding => ({ state: 'warning', says, act })
export const problem = (says: string, act: string): Finding => ({ state: 'problem', says, act })

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
  look: (on: Looking, signal: AbortSignal) => Promise<Finding | readonly Finding[]>
}
