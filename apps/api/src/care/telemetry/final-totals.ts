import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'

/** A row is written with the time at which its transaction began: by then it is there, or has failed. */
const FINAL_AFTER_S = 600
const HORIZON = sql<Date>`(now() - make_interval(secs => ${sql.lit(FINAL_AFTER_S)}))`

/** What was counted, by the labels of its group. */
export type Total = { labels: Readonly<Record<string, string>>; count: number; minor: number }

type Row = Total & { is_final: boolean; horizon: string }

/**
 * Sums over all that ever ended, without reading it all each time: what ended longer ago is remembered, and only what came
 * since is read. `read` returns the groups of what ended after `from`, split at `horizon`.
 */
export const createTotals = (
  read: (db: Db, from: string, horizon: RawBuilder<Date>) => Promise<readonly Row[]>,
) => {
  let from = '-infinity'
  const final = new Map<string, Total>()
  const add = (to: Map<string, Total>, { labels, count, minor }: Total) => {
    const key = JSON.stringify(labels)
    const before = to.get(key)
    to.set(key, { labels, count: (before?.count ?? 0) + count, minor: (before?.minor ?? 0) + minor })
  }
  return async (db: Db): Promise<Total[]> => {
    const rows = await read(db, from, HORIZON)
    for (const row of rows) if (row.is_final) add(final, row)
    from = rows[0]?.horizon ?? from
    const all = new Map(final)
    for (const row of rows) if (!row.is_final) add(all, row)
    return [...all.values()]
  }
}
