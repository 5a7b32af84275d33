import { createTarDecoder, type TarHeader } from 'modern-tar'
import { ArchiveFault, RELEASE_FILE, type Release, readRelease } from './release.ts'

/** More than any archive unpacks to: what goes on after that is not read. */
const MOST_UNPACKED = 512 * 1024 * 1024
const MOST_ENTRIES = 200
const MOST_RELEASE_BYTES = 4096

/** What a node runs, and the largest that each may be. Nothing else of an archive is ever written. */
const PROGRAM_FILES = { node: 400 * 1024 * 1024, 'agent.mjs': 64 * 1024 * 1024 } as const
export type ProgramFile = keyof typeof PROGRAM_FILES

type TakenFile = ProgramFile | typeof RELEASE_FILE
const LIMITS: Readonly<Record<TakenFile, number>> = { ...PROGRAM_FILES, [RELEASE_FILE]: MOST_RELEASE_BYTES }

/** In one folder, whatever its name. */
const TAKEN = /^(?:\.\/)?[\w-][\w.-]*\/(node|agent\.mjs|release\.json)$/

const takenFile = ({ name, type, size }: TarHeader): TakenFile | undefined => {
  const file = TAKEN.exec(name)?.[1] as TakenFile | undefined
  if (!file) return undefined
  if (type !== 'file') throw new ArchiveFault(`its ${file} is not a file`)
  if (size > LIMITS[file]) throw new ArchiveFault(`its ${file} is too large`)
  return file
}

const unpack = (archive: Uint8Array) => {
  let unpacked = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      unpacked += chunk.length
      if (unpacked > MOST_UNPACKED) throw new ArchiveFault('it unpacks to too much')
      controller.enqueue(chunk)
    },
  })
  return ReadableStream.from([archive])
    .pipeThrough(new DecompressionStream('gzip'))
    .pipeThrough(bound)
    .pipeThrough(createTarDecoder({ strict: true }))
}

/** Hands over what a node runs, file by file, each name once; the others are passed over. Throws a ArchiveFault. */
const eachTaken = async (
  archive: Buffer,
  onFile: (file: TakenFile, content: AsyncIterable<Uint8Array>) => Promise<'go on' | 'enough'>,
): Promise<void> => {
  const seen = new Set<TakenFile>()
  let count = 0
  try {
    for await (const { header, body } of unpack(archive)) {
      if (++count > MOST_ENTRIES) throw new ArchiveFault('it holds too many files')
      const file = takenFile(header)
      if (!file) {
        await body.cancel()
        continue
      }
      if (seen.has(file)) throw new ArchiveFault(`it holds ${file} twice`)
      seen.add(file)
      if ((await onFile(file, body)) === 'enough') return
    }
  } catch (error) {
    if (error instanceof ArchiveFault) throw error
    const { code, syscall } = error as NodeJS.ErrnoException
    // A disk that is full is no fault of the archive.
    if (syscall) throw error
    throw new ArchiveFault(`it is not an archive that can be unpacked${code ? ` (${code})` : ''}`)
  }
}

const textOf = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** What an archive says of itself. */
export const releaseIn = async (archive: Buffer): Promise<Release> => {
  let release: Release | undefined
  await eachTaken(archive, async (file, content) => {
    if (file !== RELEASE_FILE) {
      for await (const _ of content);
      return 'go on'
    }
    release = readRelease(await textOf(content))
    return 'enough'
  })
  if (!release) throw new ArchiveFault(`it has no ${RELEASE_FILE}, so it is none of an agent or too old`)
  return release
}

/** Hands over the programs of an archive whose signature has been checked, and returns what it says of itself. */
export const unpackAgent = async (
  archive: Buffer,
  write: (file: ProgramFile, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<Release> => {
  const missing = new Set<string>([...Object.keys(PROGRAM_FILES), RELEASE_FILE])
  let release: Release | undefined
  await eachTaken(archive, async (file, content) => {
    missing.delete(file)
    if (file === RELEASE_FILE) release = readRelease(await textOf(content))
    else await write(file, content)
    return 'go on'
  })
  if (!release || missing.size > 0) throw new ArchiveFault(`it has no ${[...missing].join(' and no ')}`)
  return release
}
