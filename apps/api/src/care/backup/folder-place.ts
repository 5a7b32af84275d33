import { constants } from 'node:fs'
import { access, lstat, open, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type BackupPlace, isBackupName } from '#care/backup/backup-place.ts'
import type { Settings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'may not be written to by this user',
  EROFS: 'may not be written to by this service',
  ENOTDIR: 'is no folder',
}

/** Why no backup can be put there; undefined where one can. */
export const whyNotFolder = async (folder: string): Promise<string | undefined> => {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return (await stat(folder)).isDirectory() ? undefined : WHY.ENOTDIR
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return WHY[code] ?? `cannot be used (${code})`
  }
}

/** A shop whose backups have nowhere to go does not start: nobody would hear of it before the day on which one is needed. */
export const requireBackupFolder = async ({ backupDir }: Pick<Settings, 'backupDir'>): Promise<void> => {
  const why = backupDir && (await whyNotFolder(backupDir))
  if (why) throw new StartError(`BACKUP_DIR: ${backupDir} ${why}.`)
}

/** As writeWholeFile names what it has not written to its end. */
const isUnfinished = (file: string): boolean => {
  const [, name = ''] = /^\.(.+)\.[0-9a-f]{8}\.part$/.exec(file) ?? []
  return isBackupName(name)
}

export type FolderPlace = BackupPlace & {
  size: (name: string) => Promise<number | undefined>
  /** All that processes which died have left there. */
  removeUnfinished: () => Promise<void>
}

const sizeOf = async (path: string): Promise<number | undefined> => {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  })
  return found?.isFile() ? found.size : undefined
}

const folderPlace = (folder: string): FolderPlace => ({
  title: folder,
  machine: hostname(),
  addressOf: (name) => join(folder, name),
  list: async () => {
    const names = (await readdir(folder)).filter(isBackupName).sort().reverse()
    const found = await Promise.all(
      names.map(async (name) => ({ name, bytes: await sizeOf(join(folder, name)) })),
    )
    return found.flatMap(({ name, bytes }) => (bytes === undefined ? [] : [{ name, bytes }]))
  },
  size: (name) => sizeOf(join(folder, name)),
  open: async function* (name) {
    const file = await open(join(folder, name))
    yield* file.createReadStream()
  },
  remove: (name) => rm(join(folder, name), { force: true }),
  removeUnfinished: async () => {
    for (const file of await readdir(folder))
      if (isUnfinished(file)) await rm(join(folder, file), { force: true })
  },
})

/** Where the shop makes its backups; undefined: it makes none. */
export const backupFolder = ({ backupDir }: Pick<Settings, 'backupDir'>): FolderPlace | undefined =>
  backupDir === undefined ? undefined : folderPlace(backupDir)
