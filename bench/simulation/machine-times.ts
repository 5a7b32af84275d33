import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { hashToken } from '../../apps/api/src/platform/crypto/tokens.ts'
import { openDatabase } from '../../apps/api/src/platform/database/client.ts'
import { createRateCounter } from '../../apps/api/src/platform/http/limits/rate-counter.ts'
import { RawConnection, rawRequest } from '../raw-client.ts'
import { costOf, type Idle, type Measuring } from './costs.ts'
import type { Cost } from './measured.ts'

const NODES = 300
const AGENT_ROUNDS = 3
const LIMIT_CALLS = 4_000

const addAgents = async (pool: Pool): Promise<string[]> => {
  const secrets = Array.from({ length: NODES }, () => randomBytes(32).toString('base64url'))
  for (const [i, secret] of secrets.entries())
    await pool.query(
      `insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, is_open)
      values ($1, $2, '192.0.2.9:51820', $3, '10.0.0.0/16', 'fd00::/64', $4, false)`,
      [randomUUID(), `bench ${i}`, randomBytes(32).toString('base64'), hashToken(secret)],
    )
  return secrets
}

/** What an agent asks every 30 s: each is noted, as after so long a wait. */
export const measureAgents = async ({ shop, pool, meter }: Measuring, idle: Idle): Promise<Cost> => {
  const requests = (await addAgents(pool)).map((secret) =>
    rawRequest('GET', '/api/v1/agent/changes?since=0&wait=0&version=0.1.0&arch=x64', secret),
  )
  const connection = await RawConnection.open(shop.port)
  const askAll = async () => {
    for (const request of requests) await connection.send(request)
  }
  await askAll()
  const stop = meter.start()
  for (let round = 0; round < AGENT_ROUNDS; round++) {
    await pool.query("update nodes set seen_at = now() - interval '1 minute' where name like 'bench %'")
    await askAll()
  }
  const cost = costOf(stop(), AGENT_ROUNDS * NODES, idle)
  connection.close()
  return cost
}

/** A changed peer, numbered and told: what agents are told of what was sold so far. */
export const measureAgentPeers = async ({ shop, pool, meter }: Measuring, idle: Idle): Promise<Cost> => {
  const secret = randomBytes(32).toString('base64url')
  const sold = '(select node_id from peers limit 1)'
  await pool.query(`update nodes set agent_hash = $1 where id = ${sold}`, [hashToken(secret)])
  const connection = await RawConnection.open(shop.port)
  const stop = meter.start()
  let [since, peers, hasMore] = [0, 0, true]
  while (hasMore) {
    const path = `/api/v1/agent/changes?since=${since}&wait=0`
    const answer = JSON.parse((await connection.send(rawRequest('GET', path, secret))).body)
    since = answer.revision
    peers += answer.peers.length
    hasMore = answer.hasMore
  }
  const cost = costOf(stop(), Math.max(1, peers), idle)
  connection.close()
  return cost
}

/** The statement that counts a call for its limit, which this bench's shop leaves out (`RATE_LIMIT_SCALE=0`). */
export const measureLimit = async ({ url, meter }: Measuring, idle: Idle): Promise<Cost> => {
  const { db } = openDatabase(url, () => undefined, 4)
  const counter = createRateCounter(db, 10, (_, text) => Buffer.from(text))
  const stop = meter.start()
  let left = LIMIT_CALLS
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (left-- > 0) await counter.count({ name: 'bench', of: String(left), most: 10, seconds: 600 })
    }),
  )
  const cost = costOf(stop(), LIMIT_CALLS, idle)
  await db.destroy()
  // This program did the work that the API's main thread does.
  return { ...cost, main: cost.client, client: 0 }
}
