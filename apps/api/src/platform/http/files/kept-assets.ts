import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '@hedgerow/domain/dates'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '#platform/settings.ts'

/** The builds give each file a name that ends with a hash of what is in it. Anything else is not ours to keep. */
const HASHED = /^[A-Za-z][\w.-]*-[\w-]{7,8}\.(?:js|css|svg|png|webp|avif|jpg|ico|woff2)(?:\.br|\.gz)?$/
const UNFINISHED = /^\.[\w.-]+\.part$/
const UNFINISHED_MS = 3_600_000
/** About a hundred versions. However often it is built, old files do not fill the disk. */
const MOST_BYTES = 512 * 1024 * 1024
const PUBLIC_FILE = 0o644
const OTHERS_WRITE = 0o002

export const isHashedName = (name: string): boolean => HASHED.test(name)

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name)

/** Undefined: it is gone, another process has removed it. A link is no file: it could lead anywhere. */
const regularFile = async (path: string): Promise<Stats | undefined> => {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ? found : undefined
}

/** Puts a file there as a whole, or notes that what is there is still in use. */
const keep = async (from: string, folder: string, name: string): Promise<void> => {
  const to = join(folder, name)
  const content = await readFile(from)
  const found = await regularFile(to)
  // Compared: a full disk or a stranger may have left something else under the name.
  if (found?.size === content.length && content.equals(await readFile(to))) {
    const now = new Date()
    return utimes(to, now, now)
  }
  await writeAtomically(
    to,
    async (handle) => {
      await handle.writeFile(content)
      await handle.chmod(PUBLIC_FILE)
    },
    { unfinished: join(folder, `.${name}.${randomUUID()}.part`) },
  )
}

/** Removes what no process has used for so long, and the oldest of what is too much. Other files are left alone. */
const sweep = async (folder: string, keptDays: number): Promise<void> => {
  const names = await filesIn(folder)
  const found = await Promise.all(
    names.map(async (name) => ({ name, stats: await regularFile(join(folder, name)) })),
  )
  const newestFirst = found
    .flatMap(({ name, stats }) => (stats ? [{ name, size: stats.size, usedAt: stats.mtimeMs }] : []))
    .sort((a, b) => b.usedAt - a.usedAt)
  let bytes = 0
  for (const { name, size, usedAt } of newestFirst) {
    const age = Date.now() - usedAt
    if (isHashedName(name)) {
      bytes += size
      if (age <= keptDays * DAY_MS && bytes <= MOST_BYTES) continue
    } else if (!UNFINISHED.test(name) || age <= UNFINISHED_MS) continue
    await rm(join(folder, name), { force: true })
  }
}

/** Everything in it is run in customers' browsers: only this user and root may decide what that is. */
const refuseOpenFolder = (folder: string, { mode, uid }: Stats): void => {
  if ((mode & OTHERS_WRITE) !== 0) throw new Error(`everybody may write to ${folder}`)
  if (uid !== 0 && uid !== process.getuid?.()) throw new Error(`${folder} is another user’s`)
}

const keepAll = async (built: string, folder: string, keptDays: number): Promise<void> => {
  for (const name of (await filesIn(built)).filter(isHashedName)) await keep(join(built, name), folder, name)
  await sweep(folder, keptDays)
}

export type KeptAssets = {
  /** Where the files of other versions are; undefined: none are kept, or the folder cannot be trusted. */
  folder: string | undefined
  stop: () => void
}

const NONE: KeptAssets = { folder: undefined, stop: () => undefined }

type Keeping = {
  settings: Pick<Settings, 'assetsDir' | 'assetsKeptDays'>
  /** Whose files: the storefront's names and the console's have nothing to do with each other. */
  site: 'storefront' | 'console'
  /** The folder that it was built into. */
  root: string | undefined
  log: FastifyBaseLogger
}

/**
 * Puts the scripts and styles of this version's pages into the folder that all versions share, before a customer can be
 * answered with such a page, and says each day that they are in use. A folder that does not work stops no shop.
 */
export const keepAssets = async ({
  settings: { assetsDir, assetsKeptDays },
  site,
  root,
  log,
}: Keeping): Promise<KeptAssets> => {
  if (!assetsDir || !root) return NONE
  const folder = join(assetsDir, site)
  const tell = (err: unknown) =>
    log.warn({ err, folder }, 'the files of the pages cannot be kept for other versions')
  const tryToKeep = () => keepAll(join(root, 'assets'), folder, assetsKeptDays).catch(tell)
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 })
    // With write access to the one above another could be put in its place.
    refuseOpenFolder(assetsDir, await stat(assetsDir))
    refuseOpenFolder(folder, await lstat(folder))
    await readdir(folder)
  } catch (error) {
    tell(error)
    return NONE
  }
  await tryToKeep()
  const timer = setInterval(tryToKeep, DAY_MS)
  timer.unref()
  return { folder, stop: () => clearInterval(timer) }
}
