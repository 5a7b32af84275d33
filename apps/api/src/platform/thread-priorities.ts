import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** What people wait for at a page goes first, then passwords, which strangers can send, then documents. On Linux, where each thread has its own. */
const NICENESS = { passwords: 5, documents: 10 } as const

const THREADS = '/proc/self/task'
const THIS_THREAD = 0

/** A host may forbid it: then all share alike, and nothing else is worse. */
const lower = (thread: number, niceness: number): void => {
  try {
    setPriority(thread, niceness)
  } catch {}
}

/** Empty for a thread that has ended meanwhile. */
const nameOf = (thread: string): string => {
  try {
    return readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trimEnd()
  } catch {
    return ''
  }
}

/** For the thread that calls it. */
export const putDocumentsLast = (): void => {
  if (process.platform === 'linux') lower(THIS_THREAD, NICENESS.documents)
}

/** Of libuv's threads, on which passwords are hashed and files are read. They all exist as soon as one has been needed. */
export const putPasswordsBehindPages = (): void => {
  if (!existsSync(THREADS)) return
  for (const thread of readdirSync(THREADS))
    if (nameOf(thread) === 'libuv-worker') lower(Number(thread), NICENESS.passwords)
}
