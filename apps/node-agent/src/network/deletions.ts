import { type ChildProcess, spawn } from 'node:child_process'
import { env } from '#runtime/run-command.ts'

/**
 * Resolves as soon as a table of rules has been deleted, perhaps since the last question. Where nothing follows the
 * kernel's events it does not resolve, and each question begins to follow them again.
 */
export const followDeletions = (signal: AbortSignal) => {
  let monitor: ChildProcess | undefined
  let isDeleted = false
  let wake = (): void => undefined
  const follow = (): void => {
    monitor = spawn('nft', ['monitor', 'destroy', 'tables'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      signal,
    })
    const ended = (): void => {
      monitor = undefined
    }
    monitor.on('error', ended).on('exit', ended)
    monitor.stdout?.on('data', () => {
      isDeleted = true
      wake()
    })
  }
  return async (): Promise<void> => {
    if (!monitor && !signal.aborted) follow()
    const wasDeleted = isDeleted
    isDeleted = false
    if (!wasDeleted)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
}
