import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { beforeEach, describe, expect, test } from 'vitest'
import { renewEnrolment } from '#network/nodes/nodes.service.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { aBusyNode, agentWith, aNode, anEnrolment, announceNode } from '#testing/nodes.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

// Each test has a shop of its own: where the next connection goes depends on every node that is up.
let shop: TestShop
beforeEach(async () => {
  shop = await startTestShop()
})

const enrol = (body: unknown) => shop.call('POST', '/api/v1/agent/enrolments', { body })

describe('enrolling', () => {
  test('makes a server the node that the token is for', async () => {
    const node = await announceNode(shop, { endpoint: '[2001:db8::1]:443', ipv4: '10.50.0.0/24' })
    const { status, body } = await enrol(anEnrolment(node.token))
    expect(status).toBe(200)
    expect(body).toEqual({
      id: node.id,
      name: node.name,
      listenPort: 443,
      oldPorts: [],
      mtu: null,
      shopPeer: { publicKey: expect.any(String), presharedKey: expect.any(String) },
      ipv4: '10.50.0.0/24',
      ipv6: 'fd00:77::/64',
      shop: { name: 'Hedgerow', renewUrl: expect.stringContaining(shop.url) },
    })
  })

  test('may be repeated by the same agent, which did not hear the answer', async () => {
    const { token } = await announceNode(shop)
    const body = anEnrolment(token)
    const [first, again] = [await enrol(body), await enrol(body)]
    expect(again.text).toBe(first.text)
  })

  test('works once: of two servers with one token at once, one is refused', async () => {
    const { token } = await announceNode(shop)
    const replies = await Promise.all([1, 2, 3, 4].map(() => enrol(anEnrolment(token))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  })

  test('refuses an agent that is another node’s, as a copied server’s is', async () => {
    const first = await aNode(shop)
    const { token } = await announceNode(shop)
    const copy = { token, publicKey: first.publicKey, secret: first.secret }
    const { body } = expectProblem(await enrol(copy), 409)
    expect(body.detail).toContain('state folder')
    expect((await enrol(anEnrolment(token))).status).toBe(200)
  })

  test('begins the numbers of reports anew, whatever the clock of the agent before it was', async () => {
    const { agent, connections } = await aBusyNode(shop)
    await agent.report({ number: Number.MAX_SAFE_INTEGER })
    const { token } = (await renewEnrolment(shop, agent.node.id)) ?? { token: '' }
    const fresh = anEnrolment(token)
    expect((await enrol(fresh)).status).toBe(200)
    const id = connections[0]?.peer_id ?? ''
    await agentWith(shop, agent.node, fresh).report({ number: Date.now(), connected: [id] })
    const seen = await shop.db
      .selectFrom('peers')
      .select('connected_on')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(seen.connected_on).not.toBeNull()
  })

  test('with a new key gives each connection a new configuration, and its customer one mail', async () => {
    const { agent, customer, connections } = await aBusyNode(shop)
    const used = connections.map(({ peer_id }) => peer_id)
    await agent.report({ connected: used })
    const listed = async () =>
      (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body.connections
    const states = async () => (await listed()).map(({ status }: { status: string }) => status)
    expect(await states()).toEqual(Array(3).fill('connected'))
    const again = async (publicKey?: string) => {
      const { token } = (await renewEnrolment(shop, agent.node.id)) ?? { token: '' }
      const fresh = { ...anEnrolment(token), ...(publicKey ? { publicKey } : {}) }
      expect((await enrol(fresh)).status).toBe(200)
      return fresh
    }
    const mails = async () => {
      await queueIsEmpty(shop)
      return mailbox(shop).list(customer.email, 'New configurations are waiting')
    }
    await again(agent.publicKey)
    expect(await mails()).toEqual([])
    const fresh = await again()
    expect(await mails()).toHaveLength(1)
    const { text } = await mailbox(shop).latest(customer.email, 'New configurations are waiting')
    expect(await states()).not.toContain('connected')
    for (const { serverPublicKey } of await listed()) expect(serverPublicKey).toBe(fresh.publicKey)
    for (const { name } of connections) expect(text).toContain(`${name}, now at ${agent.node.name}`)
    expect(text).toContain('no longer works')
    await enrol(fresh)
    expect(await mails()).toHaveLength(1)
  })

  test('refuses an unknown token, and one that is too old', async () => {
    const old = await announceNode(shop, { hours: -1 })
    expectProblem(await enrol(anEnrolment(old.token)), 401)
    expectProblem(await enrol(anEnrolment(anEnrolment('').secret)), 401)
  })

  test.each([
    ['publicKey', 'short'],
    ['publicKey', 'A'.repeat(44)],
    ['secret', 'x'],
    ['token', 7],
  ])('refuses the %s %j', async (field, value) => {
    const { token } = await announceNode(shop)
    expectProblem(await enrol({ ...anEnrolment(token), [field]: value }), 422)
  })
})
