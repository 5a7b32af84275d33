import { type FileHandle, open, readFile } from 'node:fs/promises'
import { writeAtomically } from '@hedgerow/io/write-atomically'

/** Enough lines to be worth a system call, few enough to leave room for other work in between. */
const LINES_AT_ONCE = 2_000

/**
 * A file that lines are added to. A line whose end is missing was torn by a power cut and is not answered; what is
 * written next begins a new file then, since a line after a torn one would be lost with it.
 */
export const createJournal = (file: string) => {
  let handle: FileHandle | undefined
  let isTorn = false
  let lines = 0

  const close = async () => {
    await handle?.close()
    handle = undefined
  }
  return {
    /** How many lines the file holds. */
    lines: () => lines,
    isTorn: () => isTorn,
    read: async (): Promise<string[]> => {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw error
      })
      const found = text.split('\n')
      isTorn = found.pop() !== ''
      lines = found.length
      return found
    },
    append: async (more: readonly string[]): Promise<void> => {
      handle ??= await open(file, 'a', 0o600)
      const before = isTorn
      isTorn = true
      await handle.appendFile(more.map((line) => `${line}\n`).join(''))
      await handle.datasync()
      isTorn = before
      lines += more.length
    },
    replace: async (all: Iterable<string>): Promise<void> => {
      await close()
      let count = 0
      await writeAtomically(file, async (next) => {
        let batch: string[] = []
        const flush = async () => {
          await next.appendFile(batch.join(''))
          batch = []
        }
        for (const line of all) {
          count++
          batch.push(`${line}\n`)
          if (batch.length === LINES_AT_ONCE) await flush()
        }
        await flush()
      })
      lines = count
      isTorn = false
    },
    close,
  }
}
