import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import { pause } from '#runtime/backoff.ts'
import type { Clock } from '#runtime/clock.ts'

const EVERY_MS = 60_000

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

export const saveTime = async (stateDir: string, clock: Pick<Clock, 'now' | 'isKnown'>): Promise<void> => {
  if (!clock.isKnown()) return
  const text = String(Math.floor(clock.now()))
  // A full disk keeps no one from being served; then it is a little older.
  await writeAtomically(fileIn(stateDir), (handle) => handle.writeFile(text)).catch(() => undefined)
}

type Parts = { clock: Clock; settings: { stateDir: string }; signal: AbortSignal }

export const saveTimeRegularly = async ({ clock, settings, signal }: Parts): Promise<void> => {
  while (!signal.aborted) {
    await pause(EVERY_MS, signal)
    await saveTime(settings.stateDir, clock)
  }
}
