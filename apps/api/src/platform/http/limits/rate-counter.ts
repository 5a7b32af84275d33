import { sql } from 'kysely'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'
import type { Db } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import { Problem } from '#platform/http/problems.ts'

/** `name` is what is counted, `of` by whom; more than `most` in that many seconds is too much. */
export type RateCount = { name: string; of: string; most: number; seconds: number }

export type RateCounter = {
  /** Counts one. Returns how many seconds to wait where that was too much. */
  count: (count: RateCount) => Promise<number | undefined>
  /** The same, as far as this process knows it already; counts nothing and asks nothing. */
  waitFor: (count: RateCount) => number | undefined
  /** Takes one back that came to nothing. */
  giveBack: (count: RateCount) => Promise<void>
}

/** Another process may give a count back. */
const REMEMBERED_S = 30
/** More names than that are forgotten: they are asked of the database again. */
const MOST_REMEMBERED = 20_000

const addOne = async (db: Db, key: Buffer, seconds: number) => {
  const { rows } = await sql<{ calls: number; seconds: number }>`
    insert into rate_counts as held (key, calls, ends_at)
    values (${key}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (key) do update set
      calls = case when held.ends_at <= now() then 1 else held.calls + 1 end,
      ends_at = case when held.ends_at <= now() then excluded.ends_at else held.ends_at end
    returning calls, greatest(1, ceil(extract(epoch from ends_at - now())))::integer as seconds`.execute(db)
  return rows[0]
}

/**
 * Counts in the database, so that all processes count as one and nothing pushes a count out. A count that is used up is
 * remembered here for a moment: a flood asks the database twice a minute. A scale of 2 allows twice as many, one of 0 any number.
 */
export const createRateCounter = (db: Db, scale: number, keyedHash: KeyedHash): RateCounter => {
  /** By the key: when it ends, and until when this process believes so, in the time of this process. */
  const usedUp = new Map<string, { endsAt: number; askedAt: number }>()

  const keyOf = ({ name, of }: RateCount): Buffer => keyedHash('rate count', `${name}\n${of}`)

  const remembered = (hex: string): number | undefined => {
    const now = performance.now()
    const known = usedUp.get(hex)
    if (known && known.askedAt > now) return Math.ceil((known.endsAt - now) / 1000)
    usedUp.delete(hex)
    return undefined
  }

  const remember = (hex: string, seconds: number): number => {
    const [oldest] = usedUp.keys()
    if (usedUp.size >= MOST_REMEMBERED && oldest !== undefined) usedUp.delete(oldest)
    const now = performance.now()
    const patience = Math.min(seconds, REMEMBERED_S)
    usedUp.set(hex, { endsAt: now + seconds * 1000, askedAt: now + patience * 1000 })
    return seconds
  }

  return {
    count: async (one) => {
      if (scale === 0) return undefined
      const key = keyOf(one)
      const hex = key.toString('hex')
      const known = remembered(hex)
      if (known !== undefined) return known
      const row = await addOne(db, key, one.seconds)
      return row && row.calls > Math.ceil(one.most * scale) ? remember(hex, row.seconds) : undefined
    },
    waitFor: (one) => (scale === 0 ? undefined : remembered(keyOf(one).toString('hex'))),
    giveBack: async (one) => {
      if (scale === 0) return
      const key = keyOf(one)
      usedUp.delete(key.toString('hex'))
      await db
        .updateTable('rate_counts')
        .set(({ eb }) => ({ calls: eb('calls', '-', 1) }))
        .where('key', '=', key)
        .where('calls', '>', 0)
        .execute()
    },
  }
}

/** Counts one after the other; what is refused by one does not count for the next. Throws 'too-many-requests'. */
export const refuseTooMany = async (
  rateCounter: RateCounter,
  counts: readonly RateCount[],
): Promise<void> => {
  for (const count of counts) {
    const wait = await rateCounter.count(count)
    if (wait !== undefined) throw new Problem('too-many-requests', { retryAfterSeconds: wait })
  }
}

export const deleteEndedRateCounts = (db: Db) => deleteDue(db, 'rate_counts', sql`ends_at < now()`)
