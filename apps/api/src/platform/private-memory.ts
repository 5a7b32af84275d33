import { writeFileSync } from 'node:fs'

/** Options of Node.js by which memory, and a card number with it, gets into a file or to a debugger. */
const EXPOSING = /^--(?:inspect|heapsnapshot-|heap-prof|report-(?:on-|uncaught-))/

/** Those that this process was started with, by its command line or by NODE_OPTIONS. */
export const exposingOptions = ({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv, execArgv: string[]): string[] =>
  [...execArgv, ...NODE_OPTIONS.split(/\s+/)].filter((option) => EXPOSING.test(option))

/**
 * Card numbers are in memory while they pass, so nothing may write memory to a disk. Linux leaves all of it out of a core
 * file from now on, also of one that goes to a collector, which no limit stops; SIGUSR1 no longer starts a debugger.
 */
export const keepMemoryPrivate = (): void => {
  process.on('SIGUSR1', () => undefined)
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/coredump_filter', '0')
  } catch {
    console.error('Core files of this process cannot be emptied: see docs/card-data.md.')
  }
}
