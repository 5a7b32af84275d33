import { sql } from 'kysely'
import { IS_IN_CONTACT } from '#network/nodes/capacity.queries.ts'
import type { Db } from '#platform/database/client.ts'

/** Nodes whose agents are in contact, or which are called unreachable. */
export const listToReach = (db: Db) =>
  db
    .selectFrom('nodes')
    .select([
      'id',
      'name',
      'endpoint',
      'second_port',
      'second_port_answers',
      'public_key',
      'obfuscation',
      'shop_key',
      'unreached',
      'is_surely_unreached',
      'answered_addresses',
      IS_IN_CONTACT.as('is_in_contact'),
    ])
    .where('removed_at', 'is', null)
    .where('agent_hash', 'is not', null)
    .where(({ eb, or }) => or([eb('shop_key', 'is not', null), eb('unreached', 'is not', null)]))
    .execute()

export type NodeToReach = Awaited<ReturnType<typeof listToReach>>[number]

/**
 * Unix milliseconds that no handshake has borne yet, by the database's clock: nodes answer none that is older than the
 * last, whichever process made it, and though the clock was put back.
 */
export const nextHandshakeMs = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ ms: number }>`
    select 1 + 1000 * extract(epoch from greatest(clock_timestamp(), handshakes_at))::float8 as ms
    from node_watch`.execute(db)
  return rows[0]?.ms ?? Date.now()
}

export const noteHandshakes = async (db: Db, lastMs: number): Promise<void> => {
  await sql`update node_watch set handshakes_at = to_timestamp(${lastMs}::float8 / 1000)
    where handshakes_at is null or handshakes_at < to_timestamp(${lastMs}::float8 / 1000)`.execute(db)
}

/** Where customers arrive by now. */
export const listLiveNodes = async (db: Db): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('nodes')
    .select('id')
    .where('has_live_customers', '=', true)
    .where(IS_IN_CONTACT)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export type Verdict = {
  node: NodeToReach
  unreached: string | null
  isSure: boolean
  answeredAddresses: readonly string[]
  secondPortAnswers: boolean
}

/** Returns the ids of those of which it is news. One that was changed meanwhile is left for the next time. */
export const setUnreached = async (db: Db, verdicts: readonly Verdict[]): Promise<string[]> => {
  const of = <T>(read: (verdict: (typeof verdicts)[number]) => T) => verdicts.map(read)
  const { rows } = await sql<{ id: string }>`
    with found as (
      select * from unnest(${of(({ node }) => node.id)}::uuid[], ${of(({ node }) => node.endpoint)}::text[],
        ${of(({ node }) => node.shop_key)}::text[], ${of(({ unreached }) => unreached)}::text[],
        ${of(({ isSure }) => isSure)}::boolean[],
        ${of(({ secondPortAnswers }) => secondPortAnswers)}::boolean[],
        ${of(({ answeredAddresses }) => JSON.stringify(answeredAddresses))}::text[]::jsonb[])
        as found (id, endpoint, shop_key, unreached, is_sure, second_port_answers, answered)
    )
    update nodes set unreached = found.unreached, is_surely_unreached = found.is_sure, answered_addresses = found.answered,
      second_port_answers = found.second_port_answers,
      unreached_since = case when found.unreached is null then null else coalesce(unreached_since, now()) end
    from found where nodes.id = found.id and nodes.endpoint = found.endpoint and removed_at is null
      and nodes.shop_key is not distinct from found.shop_key
      and (nodes.unreached, nodes.is_surely_unreached, nodes.second_port_answers, nodes.answered_addresses)
        is distinct from (found.unreached, found.is_sure, found.second_port_answers, found.answered)
    returning nodes.id`.execute(db)
  return rows.map(({ id }) => id)
}
