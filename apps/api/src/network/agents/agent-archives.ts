import { randomUUID } from 'node:crypto'
import { releaseIn } from '@hedgerow/agent-release/read-archive'
import { ArchiveFault, isNewer, LARGEST_ARCHIVE, type Release } from '@hedgerow/agent-release/release'
import { isSigned, readReleaseKey, Signature } from '@hedgerow/agent-release/signature'
import { ARCHIVE_PART_BYTES } from '@hedgerow/contract/agents'
import * as z from 'zod/mini'
import {
  deleteArchives,
  findArchive,
  insertArchive,
  insertPart,
  isArchiveWanted,
  listArchives,
  lockUpgrades,
} from '#network/agents/upgrades.queries.ts'
import type { With } from '#platform/dependencies.ts'

/** So many versions of an architecture are kept, besides what upgrades still want. */
const KEPT = 3

type Signed = { archive: Buffer; signature: string; releaseKey?: string | undefined }

/**
 * Stores an archive for agents to fetch. The shop has no key to sign by: with the public key it can say at once what every
 * agent would refuse. Throws an ArchiveFault. False: it is stored already, exactly so.
 */
export const storeArchive = async (
  { db }: With<'db'>,
  { archive, signature, releaseKey }: Signed,
): Promise<{ release: Release; isNew: boolean }> => {
  if (archive.length > LARGEST_ARCHIVE)
    throw new ArchiveFault(`it is larger than ${LARGEST_ARCHIVE / 1024 / 1024} MB`)
  if (!z.safeParse(Signature, signature).success)
    throw new ArchiveFault('its signature is not one line of Base64, 88 characters')
  const key = releaseKey === undefined ? undefined : readReleaseKey(releaseKey)
  if (key && !isSigned(archive, signature, key))
    throw new ArchiveFault('its signature does not belong to AGENT_RELEASE_KEY')
  const release = await releaseIn(archive)
  const { version, arch } = release
  const isNew = await db.transaction().execute(async (trx) => {
    await lockUpgrades(trx)
    const before = await findArchive(trx, version, arch)
    if (before?.signature === signature && before.bytes === archive.length) return false
    if (before && (await isArchiveWanted(trx, before)))
      throw new ArchiveFault(`another archive of ${version} is being installed; stop that first`)
    const stored = (await listArchives(trx))
      .filter((one) => one.arch === arch && one.id !== before?.id)
      .sort((a, b) => (isNewer(a.version, b.version) ? -1 : 1))
    const gone = before ? [before.id] : []
    for (const one of stored.slice(KEPT - 1)) if (!(await isArchiveWanted(trx, one))) gone.push(one.id)
    await deleteArchives(trx, gone)
    const id = randomUUID()
    await insertArchive(trx, { id, version, arch, bytes: archive.length, signature })
    for (let at = 0; at < archive.length; at += ARCHIVE_PART_BYTES)
      await insertPart(trx, id, at / ARCHIVE_PART_BYTES, archive.subarray(at, at + ARCHIVE_PART_BYTES))
    return true
  })
  return { release, isNew }
}

/** The newest version that is stored for an architecture. */
export const newestFor = async ({ db }: With<'db'>, arch: string): Promise<string | undefined> =>
  (await listArchives(db))
    .filter((one) => one.arch === arch)
    .map(({ version }) => version)
    .sort((a, b) => (isNewer(a, b) ? -1 : 1))[0]
