import { randomUUID } from 'node:crypto'
import { type FileHandle, link, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import { BackupFault } from '#care/backup/backup-fault.ts'

type Options = { mayReplace: boolean }

/** Takes bytes away as fast as the disk does. */
export type Sink = (chunks: AsyncIterable<Uint8Array>) => Promise<void>

const REASONS: Record<string, string> = {
  ENOENT: 'the folder is not there',
  ENOTDIR: 'the folder is not there',
  EACCES: 'the folder may not be written to',
  EPERM: 'the folder may not be written to',
  EROFS: 'the folder may not be written to',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'a file may not be so large here',
  ENAMETOOLONG: 'its name is too long',
  NOT_A_FILE: 'it is no file',
}

const faultOf = (error: unknown, path: string): unknown => {
  const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
  return reason ? new BackupFault(`${path} cannot be written: ${reason}.`) : error
}

const taken = (path: string) => new BackupFault(`${path} already exists. To replace it, add --force.`)

const refuseExisting = async (path: string, mayReplace: boolean): Promise<void> => {
  const there = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (there?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
  // A pipe or a device would not be written to, but lost.
  if (there && !there.isFile()) throw Object.assign(new Error(), { code: 'NOT_A_FILE' })
  if (there && !mayReplace) throw taken(path)
}

/** File systems that know no hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Gives the file its name; of two that want the same one, one is refused. */
const giveName = async (unfinished: string, path: string, mayReplace: boolean): Promise<void> => {
  if (mayReplace) return rename(unfinished, path)
  try {
    await link(unfinished, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw taken(path)
    if (!NO_LINKS.has(code)) throw error
    await refuseExisting(path, mayReplace)
    return rename(unfinished, path)
  }
  await rm(unfinished)
}

/** Writes a file that only its owner can read, and that has its name only when all of it is on the disk. */
export const writeWholeFile = async <T>(
  path: string,
  { mayReplace }: Options,
  fill: (sink: Sink) => Promise<T>,
): Promise<{ result: T; bytes: number }> => {
  // In a container every process has the same number: one that was killed would stand in the way of the next.
  const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.part`)
  const fillAndMeasure = async (handle: FileHandle) => {
    const result = await fill(async (chunks) => {
      for await (const chunk of chunks) await handle.appendFile(chunk)
    })
    return { result, bytes: (await handle.stat()).size }
  }
  try {
    await refuseExisting(path, mayReplace)
    return await writeAtomically(path, fillAndMeasure, {
      unfinished,
      giveName: () => giveName(unfinished, path, mayReplace),
    })
  } catch (error) {
    throw faultOf(error, path)
  }
}
