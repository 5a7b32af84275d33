import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { seedDemonstrationNode } from '#network/nodes/demonstration-node.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aNode } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, aWaitingPurchase, connectionsOf, paymentRow } from '#testing/payments.ts'
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

test('a node is added, shown, placed and given another token, for people and for programs', async () => {
  const { shop, node } = await aShop()
  const { code, err, out } = await node('add', '--name', ' London ', ...PLACES)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/Start +AGENT_API_URL=https:\/\/shop\.example AGENT_TOKEN=[\w-]{43} npm run agent\n/)
  expect(out).toMatch(/Install +AGENT_TOKEN=[\w-]{43} \.\/install-agent\.sh https:\/\/shop\.example\n/)
  const { json } = await node('token', 'London', '--yes', '--json')
  const stored = await shop.db.selectFrom('nodes').selectAll().where('name', '=', 'London').execute()
  expect(JSON.stringify(stored)).not.toContain(json.token)
  expect((await node('place', 'London', '--time-zone', 'Europe/London')).out).toBe('Saved.\n')
  const exits = ['--addresses', '192.0.2.44', '--addresses', '2001:DB8::9']
  expect((await node('exits', 'London', ...exits)).out).toBe('Saved.\n')
  const shown = (await node('show', 'London')).out
  expect(shown).toMatch(/\nTime zone +Europe\/London\n/)
  expect(shown).toMatch(/\nAddresses +size 253, free 253, resting 0\n/)
  expect(shown).toMatch(/\nExits +192\.0\.2\.44, 2001:db8::9\n/)
  expect((await node('list')).out).toMatch(/\nLondon +vpn\.example\.org:51820 +awaiting +0 /)
  expect((await node('add', '--name', 'Leeds', ...PLACES, '--time-zone', 'Mars/Olympus')).code).toBe(2)
  expect((await node('show', 'Atlantis')).code).toBe(1)
})

describe('ops node drain and open', () => {
  test('a drained node gets nobody new and keeps whom it has', async () => {
    const { shop, node } = await aShop()
    const [a, b] = [await aNode(shop), await aNode(shop)]
    const { paymentId } = await aPurchase(shop)
    const home = (await nodeIds(shop, paymentId))[0]
    const [first, second] = home === a.node.id ? [a, b] : [b, a]
    const drained = await node('drain', first.node.name, '--json')
    expect(drained.json).toEqual({ isChanged: true })
    expect((await node('drain', first.node.name)).out).toBe('Already recorded: nothing was changed.\n')
    const later = await aPurchase(shop)
    expect(new Set(await nodeIds(shop, later.paymentId))).toEqual(new Set([second.node.id]))
    expect((await node('open', first.node.name, '--json')).json).toEqual({ isChanged: true })
    expect((await node('open', first.node.name)).code).toBe(0)
  })

  test('an order that waits is delivered within 30 seconds after a node is opened', async () => {
    const { shop, node } = await aShop()
    const { paymentId } = await aWaitingPurchase(shop)
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    const shown = await runOps(opsSettings(shop), 'payment', 'show', paymentId)
    expect(shown.out).toMatch(/\nOutcome +no room yet\n/)
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
    expect((await node('list', '--json')).json).toEqual([])
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
    expect(told.out).toMatch(/\nNode removed +yes\n/)
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

  test('says that there is no such node', async () => {
    const { node } = await aShop()
    const { code, err } = await node('remove', 'Atlantis')
    expect(err).toBe('There is no node Atlantis. To list them: node list\n')
    expect(code).toBe(1)
  })
})
