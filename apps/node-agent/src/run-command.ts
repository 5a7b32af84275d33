import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const WITHIN_MS = 20_000
/** Some start programs with a short PATH; these tools live in the directories of the administrator. */
const env = { ...process.env, LC_ALL: 'C', PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

/** Runs a program without a shell and answers what it printed. The error says which program failed and why. */
export const runCommand = async (program: string, args: readonly string[]): Promise<string> => {
  try {
    const { stdout } = await run(program, args, { env, timeout: WITHIN_MS, maxBuffer: 1 << 24 })
    return stdout
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    // Arguments stay out of it: they may name peers.
    throw new Error(`${program} ${args[0] ?? ''}: ${stderr?.trim() || `ended with ${code}`}`)
  }
}
