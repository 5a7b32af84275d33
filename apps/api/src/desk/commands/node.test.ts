import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { seedDemonstrationNode } from '#network/nodes/demonstration-node.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { agentWith, aNode, anEnrolment } from '#testing/nodes.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { aPurchase, connectionsOf, paymentRow } from '#testing/payments.ts'
import { openGround, startFront, startTestShop, type TestShop } from '#testing/test-shop.ts'

const PLACES = ['--endpoint', 'vpn.example.org:51820', '--ipv4', '10.90.0.0/24', '--ipv6', 'fd90::/64']

const aShop = async () => {
  const shop = await startTestShop()
  const settings = { ...opsSettings(shop), ...shop.env, PUBLIC_URL: 'https://shop.example' }
  const node = (...args: string[]) => runOps(settings, 'node', ...args)
  return { shop, settings, node }
}

const removeDemonstration = (node: (...args: string[]) => ReturnType<typeof runOps>) =>
  node('remove', 'demonstration', '--yes')

const nodeIds = async (shop: TestShop, paymentId: string) =>
  (await connectionsOf(shop, paymentId)).map(({ node_id }) => node_id)

describe('ops node add', () => {
  test('prints a token that makes one server the node, and keeps only its hash', async () => {
    const { shop, node } = await aShop()
    const { code, json } = await node('add', ' London ', ...PLACES, '--json')
    expect(code).toBe(0)
    expect(json).toMatchObject({
      node: { name: 'London', endpoint: 'vpn.example.org:51820', state: 'awaiting', peers: 0, layer: null },
      start: `AGENT_API_URL=https://shop.example AGENT_TOKEN=${json.token} npm run agent`,
      install: `AGENT_TOKEN=${json.token} ./install-agent.sh https://shop.example`,
      warning: null,
    })
    expect(json.node.addresses).toEqual({ size: 253, free: 253, resting: 0 })
    expect(Date.parse(json.expiresAt) - Date.now()).toBeGreaterThan(86_300_000)
    const row = await shop.db
      .selectFrom('nodes')
      .selectAll()
      .where('name', '=', 'London')
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(json.token)
    const reply = await shop.call('POST', '/api/v1/agent/enrolments', { body: anEnrolment(json.token) })
    expect(reply.status).toBe(200)
    expect((await node('show', 'London', '--json')).json).toMatchObject({ state: 'up', tokenExpiresAt: null })
  })

  test('says where it is, and can be told otherwise', async () => {
    const { node } = await aShop()
    expect((await node('add', 'Leeds', ...PLACES, '--time-zone', 'Mars/Olympus')).err).toContain(
      'A time zone is written like Europe/London.',
    )
    await node('add', 'Leeds', ...PLACES)
    expect((await node('show', 'Leeds')).out).toMatch(
      /Time zone +not set; never offered as the nearest\. .*\n/,
    )
    expect((await node('place', 'Leeds', 'Europe/London')).out).toBe(
      'The time zone of Leeds is now Europe/London.\n',
    )
    expect((await node('show', 'Leeds', '--json')).json).toMatchObject({ timeZone: 'Europe/London' })
    expect((await node('place', 'Nowhere', 'Europe/London')).code).toBe(1)
  })

  test('says at a terminal what to start the agent with', async () => {
    const { node } = await aShop()
    const { code, out } = await node('add', 'London', ...PLACES)
    expect(out).toMatch(
      /^London is added\. .*\nToken {4}[\w-]{43}\nStart {4}AGENT_API_URL=https:\/\/shop\.example AGENT_TOKEN=[\w-]{43} npm run agent\nInstall .*\nThe token is shown only once\. It works for 24 hours/,
    )
    expect(code).toBe(0)
  })

  test('refuses a name that is taken, of two at once too, and a layer that is not there', async () => {
    const { node } = await aShop()
    const both = await Promise.all([node('add', 'London', ...PLACES), node('add', 'London', ...PLACES)])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(both.find(({ code }) => code === 1)?.err).toBe('There is already a node London.\n')
    const { code, err } = await node('add', 'Leeds', ...PLACES, '--layer', 'none')
    expect(err).toBe('There is no layer none.\n')
    expect(code).toBe(1)
  })

  test.each([
    [['--endpoint', 'vpn', '--ipv4', '10.90.0.0/24', '--ipv6', 'fd90::/64'], /It is written like/],
    [['--endpoint', 'vpn:1', '--ipv4', '10.90.0.1/24', '--ipv6', 'fd90::/64'], /written 10\.90\.0\.0\/24/],
    [['--endpoint', 'vpn:1', '--ipv4', 'fd90::/64', '--ipv6', 'fd90::/64'], /An IPv4 pool is written/],
    [['--endpoint', 'vpn:1', '--ipv4', '10.90.0.0/24', '--ipv6', 'fd90::/121'], /has to be a \/120 or wider/],
    [['--endpoint', 'vpn:1', '--ipv4', '10.90.0.0/24'], /required option '--ipv6/],
  ])('%j is wrong usage', async (places, words) => {
    const { code, err } = await runOps({}, 'node', 'add', 'London', ...places)
    expect(err).toMatch(words)
    expect(code).toBe(2)
  })

  test.each([' ', 'a\nb', 'a\u202eb', '\u200b', 'x'.repeat(101)])('%j is no name', async (name) => {
    const { code, err } = await runOps({}, 'node', 'add', name, ...PLACES)
    expect(err).toContain('Expected a name of 1 to 100 visible characters.')
    expect(code).toBe(2)
  })

  test('warns of a pool that is larger than wireguard-go serves', async () => {
    const { node } = await aShop()
    const places = ['--endpoint', 'vpn:1', '--ipv4', '10.0.0.0/8', '--ipv6', 'fd90::/64']
    expect((await node('add', 'London', ...places)).out).toContain('wireguard-go takes 65535 at most')
  })
})

describe('ops node list', () => {
  test('tells how each node stands', async () => {
    const { shop, node } = await aShop()
    const { node: own } = await aNode(shop, { ipv4: '10.91.0.0/24' })
    await aPurchase(shop)
    const { out, code } = await node('list')
    expect(out).toMatch(/^NODE +ENDPOINT +STATE +PEERS +FREE +TOLD\/APPLIED +LAG +VERSION +SEEN\n/)
    expect(out).toMatch(
      /\ndemonstration +192\.0\.2\.1:51820 +demonstration +0 +1048573 of 1048573 +0\/0 +0 +- +never/,
    )
    expect(out).toMatch(
      new RegExp(
        `\\n${own.name} +node\\.example:51820 +up +3 +250 of 253 +0/0 +3 +\\d+\\.\\d+\\.\\d+ +\\d\\d/`,
      ),
    )
    expect(code).toBe(0)
    const { json } = await node('list', '--json')
    expect(json.nodes).toHaveLength(2)
  })

  test('and on whose agent is silent that it is down', async () => {
    const { shop, node } = await aShop()
    const { node: own } = await aNode(shop)
    await sql`update nodes set seen_at = now() - interval '2 minutes' where id = ${own.id}`.execute(shop.db)
    expect((await node('show', own.name, '--json')).json.state).toBe('down')
    expect((await node('show', own.name)).out).toMatch(/\nState +down\n/)
  })
})

describe('ops node token', () => {
  test('asks, locks the agent out, and lets another in', async () => {
    const { shop, settings, node } = await aShop()
    const agent = await aNode(shop)
    const { name } = agent.node
    const asked = await node('token', name)
    expect(asked.err).toMatch(/^Make a new token for .* is locked out until .*To go ahead, add --yes\.\n$/)
    expect(asked.code).toBe(1)
    expect((await agent.ask(0)).status).toBe(200)
    expect((await runOpsAtTerminal(settings, 'n\n', 'node', 'token', name)).code).toBe(1)
    const { json, code } = await node('token', name, '--yes', '--json')
    expect(code).toBe(0)
    expect((await agent.ask(0)).status).toBe(401)
    const enrolment = anEnrolment(json.token)
    expect((await shop.call('POST', '/api/v1/agent/enrolments', { body: enrolment })).status).toBe(200)
    expect((await agentWith(shop, agent.node, enrolment).ask(0)).status).toBe(200)
  })

  test('does not ask where there is no agent', async () => {
    const { node } = await aShop()
    await node('add', 'London', ...PLACES)
    expect((await node('token', 'London')).code).toBe(0)
  })
})

describe('ops node drain and open', () => {
  test('a drained node gets nobody new and keeps whom it has', async () => {
    const { shop, node } = await aShop()
    const [a, b] = [await aNode(shop), await aNode(shop)]
    const { paymentId } = await aPurchase(shop)
    const home = (await nodeIds(shop, paymentId))[0]
    const [first, second] = home === a.node.id ? [a, b] : [b, a]
    const drained = await node('drain', first.node.name, '--json')
    expect(drained.json).toMatchObject({ isChanged: true, node: { state: 'drained', peers: 3 } })
    expect((await node('drain', first.node.name)).out).toContain('was already drained')
    const later = await aPurchase(shop)
    expect(new Set(await nodeIds(shop, later.paymentId))).toEqual(new Set([second.node.id]))
    expect((await node('open', first.node.name, '--json')).json).toMatchObject({
      isChanged: true,
      node: { state: 'up' },
    })
    expect((await node('open', first.node.name)).code).toBe(0)
  })

  test('an order that waits is delivered within 30 seconds after a node is opened', async () => {
    const { shop, node } = await aShop()
    expect((await node('drain', 'demonstration')).code).toBe(0)
    const { paymentId } = await aPurchase(shop)
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    const told = await runOps(opsSettings(shop), 'payment', paymentId)
    expect(told.out).toMatch(/\nDelivered +waiting for free addresses: no open node has room\n/)
    expect((await runOps(opsSettings(shop), 'payment', paymentId, '--json')).json.waitsForRoom).toBe(true)
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs
      where task_identifier = 'deliver-payment'`.execute(shop.db)
    expect(rows[0]?.seconds).toBeLessThanOrEqual(30)
    expect((await node('open', 'demonstration')).code).toBe(0)
    await hurry(shop, 'deliver-payment')
    await until(async () => (await paymentRow(shop, paymentId)).delivered_at)
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })
})

describe('ops node remove', () => {
  test('removes the demonstration node, which does not come back', async () => {
    const { shop, node } = await aShop()
    expect((await node('remove', 'demonstration')).code).toBe(1)
    expect((await removeDemonstration(node)).out).toBe('demonstration is removed.\n')
    expect((await removeDemonstration(node)).out).toMatch(/^demonstration was removed on \d\d\//)
    await seedDemonstrationNode(shop.db)
    expect((await node('list', '--json')).json.nodes).toEqual([])
    expect((await node('list')).out).toContain('There are no nodes')
  })

  test('refuses while connections live there, and says how many', async () => {
    const { shop, node } = await aShop()
    await aPurchase(shop)
    const { code, err } = await node('remove', 'demonstration', '--yes')
    expect(err).toBe('demonstration has 3 live connections. To move them to other nodes first, add --move.\n')
    expect(code).toBe(1)
    expect((await node('show', 'demonstration', '--json')).json.state).toBe('demonstration')
  })

  test('removes one whose connections have ended, and its agent is refused; what it had can be read', async () => {
    const { shop, node } = await aShop()
    const agent = await aNode(shop)
    const { customer, paymentId } = await aPurchase(shop)
    await sql`update connections set expires_at = now() - interval '1 hour'`.execute(shop.db)
    expect((await node('remove', agent.node.name, '--yes', '--json')).json).toEqual({
      outcome: 'removed',
      moved: 0,
      noRoom: [],
    })
    expect((await agent.ask(0)).status).toBe(401)
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    expect(body.connections).toHaveLength(3)
    expect(body.connections[0]).toMatchObject({ status: 'expired', isRenewable: false })
    const { rows } = await sql`select from free_addresses where node_id = ${agent.node.id}`.execute(shop.db)
    expect(rows).toEqual([])
    const [one] = await connectionsOf(shop, paymentId)
    const told = await runOps(opsSettings(shop), 'connection', 'show', one?.id ?? '')
    expect(told.out).toMatch(/\nNode +.*, since removed\n/)
  })

  test('moves connections first, with one mail for each customer', async () => {
    const { shop, node } = await aShop()
    const agent = await aNode(shop)
    const [ada, bob] = [await aCustomer(shop), await aCustomer(shop, { name: 'Bob' })]
    const first = await aPurchase(shop, {}, {}, ada)
    const second = await aPurchase(shop, {}, {}, ada)
    const third = await aPurchase(shop, {}, {}, bob)
    const other = await aNode(shop)
    const asked = await node('remove', agent.node.name, '--move')
    expect(asked.err).toContain('move its 9 live connections to other nodes?')
    expect(asked.code).toBe(1)
    const { code, out } = await node('remove', agent.node.name, '--move', '--yes')
    expect(out).toBe(
      `${agent.node.name} is removed. 9 of its connections were moved, and their customers get a mail.\n`,
    )
    expect(code).toBe(0)
    for (const { paymentId } of [first, second, third])
      expect(new Set(await nodeIds(shop, paymentId))).toEqual(new Set([other.node.id]))
    await hurry(shop, 'mail-moved')
    const box = mailbox(shop)
    const mail = await box.latest(ada.email, 'New configurations are waiting')
    for (let i = 1; i <= 6; i++) expect(mail.text).toContain(`Hedgerow ${i}, now at ${other.node.name}`)
    await box.latest(bob.email, 'New configurations are waiting')
    expect(await box.list(ada.email, 'configuration')).toHaveLength(1)
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: bob.token })
    expect(body.connections[0]).toMatchObject({ serverPublicKey: other.publicKey })
  })

  test('of two at once each connection is moved once, and both end well', async () => {
    const { shop, node } = await aShop()
    const agent = await aNode(shop)
    for (let i = 0; i < 4; i++) await aPurchase(shop, { connections: 5 })
    await aNode(shop)
    const both = await Promise.all([
      node('remove', agent.node.name, '--move', '--yes', '--json'),
      node('remove', agent.node.name, '--move', '--yes', '--json'),
    ])
    expect(both.map(({ code, err }) => ({ code, err }))).toEqual(Array(2).fill({ code: 0, err: '' }))
    expect(both.reduce((sum, { json }) => sum + json.moved, 0)).toBe(20)
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from peers`.execute(shop.db)
    expect(rows[0]?.count).toBe(40)
  })

  test('leaves those that find no room, and goes on when there is some', async () => {
    const { shop, node } = await aShop()
    const agent = await aNode(shop)
    await aPurchase(shop, { connections: 7 })
    await node('drain', 'demonstration')
    const small = await aNode(shop, { ipv4: '10.92.0.0/29' })
    const stuck = await node('remove', agent.node.name, '--move', '--yes', '--json')
    expect(stuck.json).toMatchObject({ outcome: 'stays', moved: 5 })
    expect(stuck.json.noRoom).toHaveLength(2)
    expect(stuck.err).toMatch(/^5 moved; 2 found no room elsewhere: .* is drained but not removed\..*\n$/)
    expect(stuck.code).toBe(1)
    expect((await node('show', agent.node.name, '--json')).json.state).toBe('drained')
    await node('open', 'demonstration')
    const done = await node('remove', agent.node.name, '--move', '--yes', '--json')
    expect(done.json).toEqual({ outcome: 'removed', moved: 2, noRoom: [] })
    expect((await node('show', small.node.name, '--json')).json.peers).toBe(5)
  })

  test('makes no keys with another key than the shop has', async () => {
    const { shop, settings } = await aShop()
    await aPurchase(shop)
    const wrong = { ...settings, KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
    const { code, err } = await runOps(wrong, 'node', 'remove', 'demonstration', '--move', '--yes')
    expect(err).toBe('KEY_ENCRYPTION_KEY is not the key that the shop runs with. Nothing was done.\n')
    expect(code).toBe(1)
    const unset = await runOps(
      { ...settings, KEY_ENCRYPTION_KEY: '', DATA_DIR: '/nowhere' },
      'node',
      'remove',
      'demonstration',
      '--move',
      '--yes',
    )
    expect(unset.err).toMatch(/set KEY_ENCRYPTION_KEY or DATA_DIR as the shop has it\n$/)
    expect(unset.code).toBe(2)
  })

  test('works while the shop is closed; the mail goes out when it is opened', async () => {
    const ground = await openGround()
    onTestFinished(ground.close)
    const front = await startFront(ground)
    const { customer } = await aPurchase({ ...front, ...ground })
    const { node: other } = await aNode({ ...front, ...ground })
    await front.stop()
    const settings = { ...opsSettings(ground), ...ground.env }
    const removed = await runOps(settings, 'node', 'remove', 'demonstration', '--move', '--yes', '--json')
    expect(removed.json).toEqual({ outcome: 'removed', moved: 3, noRoom: [] })
    const again = await startFront(ground)
    onTestFinished(again.stop)
    await hurry(ground, 'mail-moved')
    const mail = await mailbox(ground).latest(customer.email, 'New configurations are waiting')
    expect(mail.text).toContain(other.name)
  })

  test.each(['show', 'token', 'drain', 'open', 'remove'])(
    'node %s says that there is no such node',
    async (verb) => {
      const { node } = await aShop()
      const { code, err } = await node(verb, 'Atlantis')
      expect(err).toBe('There is no node Atlantis. To list them: node list\n')
      expect(code).toBe(1)
    },
  )
})

describe('ops node exits', () => {
  test('says from where a node’s customers come, for the page that tells them, and forgets it again', async () => {
    const { node } = await aShop()
    await node('add', 'London', ...PLACES)
    const named = await node(
      'exits',
      'London',
      '--address',
      '192.0.2.44',
      '--address',
      '2001:DB8::9',
      '--json',
    )
    expect(named.json.node).toMatchObject({ exits: ['192.0.2.44', '2001:db8::9'] })
    expect((await node('show', 'London')).out).toMatch(/Exits +192\.0\.2\.44, 2001:db8::9/)
    expect((await node('exits', 'London')).code).toBe(0)
    expect((await node('show', 'London', '--json')).json).toMatchObject({ exits: [] })
  })

  test.each(['vpn.example.org', '192.0.2.0/24', '192.0.2.44:51820', '::ffff:192.0.2.4', ''])(
    'refuses %j, which is no address of a server',
    async (address) => {
      const { node } = await aShop()
      await node('add', 'London', ...PLACES)
      expect((await node('exits', 'London', '--address', address)).code).toBe(2)
      expect((await node('exits', 'Leeds', '--address', '192.0.2.44')).code).toBe(1)
    },
  )
})
