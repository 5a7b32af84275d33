import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createKeyCipher } from '@hedgerow/api/crypto/key-cipher'
import { hashToken } from '@hedgerow/api/crypto/tokens'
import { Pool } from 'pg'
import { startChild } from './child.ts'
import { median, percentile, ratePerSecond, round } from './measure.ts'
import { processorMs } from './processor.ts'
import { RawConnection } from './raw-client.ts'
import { type BenchShop, purchase, untilDelivered } from './shop.ts'
import type { Heard } from './waiting-agents.ts'

const KEY = randomBytes(32)
/** For the shop that is measured: the peers that are put in are sealed by it. */
export const AGENTS_ENV = { KEY_ENCRYPTION_KEY: KEY.toString('base64') }

const PURCHASES = 100
const LANES = 8

const shareOfCore = async (pid: number, seconds: number): Promise<number> => {
  const before = processorMs([pid])
  await new Promise((later) => setTimeout(later, seconds * 1000))
  return (processorMs([pid]) - before) / (10 * seconds)
}

/** Sold long ago, to someone whose connections these all are. */
const addPeers = async (pool: Pool, nodeId: string, paymentId: string, count: number): Promise<void> => {
  const cipher = createKeyCipher(KEY)
  const ids = Array.from({ length: count }, () => randomUUID())
  const secret = () => randomBytes(32).toString('base64')
  await pool.query(
    `with sold as (
      insert into connections (id, customer_id, payment_id, ordinal, name, options, filters_on, expires_at)
      select given.id, customer_id, $2, 1 + coalesce((select max(ordinal) from connections where payment_id = $2), 0) + place,
        'Past', 0, 0, now() + interval '30 days'
      from unnest($1::uuid[]) with ordinality as given (id, place), payments where payments.id = $2
    )
    insert into peers (id, connection_id, node_id, position, public_key, preshared_key_encrypted)
    select id, id, $3, place + 1, key, psk
    from unnest($1::uuid[], $4::text[], $5::bytea[]) with ordinality as given (id, key, psk, place)`,
    [ids, paymentId, nodeId, ids.map(secret), ids.map((id) => cipher.encrypt(secret(), id))],
  )
}

const addNodes = async (pool: Pool, paymentId: string, count: number, peers: number): Promise<string[]> => {
  const secrets = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  for (const [i, secret] of secrets.entries()) {
    const id = randomUUID()
    await pool.query(
      `insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, seen_at, filled_to)
      values ($1, $2, '192.0.2.9:51820', $3, '10.0.0.0/16', 'fd00::/64', $4, now(), $5)`,
      [id, `bench ${i}`, randomBytes(32).toString('base64'), hashToken(secret), peers + 1],
    )
    if (peers > 0) await addPeers(pool, id, paymentId, peers)
  }
  return secrets
}

/** Milliseconds from the record of a success until the agent had its peers. */
const tellingTimes = async (pool: Pool, heard: readonly Heard[]): Promise<number[]> => {
  const { rows } = await pool.query<{ id: string; at: Date }>(
    `select peers.id, delivered_at as at from peers join connections on connections.id = connection_id
    join payments on payments.id = payment_id where peers.id = any($1::uuid[])`,
    [heard.flatMap(({ ids }) => ids)],
  )
  const deliveredAt = new Map(rows.map(({ id, at }) => [id, at.getTime()]))
  return heard.flatMap(({ ids, at }) => ids.map((id) => at - (deliveredAt.get(id) ?? Number.NaN)))
}

export type AgentsFigures = {
  /** Percent of a core that the API uses while nothing happens. */
  idle: number
  idleWithout: number
  rssMiB: number
  rssWithout: number
  /** From the first question of the first agent until all have all of their peers. */
  allToldSeconds: number
  toldMs: { p50: number; p99: number }
  purchasesPerSecond: number
  busyToldMs: { p50: number; p99: number }
}

const both = (times: number[]) => ({ p50: median(times), p99: percentile(times, 0.99) })

/** So many agents wait at one API process: what that costs, and how soon an agent gets a purchase, alone and among others. */
export const measureAgents = async (
  shop: BenchShop,
  databaseUrl: string,
  { agents, peers, seconds }: { agents: number; peers: number; seconds: number },
): Promise<AgentsFigures> => {
  const pid = shop.api.process.pid as number
  const pool = new Pool({ connectionString: databaseUrl, max: 2 })
  const buyer = await RawConnection.open(shop.port)
  const first = await purchase(buyer, shop.tokens[0] as string)
  await untilDelivered(pool)
  const idleWithout = await shareOfCore(pid, seconds / 3)
  const rssWithout = shop.api.rssMiB()

  const crowd = await startChild('./waiting-agents.ts', {})
  const secrets = await addNodes(pool, first, agents, peers)
  const heard: Heard[] = []
  const begun = performance.now()
  crowd.process.send({ port: shop.port, secrets, waitSeconds: 25 })
  await once(crowd.process, 'message')
  const allToldSeconds = (performance.now() - begun) / 1000
  crowd.process.on('message', (message: Heard) => heard.push(message))
  await new Promise((later) => setTimeout(later, 2000))
  const idle = await shareOfCore(pid, seconds)

  /** Until the agents have what was bought, or have had long enough. */
  const untilHeard = async (bought: number) => {
    const end = performance.now() + 10_000
    while (heard.flatMap(({ ids }) => ids).length < bought && performance.now() < end)
      await new Promise((later) => setTimeout(later, 20))
  }
  const peersNow = async () => Number((await pool.query('select count(*) from peers')).rows[0].count)
  const before = await peersNow()
  for (let i = 0; i < PURCHASES; i++) {
    await purchase(buyer, shop.tokens[0] as string)
    await untilDelivered(pool)
  }
  await untilHeard((await peersNow()) - before)
  const toldMs = both(await tellingTimes(pool, heard.splice(0)))

  // Only now: the shop cuts idle connections.
  const lanes = await Promise.all(Array.from({ length: LANES }, () => RawConnection.open(shop.port)))
  const [busyBefore, start] = [await peersNow(), performance.now()]
  let purchases = 0
  await ratePerSecond(LANES, seconds, async (lane) => {
    await purchase(lanes[lane] as RawConnection, shop.tokens[lane] as string)
    purchases++
  })
  await untilDelivered(pool)
  const purchasesPerSecond = purchases / ((performance.now() - start) / 1000)
  await untilHeard((await peersNow()) - busyBefore)
  const busyToldMs = both(await tellingTimes(pool, heard))
  const rssMiB = shop.api.rssMiB()
  for (const lane of [buyer, ...lanes]) lane.close()
  await crowd.stop()
  await pool.end()
  return {
    idle: round(idle, 1),
    idleWithout: round(idleWithout, 1),
    rssMiB,
    rssWithout,
    allToldSeconds,
    toldMs,
    purchasesPerSecond,
    busyToldMs,
  }
}
