import { access, mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FILTERS, type FilterList } from '@hedgerow/domain/filters'
import type { Logger } from 'pino'
import { CANARY_NAMES, DOH_NAMES } from '#network/blocked-destinations.ts'
import { type ReadList, readList, writeZone } from '#network/zone-file.ts'

export const LISTS = FILTERS.map(({ filter }) => filter.list)
const NONE: ReadList = { names: new Set(), badLines: 0, suffixes: 0 }

export const zonesIn = (stateDir: string) => join(stateDir, 'resolver', 'zones')
export const zoneFileOf = (zonesDir: string, list: FilterList) => join(zonesDir, `${list}.zone`)

/** What every list blocks besides: ways around the filter. */
const builtIn = (list: FilterList): readonly string[] =>
  list === 'family' ? [...CANARY_NAMES, ...DOH_NAMES] : CANARY_NAMES

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** A copy that broke off, as on a full disk, has lost the end of its last line, and much else. */
const isCutShort = async (file: string, count: number, before: number): Promise<boolean> => {
  if (count >= before / 2) return false
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
    return buffer.toString() !== '\n'
  } finally {
    await handle.close()
  }
}

/** The operator's lists, and the zones made from them. */
export const createFilterLists = (
  listsDir: string,
  zonesDir: string,
  log: Logger,
  listNames = new Map<FilterList, number>(),
) => {
  const made = new Map<FilterList, string>()
  const fileOf = (list: FilterList) => join(listsDir, `${list}.txt`)

  const signatureOf = (list: FilterList): Promise<string> =>
    stat(fileOf(list)).then(
      ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
      (error) => `${error.code}`,
    )
  const signature = async (): Promise<string> => (await Promise.all(LISTS.map(signatureOf))).join()

  /** Undefined: it is of no use, and the last good one stays. */
  const readGood = async (list: FilterList): Promise<ReadList | undefined> => {
    try {
      const read = await readList(fileOf(list))
      const isUnread = read.badLines > 0 || read.suffixes > 0
      const hasNothing = read.names.size === 0 && (isUnread || (await stat(fileOf(list))).size === 0)
      if (!hasNothing) {
        if (!(await isCutShort(fileOf(list), read.names.size, listNames.get(list) ?? 0))) return read
        log.warn(
          { list, names: read.names.size },
          'A filter list has lost more than half of its names and the end of its last line: the last good one stays in use',
        )
        return undefined
      }
      log.warn(
        { list, badLines: read.badLines },
        'A filter list contains no names: the last good one stays in use',
      )
    } catch (error) {
      if (isMissing(error)) return NONE
      log.error({ list, err: error }, 'A filter list cannot be read: the last good one stays in use')
    }
    return undefined
  }

  const hasZone = (list: FilterList) =>
    access(zoneFileOf(zonesDir, list)).then(
      () => true,
      () => false,
    )

  /** Makes the zones of those lists that are new or changed; returns whether there was one. */
  const update = async (): Promise<boolean> => {
    await mkdir(zonesDir, { recursive: true, mode: 0o700 })
    let isChanged = false
    for (const list of LISTS) {
      const seen = await signatureOf(list)
      const isThere = await hasZone(list)
      if (made.get(list) === seen && isThere) continue
      const read = await readGood(list)
      if (!read && isThere) {
        made.set(list, seen)
        continue
      }
      const { names, badLines, suffixes } = read ?? NONE
      await writeZone(zoneFileOf(zonesDir, list), new Set([...names, ...builtIn(list)]))
      // Not before: on a full disk it is tried again.
      made.set(list, seen)
      listNames.set(list, names.size)
      log.info({ list, names: names.size, badLines, suffixes }, 'Read a filter list')
      if (suffixes > 0)
        log.warn(
          { list, suffixes },
          'A filter list names public suffixes such as co.uk: they are not blocked, since whole countries are below them',
        )
      isChanged = true
    }
    return isChanged
  }
  return { update, signature }
}
