import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import { pause } from '#runtime/backoff.ts'
import type { Clock } from '#runtime/clock.ts'
import { createMutex } from '#runtime/mutex.ts'
import type { Timings } from '#runtime/timings.ts'

const fileIn = (stateDir: string) => join(stateDir, 'time')

/** What time it was when an agent here last knew it, at least. Earlier versions left only the time of their last change. */
export const readLastTime = async (stateDir: string, journal: string): Promise<number | undefined> => {
  const kept = Number(await readFile(fileIn(stateDir), 'utf8').catch(() => ''))
  if (kept > 0) return kept
  return stat(journal).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
}

const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full: free some space',
  EDQUOT: 'its quota is used up: free some space, or raise it',
  EROFS: 'its file system is read-only: look for errors of the disk (dmesg), and mount it writable',
}

/**
 * Keeps the time for the next start. What is written regularly shows, too, whether anything can be: customers are served on
 * without, but after a restart of the server not even their names would be resolved.
 */
export const createTimeFile = (stateDir: string, clock: Pick<Clock, 'now' | 'isKnown'>) => {
  let fault: string | undefined
  const exclusively = createMutex()
  const write = async (): Promise<void> => {
    if (!clock.isKnown()) return
    const text = String(Math.floor(clock.now()))
    try {
      await writeAtomically(fileIn(stateDir), (handle) => handle.writeFile(text))
      fault = undefined
    } catch (error) {
      const { code = (error as Error).message } = error as NodeJS.ErrnoException
      fault = `Nothing can be written to ${stateDir} (${code}): ${WHY[code] ?? 'put that right'}.`
    }
  }
  // Two at once would take each other's file away.
  const save = () => exclusively(write)
  return {
    save,
    /** Until the signal. */
    saveRegularly: async ({ timeMs, secondLookMs }: Timings, signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        await save()
        await pause(fault === undefined ? timeMs : secondLookMs, signal)
      }
    },
    faults: (): string[] => (fault === undefined ? [] : [fault]),
  }
}
