import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'
import type { Command } from 'commander'

/** Where the tool reads and writes, and how it is interrupted: the process, or a test. */
export type RunPlace = {
  env: NodeJS.ProcessEnv
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable & { isTTY?: boolean }
  stderr: Writable & { isTTY?: boolean }
  signals: { once: (signal: NodeJS.Signals, listener: () => void) => unknown }
  exit: (code: number) => void
}

/** One run of the tool, and what is known of its command. */
export type ToolRun = RunPlace & {
  exitCode: number
  /** The command that runs, once it is read. */
  command?: Command
  /** What it turned out to act on. */
  subject?: string
  /** The values of options as they were typed: what commands get are sums and times. */
  typed: Map<string, string>
}

const runs = new AsyncLocalStorage<ToolRun>()

export const toolRun = (): ToolRun => {
  const run = runs.getStore()
  if (!run) throw new Error('A command of the tool was called outside of a run')
  return run
}

/** Returns the exit code. */
export const runIn = (place: RunPlace, act: (run: ToolRun) => Promise<void>): Promise<number> => {
  const run: ToolRun = { ...place, exitCode: 0, typed: new Map() }
  return runs.run(run, async () => {
    await act(run)
    return run.exitCode
  })
}
