import { statSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { FILTERS, type FilterList } from '@hedgerow/domain/filters'

/** What `lists update` keeps of a list. It is written, or touched, when the list is as its source has it. */
export const keptFileOf = (listsDir: string, list: FilterList): string => join(listsDir, `.${list}.json`)

export const listFileOf = (listsDir: string, list: FilterList): string => join(listsDir, `${list}.txt`)

/** The source has nothing new. */
export const touchKept = (listsDir: string, list: FilterList, now = new Date()): Promise<void> =>
  utimes(keptFileOf(listsDir, list), now, now)

/** Nothing that is wrong with a file keeps the agent from asking the shop. */
const changedAt = (file: string): number | undefined => {
  try {
    return statSync(file).mtimeMs
  } catch {
    return undefined
  }
}

/**
 * When each list that is fetched was last as its source has it, in seconds since 1970: a list that was there before it was first
 * fetched, since it was written. One that is not fetched is as its operator wants it.
 */
export const readListTimes = (
  listsDir: string,
  isFetched: (list: FilterList) => boolean,
): Map<FilterList, number> =>
  new Map(
    FILTERS.flatMap(({ filter: { list } }) => {
      const at = isFetched(list)
        ? (changedAt(keptFileOf(listsDir, list)) ?? changedAt(listFileOf(listsDir, list)))
        : undefined
      return at === undefined ? [] : [[list, Math.round(at / 1000)] as const]
    }),
  )
