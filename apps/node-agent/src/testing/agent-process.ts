import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { Namespace } from '@hedgerow/testing/namespaces'

/** The command where a tool is missing: only it and its own processes do not find it. */
export const without = (tool: string, command: readonly string[]): [program: string, ...args: string[]] => [
  'sh',
  '-c',
  `mount --bind /dev/null "$(command -v ${tool})" && exec "$@"`,
  'sh',
  ...command,
]

/** The agent in a namespace, as a process of its own. */
export const startAgentProcess = (
  namespace: Namespace,
  env: Record<string, string>,
  [program, ...args]: readonly [string, ...string[]],
) => {
  const child = namespace.spawn(program, args, env)
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    output: () => output,
    ended,
    /** The tool that it was started without is there from now on, by its path. */
    install: (tool: string) => execFileSync('nsenter', [`--mount=/proc/${child.pid}/ns/mnt`, 'umount', tool]),
    /** `ip netns exec` becomes the program itself, so the signal reaches the agent and nothing else. */
    kill: async (signal: NodeJS.Signals = 'SIGKILL') => {
      child.kill(signal)
      return await ended
    },
  }
}

export type AgentProcess = ReturnType<typeof startAgentProcess>
