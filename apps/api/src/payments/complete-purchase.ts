import { randomUUID } from 'node:crypto'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'
import { sql } from 'kysely'
import type { KeyCipher } from '#connections/key-cipher.ts'
import type { Dependencies } from '#dependencies.ts'
import type { GateDetails } from './gate-news.ts'
import { type PaymentWithOrder, TELL_PAYMENT, unchanged } from './payments.queries.ts'

/** What became of it: made, or not because the node has no room, or because the payment has changed meanwhile. */
export type Completion = 'completed' | 'no-room' | 'changed'

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

type Deps = Pick<Dependencies, 'db' | 'keyCipher' | 'settings'>

/**
 * Records a success and makes what it bought: the payment, its order, the addresses and the connections, in one
 * statement. So it happens whole or not at all, without a transaction held open; and it happens once, because it starts
 * from the state that was read. Addresses are taken from the node's free list without waiting for others who take some.
 * `nodeId` undefined: the first open node.
 */
export const completePurchase = async (
  { db, keyCipher, settings }: Deps,
  read: PaymentWithOrder,
  details: GateDetails,
  nodeId: string | undefined,
): Promise<Completion> => {
  const count = sql.lit(read.connections)
  const keys = Array.from({ length: read.connections }, () => makeKeys(keyCipher))
  const column = <K extends keyof (typeof keys)[number]>(name: K) => keys.map((one) => one[name])
  const { rows } = await sql<{ is_unchanged: boolean; made: number }>`
    with locked as ${unchanged(read)},
    home as (
      select coalesce(${nodeId ?? null}::uuid, (select id from nodes where is_open order by created_at limit 1)) as id
    ),
    candidate as (
      select node_id, position from free_addresses
      where node_id = (select id from home) and available_at <= now() and exists (select from locked)
      order by available_at, position limit ${count} for update skip locked
    ),
    taken as (
      delete from free_addresses
      where (node_id, position) in (select node_id, position from candidate)
        and (select count(*) from candidate) = ${count}
      returning node_id, position
    ),
    address as (select node_id, position, row_number() over (order by position) as ordinal from taken),
    numbered as (
      update customers set connections_made = connections_made + ${count}
      where id = ${read.customer_id} and exists (select from taken)
      returning connections_made - ${count} as before
    ),
    made as (
      insert into connections (id, customer_id, payment_id, ordinal, node_id, position, name, public_key,
        private_key_encrypted, preshared_key_encrypted, priority_bandwidth, ad_filter, malware_filter, family_filter,
        expires_at)
      select key.id, ${read.customer_id}, ${read.id}, ordinal, node_id, position,
        ${settings.brand.name}::text || ' ' || (before + ordinal), public_key, private_key, preshared_key,
        ${read.priority_bandwidth}, ${read.ad_filter}, ${read.malware_filter}, ${read.family_filter},
        now() + ${read.days}::integer * interval '24 hours'
      from unnest(${column('id')}::uuid[], ${column('publicKey')}::text[], ${column('sealedPrivateKey')}::bytea[],
        ${column('sealedPresharedKey')}::bytea[])
        with ordinality as key (id, public_key, private_key, preshared_key, ordinal)
      join address using (ordinal), numbered
      returning true
    ),
    completed as (
      update orders set status = 'Completed', updated_at = now()
      where id in (select order_id from locked) and status <> 'Completed' and exists (select from taken)
      returning id
    ),
    paid as (
      update payments set
        status = 'Success', prescription = '{"kind":"none"}', delivered_at = now(),
        -- One that succeeded before may be asked about because of a refund.
        next_check_at = case when payments.status = 'Success' then next_check_at end,
        ended_at = case when payments.status = 'Success' then ended_at else now() end,
        news_at = coalesce(${details.news_at ?? null}::timestamptz, news_at),
        gate_request_id = coalesce(${details.gate_request_id ?? null}::text, gate_request_id),
        gate_code = coalesce(${details.gate_code ?? null}::text, gate_code),
        auth_code = coalesce(${details.auth_code ?? null}::text, auth_code),
        pan_masked = coalesce(${details.pan_masked ?? null}::text, pan_masked),
        card_holder = coalesce(${details.card_holder ?? null}::text, card_holder)
      where id in (select payment_id from locked) and exists (select from taken)
      returning ${TELL_PAYMENT} as told
    )
    select exists (select from locked) as is_unchanged, (select count(*)::int from made) as made,
      (select count(*) from completed) as orders, (select count(told) from paid) as told`.execute(db)
  const [outcome] = rows
  if (!outcome?.is_unchanged) return 'changed'
  return outcome.made === read.connections ? 'completed' : 'no-room'
}
