import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600

/** A folder that takes files and cannot be looked into, or a file system that syncs none. */
const NOT_SYNCABLE = new Set(['EACCES', 'EPERM', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const syncFolder = async (folder: string): Promise<void> => {
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch (error) {
    if (!NOT_SYNCABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

type Options = {
  /** Where it is written at first, in the same folder. One that two may write at a time needs a name for each. */
  unfinished?: string
  giveName?: (unfinished: string, path: string) => Promise<void>
}

/** Replaces a file as a whole, readable by its owner alone: after a power cut it is the old one or the new one. */
export const writeAtomically = async <Result>(
  path: string,
  fill: (handle: FileHandle) => Promise<Result>,
  { unfinished = `${path}.next`, giveName = rename }: Options = {},
): Promise<Result> => {
  const handle = await open(unfinished, 'w', OWNER_ONLY)
  let result: Result
  try {
    result = await fill(handle)
    await handle.sync()
    await handle.close()
    await giveName(unfinished, path)
  } catch (error) {
    // A full disk is not to stay full of what came of it.
    await handle.close().catch(() => undefined)
    await rm(unfinished, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
  return result
}

/** The same for a short text, before anything else runs. */
export const writeAtomicallySync = (path: string, text: string): void => {
  const unfinished = `${path}.next`
  try {
    writeFileSync(unfinished, text, { mode: OWNER_ONLY, flush: true })
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
