import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Replaces a file as a whole, readable by its owner alone: after a power cut it is the old one or the new one. */
export const keepFile = async (file: string, write: (handle: FileHandle) => Promise<void>): Promise<void> => {
  const next = `${file}.next`
  const handle = await open(next, 'w', 0o600)
  try {
    await write(handle)
    await handle.sync()
    await handle.close()
    await rename(next, file)
  } catch (error) {
    // A full disk is not to stay full of what came of it.
    await handle.close().catch(() => undefined)
    await rm(next, { force: true })
    throw error
  }
  await syncFolder(dirname(file))
}
