import { gt, valid } from 'semver'
import * as z from 'zod/mini'

export const ARCHITECTURES = ['x64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

const LONGEST_VERSION = 40

/** As semver.org writes versions. What matches is a name for a folder too. */
export const isVersion = (text: string): boolean => text.length <= LONGEST_VERSION && valid(text) === text

export const Version = z.string().check(z.maxLength(LONGEST_VERSION), z.refine(isVersion))

/** Newer, by semver.org's order. */
export const isNewer = (version: string, than: string): boolean => gt(version, than)

/**
 * What an archive says of itself. It stands inside of it, so that the signature covers it: an archive of the shop, of
 * another architecture or of another version cannot be passed off as this one.
 */
export const Release = z.object({
  name: z.literal('hedgerow-agent'),
  version: Version,
  platform: z.literal('linux'),
  arch: z.enum(ARCHITECTURES),
})
export type Release = z.infer<typeof Release>

/** The file in an archive, and beside an agent's program. */
export const RELEASE_FILE = 'release.json'

/** The largest archive that is stored, sent and taken. */
export const LARGEST_ARCHIVE = 64 * 1024 * 1024

/** What is wrong with an archive, a signature or a key, in words for operators. */
export class ArchiveFault extends Error {}

export const readRelease = (text: string): Release => {
  try {
    return z.parse(Release, JSON.parse(text))
  } catch {
    throw new ArchiveFault(`its ${RELEASE_FILE} does not name an agent, a version and an architecture`)
  }
}
