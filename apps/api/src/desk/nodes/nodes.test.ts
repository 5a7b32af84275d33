import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { obfuscationFault } from '@hedgerow/wireguard/obfuscation'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { closeOldPorts } from '#network/nodes/node-watch.queries.ts'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aBusyNode, aNode, anEnrolment, announceNode } from '#testing/nodes.ts'
import { deedsOf, letOperatorProofAge } from '#testing/operators.ts'

const { shop, ask } = await consoleOfFile()

const PLACE = { ipv4: '10.61.0.0/24', ipv6: 'fd00:61::/64' }

const newName = () => `node-${randomUUID().slice(0, 8)}`

const add = (operator: TestOperator, given: object = {}) => {
  const name = newName()
  const endpoint = `${name}.example.org:51820`
  return ask(operator, 'POST', '/api/v1/nodes', { body: { ...PLACE, name, endpoint, ...given } })
}

const of = (operator: TestOperator, method: string, name: string, path = '', body?: object) =>
  ask(operator, method, `/api/v1/nodes/${name}${path}`, body ? { body } : {})

const enrol = (token: string) => shop.call('POST', '/api/v1/agent/enrolments', { body: anEnrolment(token) })

/** The only one that is open, with the connections of a purchase. */
const theBusyNode = async () => {
  await shop.db.updateTable('nodes').set({ is_open: false }).execute()
  return aBusyNode(shop)
}

describe('a node', () => {
  test('is announced by those who may, with a token that makes one server this node', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const name = newName()
    const { body, status } = await add(servers, { name, timeZone: 'Europe/London' })
    expect(status).toBe(201)
    expect(body.install).toContain(body.token)
    const waiting = await of(servers, 'GET', name)
    expect(waiting.body).toMatchObject({ name, state: 'awaiting', timeZone: 'Europe/London', peers: 0 })
    expect((await enrol(body.token)).status).toBe(200)
    expectProblem(await enrol(body.token), 409)
    const up = await of(servers, 'GET', name)
    expect(up.body).toMatchObject({ state: 'up', tokenExpiresAt: null })
    for (const { text } of [waiting, up, await ask(servers, 'GET', '/api/v1/record')])
      expect(text).not.toContain(body.token)
    const [deed] = await deedsOf(shop, servers)
    expect(deed).toMatchObject({ command: 'node add', subject: name, outcome: 'done' })
    expectProblem(await add(await anOperator(shop.db, 'support')), 403)
  })

  test.each([
    ['name', { name: '\u200b' }],
    ['name', { name: 'a\u202eb' }],
    ['name', { name: 'x'.repeat(101) }],
    ['endpoint', { endpoint: 'nowhere' }],
    ['endpoint', { endpoint: '127.0.0.1:51820' }],
    ['endpoint', { endpoint: 'vpn.example.org:53' }],
    ['ipv4', { ipv4: '10.0.0.0/33' }],
    ['ipv4', { ipv4: '8.8.8.0' }],
    ['ipv4', { ipv4: '10.0.0.1/24' }],
    ['ipv6', { ipv6: 'fd00::1' }],
    ['ipv6', { ipv6: 'fd00::/126' }],
    ['timeZone', { timeZone: 'Mars/Olympus' }],
    ['layerId', { layerId: randomUUID() }],
  ])('is refused at its %s', async (field, given) => {
    const { body } = await add(await anOperator(shop.db, 'servers'), given)
    expect(body).toMatchObject({ status: 422, errors: [{ path: field }] })
  })

  test('is not announced at an endpoint that another node has, until that one is gone', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const [endpoint, name] = ['twice.example.org:51820', newName()]
    expect((await add(servers, { name, endpoint })).status).toBe(201)
    const { body } = await add(servers, { endpoint: endpoint.toUpperCase() })
    expect(body.errors).toMatchObject([{ path: 'endpoint', message: expect.stringContaining(name) }])
    expect((await of(servers, 'DELETE', name)).status).toBe(200)
    expect((await add(servers, { endpoint })).status).toBe(201)
  })

  test('is announced at a local endpoint where that is said', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const { status } = await add(servers, { endpoint: '127.0.0.1:51820', allowLocal: true })
    expect(status).toBe(201)
  })

  test('that gets another endpoint names it in every configuration, and mails each customer once', async () => {
    const { agent, customer } = await theBusyNode()
    const servers = await anOperator(shop.db, 'servers')
    const change = (endpoint: string) =>
      of(servers, 'PUT', agent.node.name, '/endpoint', { endpoint, allowLocal: false })
    const endpoint = '203.0.113.77:443'
    expect((await change(endpoint)).body).toMatchObject({
      isChanged: true,
      effects: [
        expect.stringMatching(/^1 customer will/),
        expect.stringMatching(/before the old host/),
        expect.anything(),
      ],
    })
    expect((await change(endpoint)).body).toEqual({ isChanged: false, effects: [] })
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
    expect(body.connections.map((one: { endpoint: string }) => one.endpoint)).toEqual(Array(3).fill(endpoint))
    expect((await agent.ask(0)).body.node.listenPort).toBe(443)
    await queueIsEmpty(shop)
    const subject = 'New configurations are waiting'
    expect(await mailbox(shop).list(customer.email, subject)).toHaveLength(1)
    expect((await mailbox(shop).latest(customer.email, subject)).text).toContain('has a new address')
    const [deed] = await deedsOf(shop, servers)
    expect(deed).toMatchObject({ command: 'node change', subject: agent.node.name })
    for (const refused of ['[fe80::1]:51820', 'vpn.example.org:53'])
      expect((await change(refused)).body).toMatchObject({ status: 422, errors: [{ path: 'endpoint' }] })
  })

  test('that gets another port serves the old one until no connection from before is left', async () => {
    const { agent, customer } = await theBusyNode()
    const { id, name } = agent.node
    const servers = await anOperator(shop.db, 'servers')
    const change = (body: object) => of(servers, 'PUT', name, '/endpoint', body)
    const served = async () => {
      const { listenPort, oldPorts } = (await agent.ask(0)).body.node
      return [listenPort, oldPorts]
    }
    await change({ endpoint: `${name}.example.org:51820` })
    const { body } = await change({ port: 443 })
    expect(body.effects).toEqual([
      '1 customer will get an email that new configurations are waiting.',
      'They can import them at any time.',
      'Configurations with port 51820 keep working until every connection from before the change is gone.',
    ])
    expect(await served()).toEqual([443, [51820]])
    await queueIsEmpty(shop)
    const mail = await mailbox(shop).latest(customer.email, 'New configurations are waiting')
    expect(mail.text).toMatch(/has a new port|have a new port/)
    expect(mail.text).toContain('keeps working')
    for (const port of [1, 2, 3]) await change({ port })
    expect(await served()).toEqual([3, [51820, 443, 1, 2]])
    expect((await change({ port: 4 })).body.detail).toContain('still serves 4 old ports')
    await change({ port: 443 })
    expect(await served()).toEqual([443, [51820, 1, 2, 3]])
    await closeOldPorts(shop.db)
    expect(await served()).toEqual([443, [51820, 1, 2, 3]])
    await sql`update peers set created_at = now() + interval '1 second' where node_id = ${id}`.execute(
      shop.db,
    )
    await closeOldPorts(shop.db)
    expect(await served()).toEqual([443, []])
  })

  test('is not changed to nothing, to a port of its agent or of another node at its host, nor while an older agent would not serve the old port', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const host = `${newName()}.example.org`
    const [own, other] = [await aNode(shop, { endpoint: `${host}:51820` }), newName()]
    expect((await add(servers, { name: other, endpoint: `${host}:1000` })).status).toBe(201)
    expect((await of(servers, 'PUT', other, '/endpoint', { port: 1001 })).body.effects).toEqual([
      'No customer has a configuration of this node.',
      expect.stringContaining('port 1000'),
    ])
    const change = (body: object) => of(servers, 'PUT', own.node.name, '/endpoint', body)
    for (const port of [53, 80, 9465, 1000, 1001])
      expect((await change({ port })).body).toMatchObject({ status: 422, errors: [{ path: 'port' }] })
    expect((await change({})).body.detail).toContain('Say what is to change')
    await shop.db.updateTable('nodes').set({ agent_version: '0.1.0' }).where('id', '=', own.node.id).execute()
    expect((await change({ port: 8443 })).body.detail).toContain('up to date')
    expect((await change({ endpoint: `vpn2.${host}:51820` })).status).toBe(200)
  })

  test('is obfuscated where that is said when it is added: its agent gets what was drawn, never anything else', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const [own, other, plain] = [newName(), newName(), newName()]
    const drawn = async (name: string) =>
      (await shop.db.selectFrom('nodes').select('obfuscation').where('name', '=', name).executeTakeFirst())
        ?.obfuscation
    await add(servers, { name: own, endpoint: `${own}.example.org:51820`, obfuscated: true })
    await add(servers, { name: other, endpoint: `${other}.example.org:51820`, obfuscated: true })
    await add(servers, { name: plain, endpoint: `${plain}.example.org:51820` })
    const parameters = await drawn(own)
    expect(parameters && obfuscationFault(parameters)).toBeUndefined()
    expect(parameters).not.toEqual(await drawn(other))
    expect(await drawn(plain)).toBeNull()
    expect((await of(servers, 'GET', own)).body).toMatchObject({ isObfuscated: true })
    const agent = await aNode(shop, { obfuscation: parameters ?? undefined })
    expect((await agent.ask(0)).body.node.obfuscation).toEqual(parameters)
    expect((await (await aNode(shop)).ask(0)).body.node).not.toHaveProperty('obfuscation')
  })

  test('has the second port 443 from the start where nothing else is there, or the one that its operator sets', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const host = `${newName()}.example.org`
    const [first, second, third] = [newName(), newName(), newName()]
    await add(servers, { name: first, endpoint: `${host}:51820` })
    await add(servers, { name: second, endpoint: `${host}:51821` })
    await add(servers, { name: third, endpoint: `${newName()}.example.org:443` })
    const secondPort = async (name: string) => (await of(servers, 'GET', name)).body.secondPort
    expect([await secondPort(first), await secondPort(second), await secondPort(third)]).toEqual([
      { port: 443, answers: false },
      null,
      null,
    ])
    const change = (secondPort: string) => of(servers, 'PUT', second, '/endpoint', { secondPort })
    for (const refused of ['53', '443', '51820', '51821', '0', '70000'])
      expect((await change(refused)).body).toMatchObject({ status: 422, errors: [{ path: 'secondPort' }] })
    expect((await change('4500')).body.isChanged).toBe(true)
    expect(await secondPort(second)).toEqual({ port: 4500, answers: false })
    expect((await change('off')).body.isChanged).toBe(true)
    expect((await change('off')).body.isChanged).toBe(false)
  })

  test('has the MTU that its operator sets, until it is auto again', async () => {
    const agent = await aNode(shop, { endpoint: `${newName()}.example.org:51820` })
    const servers = await anOperator(shop.db, 'servers')
    const change = (mtu: string) => of(servers, 'PUT', agent.node.name, '/endpoint', { mtu })
    const served = async () => (await agent.ask(0)).body.node.mtu
    expect((await change('1380')).body).toEqual({
      isChanged: true,
      effects: [expect.stringContaining('AGENT_MTU')],
    })
    expect((await change('1380')).body.isChanged).toBe(false)
    expect(await served()).toBe(1380)
    for (const mtu of ['1279', '1501', 'most'])
      expect((await change(mtu)).body).toMatchObject({ status: 422, errors: [{ path: 'mtu' }] })
    expect((await change('auto')).body.isChanged).toBe(true)
    expect(await served()).toBe(null)
  })

  test('that is resynced has its agent ask for everything anew', async () => {
    const { agent } = await theBusyNode()
    const { revision } = await agent.catchUp()
    expect((await agent.ask(revision)).body.isForgotten).toBe(false)
    const waiting = agent.ask(revision, 30)
    const servers = await anOperator(shop.db, 'servers')
    expect((await of(servers, 'POST', agent.node.name, '/resync')).status).toBe(200)
    expect((await waiting).body.isForgotten).toBe(true)
    const anew = await agent.catchUp(0)
    expect(anew.peers).toHaveLength(3)
    expect((await agent.ask(anew.revision)).body).toMatchObject({ isForgotten: false, peers: [] })
  })

  test('is announced with a warning where its pool is larger than wireguard-go serves', async () => {
    const { body } = await add(await anOperator(shop.db, 'servers'), { ipv4: '10.0.0.0/8' })
    expect(body.warning).toContain('wireguard-go takes 65535 at most')
  })

  test('that has been silent for two minutes is down', async () => {
    const { node } = await aNode(shop)
    await sql`update nodes set seen_at = now() - interval '2 minutes' where id = ${node.id}`.execute(shop.db)
    const { body } = await of(await anOperator(shop.db, 'servers'), 'GET', node.name)
    expect(body.state).toBe('down')
  })

  test('has a name of its own, of two at once as well', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const name = newName()
    const replies = await Promise.all([add(servers, { name }), add(servers, { name })])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422])
  })

  test('gets another token, by which its server before is locked out', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const agent = await aNode(shop)
    const { body } = await of(servers, 'POST', agent.node.name, '/token')
    expect((await agent.ask(0)).status).toBe(401)
    expect((await enrol(body.token)).status).toBe(200)
  })

  test('is drained and opened again, and says so', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const { node } = await aNode(shop)
    const act = (what: string) => of(servers, 'POST', node.name, `/${what}`)
    expect((await act('drain')).body).toEqual({ isChanged: true })
    expect((await act('drain')).body).toEqual({ isChanged: false })
    expect((await of(servers, 'GET', node.name)).body).toMatchObject({ state: 'drained', isOpen: false })
    expect((await act('open')).body).toEqual({ isChanged: true })
    expect((await of(servers, 'GET', node.name)).body).toMatchObject({ state: 'up', isOpen: true })
  })

  test('is placed by its time zone, and says which addresses its customers appear from', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const { node } = await aNode(shop)
    expect((await of(servers, 'PUT', node.name, '/place', { timeZone: 'Europe/Paris' })).status).toBe(200)
    expectProblem(await of(servers, 'PUT', node.name, '/place', { timeZone: 'Paris' }), 422)
    const addresses = ['203.0.113.7', '203.0.113.7', '2001:db8::7']
    expect((await of(servers, 'PUT', node.name, '/exits', { addresses })).status).toBe(200)
    for (const address of ['vpn.example.org', '192.0.2.0/24', '192.0.2.44:51820', '::ffff:192.0.2.4', ''])
      expectProblem(await of(servers, 'PUT', node.name, '/exits', { addresses: [address] }), 422)
    expect((await of(servers, 'GET', node.name)).body).toMatchObject({
      timeZone: 'Europe/Paris',
      exits: ['203.0.113.7', '2001:db8::7'],
    })
  })

  test.each([
    ['POST', '/token'],
    ['POST', '/clear'],
    ['DELETE', ''],
  ])('asks again before %s %s', async (method, path) => {
    const servers = await anOperator(shop.db, 'servers')
    await letOperatorProofAge(shop, servers)
    const { name } = await announceNode(shop)
    expect((await of(servers, method, name, path)).body.code).toBe('ask-again')
    expect((await of(servers, 'GET', name)).body.name).toBe(name)
  })

  test('is cleared once it is drained, and removed once it is empty', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const { agent, connections } = await theBusyNode()
    const { name } = agent.node
    expect(connections.map(({ node_id }) => node_id)).toContain(agent.node.id)
    expectProblem(await of(servers, 'POST', name, '/clear'), 409)
    expectProblem(await of(servers, 'DELETE', name), 409)
    await of(servers, 'POST', name, '/drain')
    expectProblem(await of(servers, 'DELETE', name), 409)
    const other = await aNode(shop)
    const cleared = await of(servers, 'POST', name, '/clear')
    expect(cleared.body).toMatchObject({ moved: 3, noRoom: 0, left: 0 })
    // Their old keys work there until the new ones are used.
    expect((await of(servers, 'GET', name)).body).toMatchObject({ connections: 0, peers: 3 })
    expect((await of(servers, 'DELETE', name)).status).toBe(200)
    expectProblem(await of(servers, 'GET', name), 404)
    expectProblem(await of(servers, 'DELETE', name), 404)
    expect(other.node.name).not.toBe(name)
  })

  test('that there is not is not found', async () => {
    const owner = await anOperator(shop.db)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/drain'],
      ['POST', '/open'],
      ['POST', '/token'],
      ['POST', '/clear'],
      ['DELETE', ''],
    ] as const)
      expectProblem(await of(owner, method, 'nowhere', path), 404)
  })
})

describe('the connections of a node', () => {
  test('are shown to who looks after it without the names of people and devices', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const { agent, customer, connections } = await theBusyNode()
    const [first] = connections
    const rename = { token: customer.token, body: { name: 'Augusta’s laptop' } }
    await shop.call('PUT', `/api/v1/connections/${first?.id}`, rename)
    const query = `node=${agent.node.name}`
    const { body, text } = await ask(servers, 'GET', `/api/v1/connections?${query}`)
    expect(body.rows).toHaveLength(3)
    const file = await ask(servers, 'GET', `/api/v1/connections.csv?${query}`)
    const one = await ask(servers, 'GET', `/api/v1/connections/${first?.id}`)
    for (const said of [text, file.text, one.text]) {
      expect(said).toContain(first?.id)
      expect(said).not.toMatch(/augusta|laptop|lovelace|@example/i)
    }
    expectProblem(await ask(servers, 'GET', `/api/v1/customers/${customer.id}`), 403)
    expectProblem(await ask(servers, 'GET', `/api/v1/customers/${customer.id}/person`), 403)
    expectProblem(await ask(servers, 'GET', '/api/v1/connections?node=nowhere'), 422)
  })

  test('are ended, revoked and moved one at a time, a revocation after a proof', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const { connections, agent } = await theBusyNode()
    const [one, other, third] = connections.map(({ id }) => `/api/v1/connections/${id}`)
    const expired = () => ask(servers, 'POST', `${one}/expiry`)
    expect((await expired()).body).toEqual({ isChanged: true })
    expect((await expired()).body).toEqual({ isChanged: false })
    const target = await aNode(shop)
    const move = (to: string) => ask(servers, 'POST', `${third}/node`, { body: { to } })
    expect((await move(target.node.name)).body).toEqual({ isChanged: true })
    expect((await move(target.node.name)).body).toEqual({ isChanged: false })
    expectProblem(await move('nowhere'), 422)
    expect((await ask(servers, 'GET', third ?? '')).body.node).toBe(target.node.name)
    expect(agent.node.name).not.toBe(target.node.name)
    const late = await anOperator(shop.db, 'servers')
    await letOperatorProofAge(shop, late)
    expect((await ask(late, 'POST', `${other}/revocation`)).body.code).toBe('ask-again')
    expect((await ask(servers, 'POST', `${other}/revocation`)).body).toEqual({ isChanged: true })
    expectProblem(await ask(await anOperator(shop.db, 'finance'), 'POST', `${one}/expiry`), 403)
  })
})

describe('the history of a node', () => {
  const minute = (ago: number, but = {}) => ({
    minute: Math.floor(Date.now() / 60_000) - ago,
    peers: 10,
    received: 60_000,
    sent: 600_000,
    processor: 30,
    errors: 0,
    ...but,
  })

  test('is what its agent reported, with gaps where it did not, in the console and in the list', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const { node, report } = await aNode(shop)
    // Half an hour is missing, some hours ago.
    const reported = Array.from({ length: 600 }, (_, at) => at + 1).filter((ago) => ago <= 300 || ago > 330)
    for (const part of [reported.slice(0, 400), reported.slice(400)])
      await report({
        minutes: part.map((ago) => minute(ago, ago === 100 ? { errors: 2, processor: 99 } : {})),
      })
    const { body, status } = await of(servers, 'GET', node.name, '/history')
    expect(status).toBe(200)
    expect(body).toHaveLength(288)
    const known = body.filter(({ peers }: { peers: number | null }) => peers !== null)
    expect(known[0]).toMatchObject({ peers: 10, received: 1_000, sent: 10_000, processor: 30, loss: null })
    const missed = body.slice(-100).reduce((sum: number, step: { missed: number }) => sum + step.missed, 0)
    expect(missed).toBe(30)
    expect(body.reduce((sum: number, { errors }: { errors: number | null }) => sum + (errors ?? 0), 0)).toBe(
      2,
    )
    const month = await of(servers, 'GET', node.name, '/history?of=month')
    expect(month.body).toHaveLength(720)
    expect(month.body.slice(-9).some(({ processor }: { processor: number }) => processor === 99)).toBe(true)
    const listed = (await ask(servers, 'GET', '/api/v1/nodes')).body
    const mine = listed.find(({ name }: { name: string }) => name === node.name)
    expect(mine.peersByHour).toHaveLength(24)
    expect(mine.peersByHour.slice(-8).every((peers: number | null) => peers === 10 || peers === null)).toBe(
      true,
    )
    expect(mine.peersByHour[0]).toBeNull()
    expect(mine.lastDay).toMatchObject({ peersMost: 10, loss: null })
    const other = listed.find(({ name }: { name: string }) => name !== node.name)
    expect(other?.lastDay ?? null).toBeNull()
  })

  test('is empty, and nothing of it missed, where no agent ever reported', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const { name } = await announceNode(shop)
    const { body } = await of(servers, 'GET', name, '/history')
    expect(
      body.every((step: { peers: null; missed: number }) => step.peers === null && step.missed === 0),
    ).toBe(true)
    expectProblem(await of(servers, 'GET', 'no-such-node', '/history'), 404)
    expectProblem(await of(servers, 'GET', name, '/history?of=year'), 422)
  })
})
