import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { env } from '#network/command.ts'

const TOOLS = ['ip', 'nft', 'tc', 'unbound', 'unbound-control', 'dig', 'ping', 'curl']

/** Why tests with namespaces cannot run here; undefined if they can. */
export const cannotRun = (): string | undefined => {
  if (process.getuid?.() !== 0) return 'needs root'
  const missing = TOOLS.filter((tool) => {
    try {
      execFileSync('which', [tool], { env, stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })
  return missing.length > 0 ? `needs ${missing.join(', ')}` : undefined
}

export type Result = { code: number; out: string }

/** Network namespaces with a random name, all of which `remove` takes away with what runs in them. */
export const createNamespaces = (names: readonly string[]) => {
  const prefix = `hr${randomBytes(3).toString('hex')}`
  const full = (name: string) => `${prefix}${name}`
  for (const name of names) {
    execFileSync('ip', ['netns', 'add', full(name)], { env })
    execFileSync('ip', ['-n', full(name), 'link', 'set', 'lo', 'up'], { env })
  }

  const run = (name: string, program: string, ...args: string[]): Promise<Result> =>
    new Promise((resolve) => {
      execFile('ip', ['netns', 'exec', full(name), program, ...args], { env }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) || 1 : 0, out: `${stdout}${stderr}` })
      })
    })

  /** `ip` commands, one a line, with the other namespaces' names as {name}. */
  const ip = (name: string, lines: string): void => {
    const text = lines.replaceAll(/\{(\w+)\}/g, (_, other: string) => full(other))
    execFileSync('ip', ['-n', full(name), '-batch', '-'], {
      env,
      input: text,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
  }

  /** Starts a script of this folder in a namespace and waits until it says that it is ready. */
  const start = async (name: string, script: string, ...args: string[]): Promise<ChildProcess> => {
    const file = fileURLToPath(new URL(script, import.meta.url))
    const child = spawn('ip', ['netns', 'exec', full(name), process.execPath, file, ...args], {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    await once(child, 'message')
    return child
  }

  const pids = (name: string): number[] =>
    execFileSync('ip', ['netns', 'pids', full(name)], { env, encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map(Number)

  const remove = (): void => {
    for (const name of names) {
      try {
        for (const pid of pids(name)) process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
      execFileSync('ip', ['netns', 'del', full(name)], { env, stdio: 'ignore' })
    }
    process.off('exit', remove)
  }
  process.on('exit', remove)
  return { run, ip, start, pids, remove }
}
