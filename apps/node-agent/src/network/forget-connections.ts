import type { Logger } from 'pino'
import { createMutex } from '#runtime/mutex.ts'
import { runCommand } from '#runtime/run-command.ts'

/** It says so too where there was nothing to delete. */
const NOTHING_THERE = /ended with 1$/

const forget = async (address: string): Promise<void> => {
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  try {
    // What it prints, who was connected to whom, is thrown away.
    await runCommand('conntrack', ['-D', '-f', family, '-s', address])
  } catch (error) {
    if (!NOTHING_THERE.test((error as Error).message)) throw error
  }
}

/**
 * Deletes connections of addresses that nobody has any more. The kernel would keep them for hours, so that someone who
 * takes a new address again and again could fill the table that all share. One after the other, behind what customers
 * wait for: for each address the kernel walks through the table.
 */
export const createForgetter = (log: Pick<Logger, 'error'>) => {
  const pending = new Set<string>()
  const exclusively = createMutex()
  let isBusy = false
  let complaint: string | undefined

  const forgetOne = (address: string): Promise<void> =>
    exclusively(async () => {
      if (!pending.has(address)) return
      try {
        await forget(address)
        complaint = undefined
      } catch (error) {
        const { message } = error as Error
        if (complaint !== message)
          log.error(
            { err: error },
            'Open connections of removed addresses could not be ended, and last until they time out: is the package conntrack installed?',
          )
        complaint = message
      }
      pending.delete(address)
    })
  const forgetPending = async (): Promise<void> => {
    isBusy = true
    // Those that are added meanwhile have their turn too.
    for (const address of pending) await forgetOne(address)
    isBusy = false
  }
  return {
    later: (addresses: Iterable<string>): void => {
      for (const address of addresses) pending.add(address)
      if (!isBusy) void forgetPending()
    },
    /** Before somebody gets these addresses: the connections of who had them a moment ago are not theirs. */
    before: async (addresses: Iterable<string>): Promise<void> => {
      for (const address of addresses) if (pending.has(address)) await forgetOne(address)
    },
  }
}
