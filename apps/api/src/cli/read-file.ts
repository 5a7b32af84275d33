import { type FileHandle, open } from 'node:fs/promises'
import { Refusal } from '#cli/refusal.ts'

const read = async (file: FileHandle, mostBytes: number): Promise<Buffer | string> => {
  const facts = await file.stat()
  if (!facts.isFile()) return 'it is not a file'
  if (facts.size > mostBytes) return `it is larger than ${mostBytes / 1024 / 1024} MB`
  return file.readFile()
}

/** A whole file that the operator names, bounded. Throws a Refusal for what is none, and what is larger. */
export const readWholeFile = async (path: string, mostBytes: number): Promise<Buffer> => {
  let file: FileHandle | undefined
  let found: Buffer | string
  try {
    file = await open(path)
    found = await read(file, mostBytes)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    found = code === 'ENOENT' ? 'it does not exist' : code
  } finally {
    await file?.close()
  }
  if (typeof found === 'string') throw new Refusal(`${path} cannot be read: ${found}.`)
  return found
}
