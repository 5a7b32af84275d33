import { type FSWatcher, watch } from 'node:fs'
import type { Logger } from 'pino'

/** Long enough that a file being copied has come to an end. */
const SETTLED_AFTER_MS = 500
/** Not every file system tells of changes. */
const LOOK_EVERY_MS = 30_000

/** Calls when the folder has changed and then been still for a moment. */
export const watchLists = (
  listsDir: string,
  signature: () => Promise<string>,
  onChange: () => Promise<void>,
  log: Logger,
): (() => void) => {
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let seen: string | undefined
  let settled: string | undefined

  const look = async (): Promise<void> => {
    const now = await signature()
    // The first time too: something may have changed since the lists were read.
    const isNew = now !== settled
    const isStill = now === seen
    seen = now
    if (isNew && !isStill) return schedule(SETTLED_AFTER_MS)
    if (isNew) await onChange()
    settled = now
    open()
    // While lists were being changed, they may have been changed again.
    schedule(isNew ? SETTLED_AFTER_MS : LOOK_EVERY_MS)
  }
  const schedule = (afterMs: number): void => {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => {
      look().catch((error) => {
        log.error({ err: error }, 'The filter lists could not be updated')
        schedule(LOOK_EVERY_MS)
      })
    }, afterMs)
    timer.unref()
  }
  /** The folder may come later, or go. */
  const open = (): void => {
    if (watcher || isStopped) return
    const forget = () => {
      watcher?.close()
      watcher = undefined
    }
    try {
      watcher = watch(listsDir, () => schedule(SETTLED_AFTER_MS)).on('error', forget)
      watcher.unref()
    } catch {
      watcher = undefined
    }
  }
  open()
  schedule(0)
  return () => {
    isStopped = true
    clearTimeout(timer)
    watcher?.close()
  }
}
