import type { VelocityKind, VelocityPass } from '@hedgerow/domain/velocity-limits'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '#platform/database/client.ts'
import { deleteDue, updateDue } from '#platform/database/slices.ts'

/**
 * Something that an attempt is counted by, under its keyed hash. `mayExceed`: it counts there, and is not stopped there.
 */
export type CountedBy = {
  key: Buffer
  kind: VelocityKind | VelocityPass['kind']
  most: number
  minutes: number
  mayExceed?: boolean
}

/** The constraint that refuses an attempt too many, and with it all that its statement does. */
const LIMIT = 'velocity_within_limit'

const columnsOf = (counted: readonly CountedBy[]) => sql`
  unnest(${counted.map(({ key }) => key)}::bytea[], ${counted.map(({ kind }) => kind)}::text[],
    ${counted.map(({ most }) => most)}::integer[], ${counted.map(({ minutes }) => minutes)}::integer[],
    ${counted.map(({ mayExceed = false }) => mayExceed)}::boolean[])
  as one (key, kind, most, minutes, may_exceed)`

/** Declined, or not ended: what has succeeded, or never was a payment at the gateway, has tested no card in vain. */
const IS_IN_VAIN = sql`past.status not in ('Success', 'Error')`

/**
 * A step of the statement that starts a payment: what `started` returns counts, and fails if it is one too many. Rows are
 * locked in the order of their keys, after order and payment; what another attempt has just added is in the row itself, so
 * nothing that this statement's snapshot lacks goes uncounted.
 */
export const countAttempt = (counted: readonly CountedBy[]): RawBuilder<unknown> => sql`
  insert into velocity_counts as known (key, kind, payment_ids, most, minutes, tried_at, may_exceed)
  select key, kind, array[started.id], most, minutes, now(), may_exceed from started, ${columnsOf(counted)} order by key
  on conflict (key) do update set
    most = excluded.most, minutes = excluded.minutes, tried_at = excluded.tried_at, may_exceed = excluded.may_exceed,
    payment_ids = array(
      select listed.id from unnest(known.payment_ids) as listed (id)
      left join payments as past on past.id = listed.id
      where past.id is null
        or (${IS_IN_VAIN} and past.created_at > now() - make_interval(mins => excluded.minutes))
    ) || excluded.payment_ids`

/** Whether a statement failed because an attempt was one too many. */
export const isOverLimit = (error: unknown): boolean =>
  (error as { code?: string; constraint?: string }).code === '23514' &&
  (error as { constraint?: string }).constraint === LIMIT

/** The pause that lasts longest, and until when; undefined when there is none any more. */
export const findPause = async (db: Db, counted: readonly CountedBy[]) => {
  const { rows } = await sql<{ key: Buffer; kind: VelocityKind; until: Date; seconds: number }>`
    with listed as (
      select one.key, one.kind, one.most, past.created_at + make_interval(mins => one.minutes) as until,
        row_number() over (partition by one.key order by past.created_at desc) as place
      from ${columnsOf(counted)}
      join velocity_counts as known on known.key = one.key
      join payments as past on past.id = any(known.payment_ids)
      where ${IS_IN_VAIN} and past.created_at > now() - make_interval(mins => one.minutes)
    )
    select key, kind, until, extract(epoch from until - now())::float8 as seconds from listed
    where place = most order by until desc limit 1`.execute(db)
  return rows[0]
}

/** The operator is mailed about pauses at most so often. */
const NOTIFIED_AGAIN_HOURS = 1

/** False when the operator was mailed about a pause a short while ago. */
export const claimPauseNotice = async (trx: Trx, key: Buffer): Promise<boolean> => {
  const { rows } = await sql`
    update velocity_counts set notified_at = now()
    where key = ${key} and not exists (
      select from velocity_counts as other
      where other.notified_at > now() - make_interval(hours => ${NOTIFIED_AGAIN_HOURS}))
    returning kind`.execute(trx)
  return rows.length > 0
}

/** How many pauses there are at the moment, by kind. */
export const listPauses = async (db: Db): Promise<{ kind: VelocityKind; count: number }[]> => {
  const { rows } = await sql<{ kind: VelocityKind; count: number }>`
    select kind, count(*)::integer as count from velocity_counts
    where kind <> 'pass' and cardinality(payment_ids) >= most and tried_at > now() - make_interval(mins => minutes) and most <= (
      select count(*) from payments as past
      where past.id = any(payment_ids) and ${IS_IN_VAIN} and past.created_at > now() - make_interval(mins => minutes))
    group by kind order by kind`.execute(db)
  return rows
}

/** What was last counted so long ago that it stops no one. */
export const deleteOldCounts = (db: Db) =>
  deleteDue(
    db,
    'velocity_counts',
    sql`tried_at < now() - make_interval(mins => minutes, hours => ${NOTIFIED_AGAIN_HOURS})`,
  )

/** For so long accounts that pay from one network can be found (decision 029). */
const NETWORK_KEPT_DAYS = 90

export const forgetNetworks = (db: Db) =>
  updateDue(
    db,
    'payments',
    sql`network_hash = null, networks = null`,
    sql`network_hash is not null and created_at < now() - make_interval(days => ${NETWORK_KEPT_DAYS})`,
  )
