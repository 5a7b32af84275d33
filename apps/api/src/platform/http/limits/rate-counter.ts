import { type Network, networksAround } from '@hedgerow/domain/networks'
import { type RawBuilder, sql } from 'kysely'
import type { KeyedHash } from '#platform/crypto/keyed-hash.ts'
import type { Db } from '#platform/database/client.ts'
import { deleteDue } from '#platform/database/slices.ts'
import { Problem } from '#platform/http/problems.ts'

/** `name` is what is counted, `of` by whom; more than `most` in that many seconds is too much. */
export type RateCount = {
  name: string
  of: string
  most: number
  seconds: number
  /** The caller's address, or the networks around it: each has a count of its own, and the larger may do more (`networksAround`). */
  from?: string | readonly Network[]
  /** What a single line may do, where all networks together may do `most`. */
  line?: number
}

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
const TRIES = 3

type Row = { key: Buffer; most: number }
type UsedUp = { key: Buffer; seconds: number }
type Answer = { isCounted: boolean; usedUp: UsedUp[] }

/** One more in a row, where something holds; no row where it is used up by now. */
const countIn = ({ key, most }: Row, seconds: number, where: RawBuilder<unknown>) => sql`
  insert into rate_counts as held (key, calls, ends_at)
  select ${key}::bytea, 1, now() + make_interval(secs => ${seconds}) where ${where}
  on conflict (key) do update set
    calls = case when held.ends_at <= now() then 1 else held.calls + 1 end,
    ends_at = case when held.ends_at <= now() then excluded.ends_at else held.ends_at end
  where held.ends_at <= now() or held.calls < ${most}::integer
  returning key`

const step = (place: number) => sql.id(`counted_${place}`)

/**
 * Counts one in each of the rows, or in none where one of them is used up: what is refused costs others nothing, and adds no
 * rows. Smaller networks come first, so that no two statements wait for each other, and each waits for the one before: of many
 * at once, those that one network has too much of get no further than its own row.
 */
const addOne = async (db: Db, rows: readonly Row[], seconds: number): Promise<Answer> => {
  const steps = rows.map(
    (row, place) =>
      sql`${step(place)} as (${countIn(
        row,
        seconds,
        place === 0 ? sql`not exists (select from used_up)` : sql`exists (select from ${step(place - 1)})`,
      )})`,
  )
  const { rows: found } = await sql<{ is_counted: boolean } & UsedUp>`
    with used_up as (
      select key, greatest(1, ceil(extract(epoch from ends_at - now())))::integer as seconds
      from unnest(${rows.map(({ key }) => key)}::bytea[], ${rows.map(({ most }) => most)}::integer[]) as one (key, most)
      join rate_counts using (key) where ends_at > now() and calls >= most
    ), ${sql.join(steps)}
    select exists (select from ${step(rows.length - 1)}) as is_counted, key, seconds
    from (select) as one left join used_up on true`.execute(db)
  return {
    isCounted: found.some(({ is_counted }) => is_counted),
    usedUp: found.filter(({ key }) => key !== null),
  }
}

/**
 * Counts in the database, so that all processes count as one and nothing pushes a count out. A count that is used up is
 * remembered here for a moment: a flood asks the database twice a minute. A scale of 2 allows twice as many, one of 0 any number.
 */
export const createRateCounter = (db: Db, scale: number, keyedHash: KeyedHash): RateCounter => {
  /** By the key: when it ends, and until when this process believes so, in the time of this process. */
  const usedUp = new Map<string, { endsAt: number; askedAt: number }>()

  const rowsOf = ({ name, of, most, from, line }: RateCount): Row[] => {
    const row = (by: string, calls: number) => ({
      key: keyedHash('rate count', by),
      most: Math.ceil(calls * scale),
    })
    const all = row(`${name}\n${of}`, most)
    if (from === undefined) return [all]
    const networks = typeof from === 'string' ? networksAround(from) : from
    const each = networks.map(({ network, times }) =>
      row(`${name}\n${of}\n${network}`, (line ?? most) * times),
    )
    return line === undefined ? each : [...each, all]
  }

  const remembered = (rows: readonly Row[]): number | undefined => {
    const now = performance.now()
    for (const { key } of rows) {
      const hex = key.toString('hex')
      const known = usedUp.get(hex)
      if (known && known.askedAt > now) return Math.ceil((known.endsAt - now) / 1000)
      usedUp.delete(hex)
    }
    return undefined
  }

  const remember = ({ key, seconds }: UsedUp): void => {
    const [oldest] = usedUp.keys()
    if (usedUp.size >= MOST_REMEMBERED && oldest !== undefined) usedUp.delete(oldest)
    const now = performance.now()
    const patience = Math.min(seconds, REMEMBERED_S)
    usedUp.set(key.toString('hex'), { endsAt: now + seconds * 1000, askedAt: now + patience * 1000 })
  }

  return {
    count: async (one) => {
      if (scale === 0) return undefined
      const rows = rowsOf(one)
      const known = remembered(rows)
      if (known !== undefined) return known
      // Another took the last at the same moment: by now it can be seen, and how long it lasts.
      for (let tried = 0; tried < TRIES; tried++) {
        const { isCounted, usedUp: refused } = await addOne(db, rows, one.seconds)
        if (isCounted) return undefined
        for (const each of refused) remember(each)
        if (refused.length > 0) return Math.max(...refused.map(({ seconds }) => seconds))
      }
      return 1
    },
    waitFor: (one) => (scale === 0 ? undefined : remembered(rowsOf(one))),
    giveBack: async (one) => {
      if (scale === 0) return
      for (const { key } of rowsOf(one)) {
        usedUp.delete(key.toString('hex'))
        await db
          .updateTable('rate_counts')
          .set(({ eb }) => ({ calls: eb('calls', '-', 1) }))
          .where('key', '=', key)
          .where('calls', '>', 0)
          .execute()
      }
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
