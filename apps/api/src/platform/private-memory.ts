import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** Options of Node.js by which memory, and a card number with it, gets into a file or to a debugger. */
const EXPOSING = /^--(?:inspect|heapsnapshot-|heap-prof|report-(?:on-|uncaught-))/

/** Those that this process was started with, by its command line or by NODE_OPTIONS. */
export const exposingOptions = ({ NODE_OPTIONS = '' }: NodeJS.ProcessEnv, execArgv: string[]): string[] =>
  [...execArgv, ...NODE_OPTIONS.split(/\s+/)].filter((option) => EXPOSING.test(option))

/**
 * Card numbers are in memory while they pass, so nothing may write memory to a disk. A limit of one byte, unlike none, keeps
 * Linux from running a collector of core files, too. One that should be made in spite of it has no memory in it; only the
 * registers can't be left out, and they may hold what was copied last. SIGUSR1 no longer starts a debugger.
 */
export const keepMemoryPrivate = (): void => {
  process.on('SIGUSR1', () => undefined)
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/coredump_filter', '0')
    const { error, status } = spawnSync('prlimit', ['--pid', String(process.pid), '--core=1:1'])
    if (error || status !== 0) throw error ?? new Error(`prlimit ended with ${status}`)
  } catch {
    console.error('This process may leave a core file behind: see docs/card-data.md.')
  }
}
