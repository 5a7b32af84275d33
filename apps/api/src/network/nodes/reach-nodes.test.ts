import { createSocket } from 'node:dgram'
import { mailbox } from '@hedgerow/testing/mailbox'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { listOpenNodes } from '#network/nodes/capacity.queries.ts'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { getNodeReport, stateOf } from '#network/nodes/nodes.service.ts'
import { reachNodes } from '#network/nodes/reach-nodes.ts'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'
import { postpone, queueIsEmpty } from '#testing/jobs.ts'
import { OBFUSCATION } from '#testing/locations.ts'
import { agentWith, anEnrolment, announceNode, type TestAgent } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { openUdpNode } from '#testing/udp-node.ts'

const shop = shopOfFile()
/** What is silent is silent at once. */
const SILENT_MS = 20
/** For what answers: so long a machine may be busy. */
const ANSWER_MS = 5_000

/** The tests themselves call what the job does. */
beforeAll(() => postpone(shop, 'reach-nodes'))

type Reaching = Parameters<typeof reachNodes>[1]

const reach = (parts: Reaching = {}, nodeReachCheck: 'on' | 'ipv4' | 'off' = 'on') =>
  reachNodes(
    {
      db: shop.db,
      settings: { ...shop.settings, nodeReachCheck },
      keyedHash: createKeyedHash(hashKeyOf(shop.settings.keyEncryptionKey)),
    },
    { tryMs: SILENT_MS, ...parts },
  )
const reachAnswering = (parts: Reaching = {}) => reach({ tryMs: ANSWER_MS, ...parts })

const say = ({ secret }: TestAgent, more: Record<string, string>) =>
  shop.call(
    'GET',
    `/api/v1/agent/changes?${new URLSearchParams({ since: '0', wait: '0', faults: '', ...more })}`,
    {
      token: secret,
    },
  )

type Wanted = { host?: string; port?: number; endpoint?: string; obfuscation?: Obfuscation }

/** A node whose agent has enrolled and says that all is well, with its UDP port on this machine. */
const aNode = async ({ host = '127.0.0.1', port, endpoint, obfuscation }: Wanted = {}) => {
  const { privateKey, publicKey } = generateKeyPair()
  const udp = await openUdpNode(host, port)
  const node = await announceNode(shop, { endpoint: endpoint ?? `${host}:${udp.port}`, obfuscation })
  const enrolment = { ...anEnrolment(node.token), publicKey }
  const { body } = await shop.call('POST', '/api/v1/agent/enrolments', { body: enrolment })
  const agent = agentWith(shop, node, enrolment)
  const shopKey = body.shopPeer.publicKey
  udp.serve(privateKey, body.shopPeer, obfuscation)
  await say(agent, { shopKey, obfuscation: '2' })
  onTestFinished(async () => {
    await shop.db
      .updateTable('nodes')
      .set({ removed_at: new Date(), agent_hash: null })
      .where('id', '=', node.id)
      .execute()
  })
  return {
    node,
    agent,
    udp,
    shopPeer: body.shopPeer,
    privateKey,
    say: (more: Record<string, string>) => say(agent, { shopKey, ...more }),
    sayOld: () => say(agent, {}),
    isSold: async () => (await listOpenNodes(shop.db, null, 0)).some(({ id }) => id === node.id),
    report: async () => {
      const row = await getNodeReport({ db: shop.db }, node.name)
      if (!row) throw new Error('The node is gone')
      return { state: stateOf(row), unreached: row.unreached }
    },
  }
}

const REACHED = { state: 'up', unreached: null }

test('a node whose port is closed is not sold and says why, and comes back when it answers', async () => {
  const one = await aNode()
  await reachAnswering()
  expect([await one.isSold(), await one.report()]).toEqual([true, REACHED])
  one.udp.close()
  await reach()
  expect([await one.isSold(), (await one.report()).state]).toEqual([false, 'failing'])
  const reason = `Nothing answers at 127.0.0.1:${one.udp.port} from outside: is UDP port ${one.udp.port} open`
  const show = await runOps(opsSettings(shop), 'node', 'show', one.node.name)
  expect(show.out).toContain(reason)
  one.udp.open()
  await reachAnswering()
  expect([await one.isSold(), await one.report()]).toEqual([true, REACHED])
})

test('an obfuscated node is tried as its customers’ devices reach it, and one that answers as a plain one is not reached', async () => {
  const one = await aNode({ obfuscation: OBFUSCATION })
  await reachAnswering()
  expect([await one.isSold(), await one.report()]).toEqual([true, REACHED])
  one.udp.serve(one.privateKey, one.shopPeer)
  await reach()
  expect([await one.isSold(), (await one.report()).state]).toEqual([false, 'failing'])
})

test('a second port counts once it answers from outside, and no more when it does not', async () => {
  const one = await aNode()
  const { privateKey, shopPeer } = one
  const second = await openUdpNode('127.0.0.1')
  second.serve(privateKey, shopPeer)
  await shop.db.updateTable('nodes').set({ second_port: second.port }).where('id', '=', one.node.id).execute()
  const answers = async () => (await getNodeReport({ db: shop.db }, one.node.name))?.second_port_answers
  await reachAnswering()
  expect(await answers()).toBe(true)
  second.close()
  await reach({ tryMs: 200 })
  expect([await answers(), await one.isSold()]).toEqual([false, true])
})

test('the operator is mailed the reason', async () => {
  const one = await aNode()
  await reachAnswering()
  one.udp.close()
  await reach()
  await sql`update nodes set unreached_since = now() - interval '6 minutes' where id = ${one.node.id}`.execute(
    shop.db,
  )
  await sql`update node_watch set looked_at = now(), watched_since = now() - interval '1 day'`.execute(
    shop.db,
  )
  await maintainNodes(shop)
  await queueIsEmpty(shop)
  const { text } = await mailbox(shop).latest(
    'operator@hedgerow.example',
    `The node ${one.node.name} is not serving its customers`,
  )
  expect(text).toContain(`Nothing answers at 127.0.0.1:${one.udp.port} from outside`)
})

test('lost answers change nothing while one comes, and are counted in the node’s history', async () => {
  const one = await aNode()
  let lost = 0
  one.udp.answerWith((initiation, respond) => {
    const response = respond(initiation)
    return response && lost++ >= 3 ? [response] : []
  })
  await reach({ tryMs: 1_000 })
  expect(await one.report()).toEqual(REACHED)
  const counted = await shop.db
    .selectFrom('node_hours')
    .select(['tries', 'lost', 'minutes'])
    .where('node_id', '=', one.node.id)
    .execute()
  expect(counted).toEqual([{ tries: 4, lost: 3, minutes: 0 }])
})

test('a node that is busy, and answers by a cookie, is reached', async () => {
  const one = await aNode()
  one.udp.answerWith((initiation) => {
    const reply = Buffer.alloc(64, 1)
    reply.writeUInt32LE(3, 0)
    initiation.copy(reply, 4, 4, 8)
    return [reply]
  })
  await reachAnswering()
  expect(await one.report()).toEqual(REACHED)
})

test('a node whose agent does not know the shop’s peer is not tried, and one that forgets it is not held to it', async () => {
  const one = await aNode()
  one.udp.close()
  await reach()
  expect((await one.report()).unreached).not.toBeNull()
  await one.sayOld()
  await reach()
  expect(await one.report()).toEqual(REACHED)
  one.udp.heard.length = 0
  await reach()
  expect(one.udp.heard).toEqual([])
})

test('a node with customers stays sold, also where the shop gets no answer of any node', async () => {
  const [busy, idle] = [await aNode(), await aNode()]
  for (const { udp } of [busy, idle]) udp.close()
  await busy.say({ customers: 'yes' })
  await reach()
  expect([await busy.report(), await idle.report()]).toEqual([REACHED, REACHED])
  // When they are gone it is the node, or the shop's network: the sentence says both.
  await busy.say({ customers: 'no' })
  await reach()
  for (const one of [busy, idle])
    expect((await one.report()).unreached).toMatch(/lets no UDP out, set NODE_REACH_CHECK=off\./)
})

test('a node that has never answered may be held back by the shop’s network: it is sold, and it is said', async () => {
  const [one, other] = [await aNode(), await aNode()]
  for (const { udp } of [one, other]) udp.close()
  await reach()
  expect([await one.isSold(), (await one.report()).state]).toEqual([true, 'up'])
  const show = await runOps(opsSettings(shop), 'node', 'show', one.node.name)
  expect(show.out).toMatch(
    /Nothing answers at .* It is sold all the same, as it has never answered the shop\./,
  )
  // Another that answers shows that the shop's network lets UDP out.
  other.udp.open()
  await reachAnswering()
  expect([await one.isSold(), (await one.report()).state]).toEqual([false, 'failing'])
})

test('the setting ends the check, and what it had found', async () => {
  const one = await aNode()
  await reachAnswering()
  one.udp.close()
  await reach()
  expect(await one.isSold()).toBe(false)
  await reach({}, 'off')
  expect([await one.isSold(), await one.report()]).toEqual([true, REACHED])
})

test('a name is tried at each of its addresses, and by the setting over IPv4 alone', async () => {
  const ipv6 = await openUdpNode('::1')
  const one = await aNode({ port: ipv6.port, endpoint: `vpn1.example:${ipv6.port}` })
  const resolver = { resolve4: async () => ['127.0.0.1'], resolve6: async () => ['::1'] }
  await reach({ resolver, tryMs: 1_000 })
  expect((await one.report()).unreached).toContain(
    `Nothing answers at vpn1.example:${ipv6.port} (::1) from outside`,
  )
  await reach({ resolver, tryMs: ANSWER_MS }, 'ipv4')
  expect(await one.report()).toEqual(REACHED)
  ipv6.serve(one.privateKey, one.shopPeer)
  await reachAnswering({ resolver })
  expect(await one.report()).toEqual(REACHED)
})

test('a name that does not exist is said; one that cannot be asked for changes nothing', async () => {
  const one = await aNode({ endpoint: 'vpn1.example:51820' })
  const failing = (code: string) => {
    const ask = () => Promise.reject(Object.assign(new Error(code), { code }))
    return { resolver: { resolve4: ask, resolve6: ask } }
  }
  await reach(failing('ETIMEOUT'))
  expect(await one.report()).toEqual(REACHED)
  await reach(failing('ENOTFOUND'))
  expect((await one.report()).unreached).toMatch(/^No address is found for the name in vpn1\.example:51820/)
  await reach(failing('ESERVFAIL'))
  expect((await one.report()).unreached).not.toBeNull()
})

test('handshakes bear times that grow, though the database’s clock was put back', async () => {
  const one = await aNode()
  await sql`update node_watch set handshakes_at = now() + interval '1 day'`.execute(shop.db)
  onTestFinished(async () => void (await sql`update node_watch set handshakes_at = null`.execute(shop.db)))
  for (let run = 0; run < 3; run++) await reachAnswering()
  expect(await one.report()).toEqual(REACHED)
  expect(one.udp.heard).toHaveLength(3)
})

test('no other answer is taken: of another node, from another port, replayed, cut, or much of anything', async () => {
  const [one, other] = [await aNode(), await aNode()]
  const stranger = createSocket('udp4')
  onTestFinished(() => void stranger.close())
  let before: Buffer = Buffer.alloc(0)
  one.udp.answerWith((initiation, respond) => {
    before = respond(initiation) ?? before
    return [before]
  })
  await reachAnswering()
  one.udp.answerWith((initiation, respond) => {
    const response = respond(initiation) ?? Buffer.alloc(92)
    const readdressed = Buffer.from(before)
    initiation.copy(readdressed, 8, 4, 8)
    return [
      before,
      response.subarray(0, 91),
      Buffer.concat([response, Buffer.alloc(60_000)]),
      Buffer.alloc(0),
      ...Array.from({ length: 200 }, () => readdressed),
    ]
  })
  await reach({ tryMs: 1_000 })
  expect((await one.report()).unreached).not.toBeNull()
  expect(await other.report()).toEqual(REACHED)
  // The right words from a wrong place: a customer's router would not let them in.
  one.udp.answerWith((initiation, respond) => {
    const response = respond(initiation)
    if (response) stranger.send(response, one.udp.from().port, '127.0.0.1')
    return []
  })
  await reach()
  expect((await one.report()).unreached).not.toBeNull()
  one.udp.open()
  await reachAnswering()
  expect(await one.report()).toEqual(REACHED)
})

test('a node with a key that makes no secret ends no other node’s check', async () => {
  const [one, evil] = [await aNode(), await aNode()]
  await sql`update nodes set public_key = ${Buffer.alloc(32).toString('base64')} where id = ${evil.node.id}`.execute(
    shop.db,
  )
  await reachAnswering()
  expect([await one.report(), (await evil.report()).state]).toEqual([REACHED, 'failing'])
})
