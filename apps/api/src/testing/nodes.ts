import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { AgentChanges, AgentPeer } from '@hedgerow/contract/agents'
import { runningVersion } from '@hedgerow/settings/running-version'
import type { Reply } from '@hedgerow/testing/call'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import { sql } from 'kysely'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'call' | 'db'>

const { version } = runningVersion()

const newSecret = () => randomBytes(32).toString('base64url')

export type AnnouncedNode = { id: string; name: string; token: string }

type Announcement = {
  name?: string
  endpoint?: string
  ipv4?: string
  layerId?: string
  hours?: number
  obfuscation?: Obfuscation | undefined
}

/** A node that waits for its agent, as the operator's tool announces one. */
export const announceNode = async (
  { db }: Shop,
  { name, endpoint = 'node.example:51820', ipv4, layerId, hours = 24, obfuscation }: Announcement = {},
): Promise<AnnouncedNode> => {
  const id = randomUUID()
  const token = newSecret()
  const own = name ?? `node-${id.slice(0, 8)}`
  await db
    .insertInto('nodes')
    .values({
      id,
      name: own,
      endpoint,
      public_key: null,
      ipv4: ipv4 ?? `10.${randomInt(1, 60)}.0.0/20`,
      ipv6: 'fd00:77::/64',
      layer_id: layerId ?? null,
      obfuscation: obfuscation ? JSON.stringify(obfuscation) : null,
      enrolment_hash: createHash('sha256').update(token).digest(),
      enrolment_expires_at: new Date(Date.now() + hours * 3_600_000),
    })
    .execute()
  return { id, name: own, token }
}

export type TestAgent = {
  node: AnnouncedNode
  secret: string
  publicKey: string
  /** Asks once. */
  ask: (since: number, wait?: number) => Promise<Reply>
  /** Asks until there is no more at once, and returns all that it got. */
  catchUp: (since?: number) => Promise<AgentChanges>
  report: (report: {
    number?: number
    connected?: string[]
    usage?: unknown[]
    usedTwice?: string[]
    minutes?: unknown[]
  }) => Promise<Reply>
}

/** What an agent sends to become the agent of a node. */
export const anEnrolment = (token: string) => ({
  token,
  publicKey: generateKeyPair().publicKey,
  secret: newSecret(),
})

let lastNumber = 0

export const agentWith = (
  shop: Shop,
  node: AnnouncedNode,
  { publicKey, secret }: { publicKey: string; secret: string },
): TestAgent => {
  const ask = (since: number, wait = 0) =>
    shop.call('GET', `/api/v1/agent/changes?since=${since}&wait=${wait}&version=${version}`, {
      token: secret,
    })
  return {
    node,
    secret,
    publicKey,
    ask,
    catchUp: async (since = 0) => {
      const all: AgentChanges = (await ask(since)).body
      while (all.hasMore) {
        const next: AgentChanges = (await ask(all.revision)).body
        Object.assign(all, {
          ...next,
          peers: [...all.peers, ...next.peers],
          gone: [...all.gone, ...next.gone],
        })
      }
      return all
    },
    report: ({ number = ++lastNumber, connected = [], usage = [], usedTwice = [], minutes = [] }) =>
      shop.call('POST', '/api/v1/agent/reports', {
        token: secret,
        body: { number, connected, usage, usedTwice, minutes },
      }),
  }
}

/** A node whose agent has enrolled: from now on it is up, and gets new connections. */
export const aNode = async (shop: Shop, announcement: Announcement = {}): Promise<TestAgent> => {
  const node = await announceNode(shop, announcement)
  const enrolment = anEnrolment(node.token)
  const reply = await shop.call('POST', '/api/v1/agent/enrolments', { body: enrolment })
  if (reply.status !== 200) throw new Error(`The agent was refused: ${reply.text}`)
  await shop.db.updateTable('nodes').set({ agent_version: version }).where('id', '=', node.id).execute()
  return agentWith(shop, node, enrolment)
}

/** Ends a connection so many seconds from now, and so many days before that; its node is notified. */
export const endConnectionIn = async (
  { db }: Pick<Shop, 'db'>,
  connectionId: string,
  seconds: number,
  daysAgo = 0,
): Promise<void> => {
  await sql`update connections set expires_at = now() + make_interval(secs => ${seconds}, days => ${-daysAgo})
    where id = ${connectionId}`.execute(db)
  await sql`update peers set revision = null where connection_id = ${connectionId}
    returning pg_notify('changed', 'node:' || node_id)`.execute(db)
}

/** A node with the three connections of a purchase. */
export const aBusyNode = async (shop: TestShop, choice: Parameters<typeof aPurchase>[1] = {}) => {
  const agent = await aNode(shop)
  const purchase = await aPurchase(shop, choice)
  return { agent, ...purchase, connections: await connectionsOf(shop, purchase.paymentId) }
}

/** What a node got of one of its peers. */
export const peerOf = (peers: readonly AgentPeer[], id: string | undefined): AgentPeer => {
  const peer = peers.find((one) => one.id === id)
  if (!peer) throw new Error('The node was not sent this peer')
  return peer
}

/** All that a connection has had, the first first. */
export const peersOf = ({ db }: Pick<TestShop, 'db'>, connectionId: string) =>
  db.selectFrom('peers').selectAll().where('connection_id', '=', connectionId).orderBy('created_at').execute()
