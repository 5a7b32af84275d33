import { randomUUID } from 'node:crypto'
import { FILTERS_MASK } from '@hedgerow/domain/filters'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'
import { sql } from 'kysely'
import { type GateDetails, setDetails } from '#money/gateway/payment-update.ts'
import { asPaid, NOTIFY_PAYMENT, type PaymentWithOrder, unchanged } from '#money/payments/payments.queries.ts'
import { lockConnections } from '#network/connections/connections.service.ts'
import { openNodes } from '#network/nodes/find-capacity.ts'
import { notifyNode } from '#network/nodes/peers.ts'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import type { Db } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { lockOrder } from '#sales/orders/orders.service.ts'

/** Completed; or not, because the payment has changed meanwhile or the node lacks room. */
export type Completion = 'completed' | 'changed' | { capacityFor: number }

const makeKeys = (cipher: KeyCipher) => {
  const id = randomUUID()
  const { privateKey, publicKey } = generateKeyPair()
  return {
    id,
    publicKey,
    sealedPrivateKey: cipher.encrypt(privateKey, id),
    sealedPresharedKey: cipher.encrypt(generatePresharedKey(), id),
  }
}

type Deps = With<'keyCipher' | 'settings'>

/** What is bought, as the statement writes it. */
const termsOf = (read: PaymentWithOrder) => ({
  count: sql.lit(read.connections),
  options: sql`${read.options}::integer`,
  filters: sql`${read.options & FILTERS_MASK}::integer`,
  duration: sql`${read.days}::integer * interval '24 hours'`,
})

/**
 * Those parts of the statement that extend connections. Most orders extend none, and do without: each part costs
 * PostgreSQL a start, also where it finds nothing to do. `toMake`: how many new connections are left to be made.
 */
const extensionOf = (read: PaymentWithOrder) => {
  const { count, options, filters, duration } = termsOf(read)
  if (read.renews.length === 0) return { toMake: count, kept: sql``, extended: sql`` }
  return {
    toMake: sql`(select ${count} - count(*) from kept)`,
    kept: sql`kept as (
      select connections.id, expires_at as old_end from connections
      join peers on peers.connection_id = connections.id and replaced_at is null and removed_at is null
      where connections.id = any(${read.renews}::uuid[]) and customer_id = ${read.customer_id}
        and expires_at is not null and exists (select from locked)
        and options & ~ ${options} = 0
      order by connections.id for update of connections, peers
    ),`,
    extended: sql`extended as (
      update connections set
        expires_at = greatest(expires_at, now()) + ${duration}, reminded_days = null,
        -- What it has not had yet is switched on; what was switched off stays off.
        options = ${options}, filters_on = filters_on | (${filters} & ~ options)
      where id in (select id from kept) and exists (select from ready)
      returning id, expires_at
    ),
    renewed as (
      insert into renewals (payment_id, connection_id, days, old_end, new_end)
      select ${read.id}, id, ${read.days}, old_end, expires_at from extended join kept using (id)
    ),
    touched as (
      update peers set revision = null where connection_id in (select id from extended) and removed_at is null
      returning ${notifyNode(sql`node_id`)}
    ),`,
  }
}

/**
 * Records a success and makes what it bought: the payment, its order, the addresses, the connections and their peers, in
 * one statement. So it happens whole or not at all, without a transaction held open; and it happens once, because it
 * starts from the state that was read. Connections that the order extends are extended, if they still can be; for each
 * that cannot, or has got an option since that the order does not pay for, a new one is made. Addresses are taken from
 * the node's free list without waiting for others who take some; by their place in the table, because PostgreSQL may
 * read the whole list to find them by their keys. `nodeId` undefined: the first open node.
 */
const complete = async (
  db: Db,
  { keyCipher, settings }: Deps,
  read: PaymentWithOrder,
  details: GateDetails,
  nodeId: string | undefined,
): Promise<Completion> => {
  const { options, filters, duration } = termsOf(read)
  const { toMake, kept, extended } = extensionOf(read)
  const keys = Array.from({ length: read.connections }, () => makeKeys(keyCipher))
  const column = <K extends keyof (typeof keys)[number]>(name: K) => keys.map((one) => one[name])
  const { rows } = await sql<{ is_unchanged: boolean; is_ready: boolean; capacity_for: number }>`
    with locked as ${unchanged(read)},
    home as (
      select coalesce(${nodeId ?? null}::uuid, (select id from (${openNodes(read.plan_id, read.options)} limit 1) as open)) as id
    ),
    ${kept}
    candidate as (
      select ctid as place from free_addresses
      where node_id = (select id from home) and available_at <= now() and exists (select from locked)
      order by available_at, position limit ${toMake} for update skip locked
    ),
    taken as (
      delete from free_addresses
      where ctid = any(array(select place from candidate)) and (select count(*) from candidate) = ${toMake}
      returning node_id, position
    ),
    ready as (select payment_id, order_id from locked where (select count(*) from taken) = ${toMake}),
    address as (select node_id, position, row_number() over (order by position) as ordinal from taken),
    ${extended}
    numbered as (
      update customers set connections_made = connections_made + ${toMake}
      where id = ${read.customer_id} and exists (select from ready)
      returning connections_made - ${toMake} as before
    ),
    made as (
      insert into connections (id, customer_id, payment_id, ordinal, name, options, filters_on, expires_at)
      select key.id, ${read.customer_id}, ${read.id}, ordinal, ${settings.brand.name}::text || ' ' || (before + ordinal),
        ${options}, ${filters}, now() + ${duration}
      from unnest(${column('id')}::uuid[]) with ordinality as key (id, ordinal) join address using (ordinal), numbered
    ),
    connected as (
      insert into peers (id, connection_id, node_id, position, public_key, private_key_encrypted, preshared_key_encrypted)
      select key.id, key.id, node_id, position, public_key, private_key, preshared_key
      from unnest(${column('id')}::uuid[], ${column('publicKey')}::text[], ${column('sealedPrivateKey')}::bytea[],
        ${column('sealedPresharedKey')}::bytea[])
        with ordinality as key (id, public_key, private_key, preshared_key, ordinal)
      join address using (ordinal)
      -- The same for each: PostgreSQL tells it once.
      returning ${notifyNode(sql`node_id`)}
    ),
    completed as (
      -- One that had to wait for room is completed already.
      update orders set status = 'Completed', updated_at = case when status = 'Completed' then updated_at else now() end,
        delivered_location_id = (select node_id from taken limit 1), ${asPaid(read)}
      where id = (select order_id from ready)
    ),
    paid as (
      update payments set
        status = 'Success', next_action = '{"kind":"none"}', delivered_at = now(),
        -- One that succeeded before may be asked about because of a refund.
        next_check_at = case when payments.status = 'Success' then next_check_at end,
        ended_at = case when payments.status = 'Success' then ended_at else now() end,
        ${setDetails(details)}
      where id = (select payment_id from ready)
      returning ${NOTIFY_PAYMENT}
    )
    select exists (select from locked) as is_unchanged, exists (select from ready) as is_ready,
      ${toMake}::integer as capacity_for`.execute(db)
  const [outcome] = rows
  if (!outcome?.is_unchanged) return 'changed'
  return outcome.is_ready ? 'completed' : { capacityFor: outcome.capacity_for }
}

/**
 * The same, after other changes of the connections that are extended: an extension starts from what they left, and reaches
 * the peers that they made. Locked after the order, as by everyone who locks both.
 */
export const completePurchase = (
  { db, ...deps }: Deps & With<'db'>,
  read: PaymentWithOrder,
  details: GateDetails,
  nodeId: string | undefined,
): Promise<Completion> => {
  if (read.renews.length === 0) return complete(db, deps, read, details, nodeId)
  return db.transaction().execute(async (trx) => {
    await lockOrder(trx, read.order_id)
    await lockConnections(trx, read.renews)
    return complete(trx, deps, read, details, nodeId)
  })
}
