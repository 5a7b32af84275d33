import type { KeyObject } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackAgent } from '@hedgerow/agent-release/read-archive'
import { ArchiveFault, LARGEST_ARCHIVE, type Release } from '@hedgerow/agent-release/release'
import { isSigned } from '@hedgerow/agent-release/signature'
import { archiveOf, signatureFileOf, sizeOf } from '#upgrade/version-store.ts'

/** Reads an archive that was signed with the key. Throws an ArchiveFault. */
export const readSigned = async (file: string, signature: string, key: KeyObject): Promise<Buffer> => {
  const size = await sizeOf(file)
  if (size === 0) throw new ArchiveFault('it is not there')
  if (size > LARGEST_ARCHIVE) throw new ArchiveFault('it is too large')
  const archive = await readFile(file)
  if (!isSigned(archive, signature, key))
    throw new ArchiveFault('its signature does not belong to the release key of this node')
  return archive
}

export const checkRelease = (release: Release, version: string): void => {
  if (release.version !== version)
    throw new ArchiveFault(`it holds version ${release.version}, not ${version}`)
  if (release.arch !== process.arch)
    throw new ArchiveFault(`it is for ${release.arch}, and this server is ${process.arch}`)
}

/** Makes a file what it is to be, and writes nothing where it is so already: a full disk keeps no version from starting. */
const ensureContent = async (file: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o700)
  try {
    let at = 0
    for await (const chunk of content) {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(chunk.length), 0, chunk.length, at)
      if (bytesRead < chunk.length || !buffer.equals(chunk)) await handle.write(chunk, 0, chunk.length, at)
      at += chunk.length
    }
    const { size, mode } = await handle.stat()
    if (size !== at) await handle.truncate(at)
    if ((mode & 0o777) !== 0o700) await handle.chmod(0o700)
  } finally {
    await handle.close()
  }
}

/**
 * Puts a version's programs into its folder. Each start looks at every byte: what lies there may have been changed since, by
 * accident or not; the archive that was signed has not. Returns the folder. Throws an ArchiveFault.
 */
export const unpackVersion = async (
  versionsDir: string,
  version: string,
  key: KeyObject,
): Promise<string> => {
  const signature = await readFile(signatureFileOf(versionsDir, version), 'utf8').catch(() => '')
  const archive = await readSigned(archiveOf(versionsDir, version), signature.trim(), key)
  const folder = join(versionsDir, version)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await unpackAgent(archive, (file, content) => ensureContent(join(folder, file), content))
  checkRelease(release, version)
  return folder
}
