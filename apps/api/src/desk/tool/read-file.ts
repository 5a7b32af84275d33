import { open } from 'node:fs/promises'
import { placeOf } from '#desk/tool/place-of.ts'
import { Refusal } from '#desk/tool/refusal.ts'

const MEGABYTE = 1024 * 1024
const MOST_BYTES = 20 * MEGABYTE

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'the shop’s user may not read it',
  EISDIR: 'it is a folder',
}

/** A file that somebody has named, 20 MB at most where nothing else is said. Throws a Refusal. */
export const readNamedFile = async (file: string, mostBytes = MOST_BYTES): Promise<Buffer> => {
  const refuse = (why: string) => new Refusal(`${file} cannot be read: ${why}.`)
  try {
    const handle = await open(placeOf(file), 'r')
    try {
      const facts = await handle.stat()
      if (!facts.isFile()) throw refuse('it is not a file')
      // One byte more, so that what grows meanwhile is noticed too.
      const bytes = Buffer.alloc(Math.min(facts.size, mostBytes) + 1)
      let length = 0
      while (length < bytes.length) {
        const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      if (length > mostBytes) throw refuse(`it is larger than ${mostBytes / MEGABYTE} MB`)
      return bytes.subarray(0, length)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    throw reason ? refuse(reason) : error
  }
}
