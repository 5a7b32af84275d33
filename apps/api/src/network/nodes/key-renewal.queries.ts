import {
  KEYS_EVERY_DAYS,
  NOTICE_DAYS,
  RENEWALS_BEGIN_HOUR,
  UNUSED_KEYS_REMINDER_DAYS,
} from '@hedgerow/domain/key-renewal'
import { type RawBuilder, sql } from 'kysely'
import { IS_UP } from '#network/nodes/capacity.queries.ts'
import type { Db, Trx } from '#platform/database/client.ts'

/** The day of renewals that an instant is in. */
const dayOf = (at: RawBuilder<Date>) =>
  sql`(${at} at time zone 'Europe/London' - make_interval(hours => ${sql.lit(RENEWALS_BEGIN_HOUR)}))::date`

const TODAY = dayOf(sql`now()`)

const NOTICE = sql`case keys_every_days ${sql.join(
  KEYS_EVERY_DAYS.map((days) => sql`when ${sql.lit(days)} then ${sql.lit(NOTICE_DAYS[days])}`),
  sql` `,
)} end`
const LONGEST_NOTICE = sql.lit(Math.max(...Object.values(NOTICE_DAYS)))

/** The first day for which the email before can still come in time. */
const FIRST_DAY = sql`${TODAY} + ${NOTICE} + 1`

const IS_ON = sql`keys_every_days is not null
  and (connections.expires_at is null or connections.expires_at >= now())`

/** Its device still has the keys that were renewed: none are made until it has taken the new ones. */
export const WAITS_FOR_DEVICE = sql<boolean>`exists (select from peers as older
  where older.connection_id = connections.id and older.is_kept and older.removed_at is null)`

const CURRENT = sql`peers.connection_id = connections.id and peers.replaced_at is null and peers.removed_at is null`

/** The day was told: also when that was for a renewal which could not be made yet. */
const IS_DUE = sql`${IS_ON} and keys_renew_on <= ${TODAY} and keys_told_on = keys_renew_on`

/** Counted from when its keys were made. In the transaction that changes them, or how often they are renewed. */
export const planRenewal = async (trx: Trx, connectionId: string): Promise<void> => {
  await sql`
    update connections set keys_told_on = null,
      keys_renew_on = greatest(${dayOf(sql`peers.created_at`)} + keys_every_days, ${FIRST_DAY})
    from peers where connections.id = ${connectionId} and keys_every_days is not null
      and peers.connection_id = connections.id and peers.replaced_at is null`.execute(trx)
}

/** The shop cannot make the keys of a customer who keeps them to themselves. */
export const endRenewals = async (trx: Trx, connectionId: string): Promise<void> => {
  await sql`
    update connections set keys_every_days = null, keys_renew_on = null, keys_told_on = null
    where id = ${connectionId}`.execute(trx)
}

/** Nobody else has renewed or ended it meanwhile. Its connection is locked. */
export const isDue = async (trx: Trx, connectionId: string): Promise<boolean> => {
  const { rows } = await sql`select from connections where id = ${connectionId} and ${IS_DUE}`.execute(trx)
  return rows.length > 0
}

export const noteRenewed = async (trx: Trx, connectionId: string): Promise<void> => {
  await sql`
    update connections set keys_renewed_at = now(), keys_mailed_at = null, keys_reminded_at = null
    where id = ${connectionId}`.execute(trx)
}

/** The node of a connection, where that can be told of new keys now. A drained one keeps what it has. */
export const findNodeToRenewOn = async (db: Db, connectionId: string) => {
  const { rows } = await sql<{ id: string; ipv4: string; ipv6: string }>`
    select nodes.id, nodes.ipv4, nodes.ipv6 from nodes join peers on peers.node_id = nodes.id
    where peers.connection_id = ${connectionId} and peers.replaced_at is null
      and nodes.removed_at is null and (is_demonstration or ${IS_UP})`.execute(db)
  return rows[0]
}

/** Nodes that have connections with keys that are due, if they can be told of new ones. */
export const listNodesToRenewOn = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from nodes where removed_at is null and (is_demonstration or ${IS_UP})
      and id in (select node_id from connections join peers on ${CURRENT} where ${IS_DUE})
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A customer's are together, so that one email tells of all. */
export const listDueOn = async (
  db: Db,
  nodeId: string,
  after: { customer_id: string; id: string } | undefined,
  limit: number,
) => {
  const { rows } = await sql<{ id: string; customer_id: string }>`
    select connections.id, customer_id from connections join peers on ${CURRENT}
    where ${IS_DUE} and peers.node_id = ${nodeId}
      ${after ? sql`and (customer_id, connections.id) > (${after.customer_id}, ${after.id})` : sql``}
    order by customer_id, connections.id limit ${limit}`.execute(db)
  return rows
}

/** Those whose email before is late, or was held back while a device did not take the last keys: it comes with a later day. */
export const putOffUntold = async (trx: Trx, most: number): Promise<number> => {
  const { rows } = await sql`
    with late as (
      select id from connections where ${IS_ON} and keys_renew_on < ${TODAY} + ${LONGEST_NOTICE}
        and keys_renew_on < ${TODAY} + ${NOTICE}
        and keys_told_on is distinct from keys_renew_on and not ${WAITS_FOR_DEVICE}
        and exists (select from peers where ${CURRENT})
      order by id limit ${most} for update skip locked
    )
    update connections set keys_renew_on = ${FIRST_DAY} from late where connections.id = late.id returning late.id`.execute(
    trx,
  )
  return rows.length
}

export type Announced = { customer_id: string; connection_ids: string[] }

/** Marks the connections of so many customers whose email before is due today, and returns them by customer. */
export const markTold = async (trx: Trx, customers: number): Promise<Announced[]> => {
  // Of two at once each would find a part of a customer's connections.
  await sql`select pg_advisory_xact_lock(hashtext('tell-of-renewals'))`.execute(trx)
  const { rows } = await sql<Announced>`
    with due as (
      select id, customer_id from connections where ${IS_ON} and keys_renew_on <= ${TODAY} + ${LONGEST_NOTICE}
        and keys_renew_on = ${TODAY} + ${NOTICE} and keys_told_on is distinct from keys_renew_on
        and not ${WAITS_FOR_DEVICE} and exists (select from peers where ${CURRENT})
    ),
    customer as (select distinct customer_id as id from due order by 1 limit ${customers}),
    locked as (
      select id from connections where id in (select id from due)
        and customer_id in (select id from customer) order by id for update
    ),
    told as (
      update connections set keys_told_on = keys_renew_on where id in (select id from locked)
        -- Read again: it may have new keys since.
        and keys_renew_on = ${TODAY} + ${NOTICE}
      returning id, customer_id
    )
    select customer_id, array_agg(id order by id) as connection_ids from told group by 1`.execute(trx)
  return rows
}

/** Marks connections of so many customers whose device still has the old keys so long after an email told of the new, once each. */
export const markReminded = async (trx: Trx, customers: number): Promise<Announced[]> => {
  await sql`select pg_advisory_xact_lock(hashtext('remind-of-renewals'))`.execute(trx)
  const { rows } = await sql<Announced>`
    with due as (
      select id, customer_id from connections where ${IS_ON} and keys_reminded_at is null
        and keys_mailed_at < now() - make_interval(days => ${sql.lit(UNUSED_KEYS_REMINDER_DAYS)}) and ${WAITS_FOR_DEVICE}
    ),
    customer as (select distinct customer_id as id from due order by 1 limit ${customers}),
    locked as (
      select id from connections where id in (select id from due)
        and customer_id in (select id from customer) order by id for update
    ),
    reminded as (
      update connections set keys_reminded_at = now() where id in (select id from locked)
        and keys_reminded_at is null
      returning id, customer_id
    )
    select customer_id, array_agg(id order by id) as connection_ids from reminded group by 1`.execute(trx)
  return rows
}

/** The day was longer ago than one that is still to be done: a node is full or silent, keys cannot be opened, or the job fails. */
export const ARE_KEYS_OVERDUE = sql<boolean>`${IS_DUE} and keys_renew_on < ${TODAY} - 1`

/** Keys whose day was longer ago than a day. */
export const countOverdue = async (db: Db) => {
  const { rows } = await sql<{ count: number; oldest_seconds: number }>`
    select count(*)::int as count,
      coalesce(extract(epoch from now() - min(keys_renew_on::timestamp at time zone 'Europe/London')), 0)::float8 as oldest_seconds
    from connections join peers on ${CURRENT} where ${ARE_KEYS_OVERDUE}`.execute(db)
  return rows[0] ?? { count: 0, oldest_seconds: 0 }
}
