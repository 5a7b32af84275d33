import { mailbox } from '@hedgerow/testing/mailbox'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { aCustomer, eraseAccount } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aNode } from '#testing/nodes.ts'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const settings = () => ({ ...opsSettings(shop), ...shop.env })
const connection = (...args: string[]) => runOps(settings(), 'connection', ...args)

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** A purchase of three connections, and the first of them. */
const aConnection = async () => {
  const purchase = await aPurchase(shop, { features: { feature1: true, feature2: true } })
  const [row] = await connectionsOf(shop, purchase.paymentId)
  if (!row) throw new Error('Nothing was delivered')
  const mine = async () => {
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: purchase.customer.token })
    return body.connections.find((one: { _id: string }) => one._id === row.id)
  }
  // Other tests of this file enrol nodes, and new connections go there.
  const { name: node } = await shop.db
    .selectFrom('nodes')
    .select('name')
    .where('id', '=', row.node_id)
    .executeTakeFirstOrThrow()
  return { ...purchase, row, node, mine }
}

/** A node that new connections go to: those of other tests take none meanwhile. */
const theOnlyNode = async () => {
  const agent = await aNode(shop)
  const setOpen = (is_open: boolean) =>
    shop.db
      .updateTable('nodes')
      .set({ is_open })
      .where('is_open', '=', !is_open)
      .where('id', '!=', agent.node.id)
      .returning('id')
  const closed = await setOpen(false).execute()
  onTestFinished(async () => {
    for (const { id } of closed) await setOpen(true).where('id', '=', id).execute()
  })
  return agent
}

describe('ops connection list', () => {
  test("shows a customer's connections, newest first, and no key", async () => {
    const { customer, mine, node, row } = await aConnection()
    const { code, out } = await connection('list', '--customer', customer.email.toUpperCase())
    expect(out).toMatch(/^CONNECTION +NAME +CUSTOMER +NODE +STATUS +ENDS\n/)
    expect(out).toMatch(
      new RegExp(`${row.id} +Hedgerow 1 +${customer.email} +${node} +never-connected +\\d\\d/`),
    )
    expect(out.trim().split('\n')).toHaveLength(4)
    expect(code).toBe(0)
    const { json, out: text } = await connection('list', '--customer', customer.email, '--json')
    expect(json).toMatchObject({ hasMore: false })
    expect(json.connections).toHaveLength(3)
    const { clientPrivateKey, presharedKey } = await mine()
    for (const key of [clientPrivateKey, presharedKey, row.public_key]) expect(text).not.toContain(key)
  })

  test('by status and by node, so many at most', async () => {
    const { customer, node, row } = await aConnection()
    await sql`update peers set connected_on = (now() at time zone 'utc')::date where connection_id = ${row.id}`.execute(
      shop.db,
    )
    const of = async (...args: string[]) =>
      (await connection('list', '--customer', customer.email, '--json', ...args)).json
    expect((await of('--status', 'connected')).connections).toMatchObject([{ id: row.id }])
    expect((await of('--status', 'never-connected')).connections).toHaveLength(2)
    expect((await of('--status', 'expired')).connections).toEqual([])
    expect((await of('--node', node, '--limit', '2')).hasMore).toBe(true)
    await sql`update peers set connected_on = connected_on - 1 where connection_id = ${row.id}`.execute(
      shop.db,
    )
    expect((await of('--status', 'idle')).connections).toMatchObject([{ id: row.id, status: 'idle' }])
  })

  test('refuses a node or an account that is not there, and wrong usage', async () => {
    expect((await connection('list', '--node', 'Atlantis')).err).toMatch(/^There is no node Atlantis\./)
    expect((await connection('list', '--customer', 'nobody@example.org')).err).toBe(
      'No account has this email address.\n',
    )
    for (const args of [
      ['--status', 'fast'],
      ['--limit', '0'],
      ['--limit', 'all'],
    ])
      expect((await connection('list', ...args)).code).toBe(2)
  })
})

describe('ops connection show', () => {
  test('tells all but the keys', async () => {
    const { customer, paymentId, node, row } = await aConnection()
    const { code, out } = await connection('show', row.id)
    expect(out).toMatch(
      new RegExp(`\\nCustomer +${customer.email}\\nPayment +${paymentId}\\nNode +${node}\\n`),
    )
    expect(out).toMatch(/\nAddresses +10\.\d+\.\d+\.\d+, fd[0-9a-f:]+\n/)
    expect(out).toMatch(/\nFeatures +priority bandwidth, ads \(on\)\n/)
    expect(out).not.toContain(row.public_key)
    expect(code).toBe(0)
    const { json } = await connection('show', row.id, '--json')
    expect(json).toMatchObject({ id: row.id, status: 'never-connected', renewals: [], oldKeysUntil: null })
    expect(json.filters.ads).toEqual({ isBought: true, isOn: true })
  })

  test.each(['show', 'expire', 'revoke'])(
    'connection %s says that there is no such connection',
    async (verb) => {
      for (const id of [NOBODY, 'x', "'; drop table peers"]) {
        const { code, err } = await connection(verb, id, ...(verb === 'show' ? [] : ['--yes']))
        expect(err).toBe(`There is no connection ${id}.\n`)
        expect(code).toBe(1)
      }
    },
  )

  test('knows nothing of an erased account', async () => {
    const { customer, row } = await aConnection()
    expect((await eraseAccount(shop, customer)).status).toBeLessThan(300)
    expect((await connection('show', row.id)).code).toBe(1)
  })
})

describe('ops connection expire', () => {
  test('ends it now, tells its node, and leaves it to be extended', async () => {
    const agent = await theOnlyNode()
    const { row, mine } = await aConnection()
    const { revision } = await agent.catchUp()
    const asked = await connection('expire', row.id)
    expect(asked.err).toMatch(/^End .* now\? It would otherwise end .*To go ahead, add --yes\.\n$/)
    expect(asked.code).toBe(1)
    expect((await runOpsAtTerminal(settings(), 'n\n', 'connection', 'expire', row.id)).code).toBe(1)
    expect((await mine()).status).toBe('never-connected')
    const { code, json } = await connection('expire', row.id, '--yes', '--json')
    expect(json).toMatchObject({ isChanged: true, connection: { id: row.id, status: 'expired' } })
    expect(code).toBe(0)
    expect(await mine()).toMatchObject({ status: 'expired', isRenewable: true })
    const { peers, gone } = await agent.catchUp(revision)
    expect(gone).toEqual([])
    expect(peers).toHaveLength(1)
    expect(Date.parse(peers[0]?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now())
    const twice = await connection('expire', row.id)
    expect(twice.out).toContain('had already ended.')
    expect(twice.code).toBe(0)
  })
})

describe('ops connection revoke', () => {
  test('takes it from its node at once, for good', async () => {
    const agent = await theOnlyNode()
    const { row, mine } = await aConnection()
    const { revision } = await agent.catchUp()
    expect((await connection('revoke', row.id)).code).toBe(1)
    const both = await Promise.all([
      connection('revoke', row.id, '--yes'),
      connection('revoke', row.id, '--yes'),
    ])
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(await mine()).toMatchObject({ status: 'expired', isRenewable: false })
    const { peers, gone } = await agent.catchUp(revision)
    expect(peers).toEqual([])
    expect(gone).toHaveLength(1)
    expect((await connection('revoke', row.id)).out).toContain('was no longer on any node.')
    expect((await connection('show', row.id, '--json')).json.status).toBe('cut-off')
    const { rows } = await sql<{ rests: boolean }>`
      select available_at > now() + interval '6 days 23 hours' as rests from free_addresses
      where node_id = ${row.node_id} and position = ${row.position}`.execute(shop.db)
    expect(rows).toEqual([{ rests: true }])
  })
})

describe('ops connection move', () => {
  const aSmallShop = async () => {
    const own = await startTestShop()
    const ops = (...args: string[]) => runOps({ ...opsSettings(own), ...own.env }, 'connection', ...args)
    const customer = await aCustomer(own)
    const { paymentId } = await aPurchase(own, {}, {}, customer)
    const [row] = await connectionsOf(own, paymentId)
    if (!row) throw new Error('Nothing was delivered')
    return { own, ops, customer, paymentId, row }
  }

  test('gives it new keys on another node, and mails the customer', async () => {
    const { own, ops, customer, row, paymentId } = await aSmallShop()
    const agent = await aNode(own)
    const { name, id } = agent.node
    expect((await ops('move', row.id, '--to', name)).err).toContain('To go ahead, add --yes.')
    const { code, out } = await ops('move', row.id, '--to', name, '--yes')
    expect(out).toBe(`Hedgerow 1 of ${customer.email} is now on ${name}, and the customer gets a mail.\n`)
    expect(code).toBe(0)
    const [now] = await connectionsOf(own, paymentId)
    expect(now).toMatchObject({ node_id: id, removed_at: null })
    expect(now?.public_key).not.toBe(row.public_key)
    await hurry(own, 'mail-moved')
    const mail = await mailbox(own).latest(customer.email, 'A new configuration is waiting')
    expect(mail.text).toContain(`Hedgerow 1, now at ${name}`)
    expect(mail.text).not.toContain('Hedgerow 2')
    const { json } = await ops('show', row.id, '--json')
    expect(json).toMatchObject({ location: { name }, oldKeysUntil: expect.any(String) })
    expect((await ops('move', row.id, '--to', name)).out).toContain(`is already on ${name}.`)
    expect((await agent.catchUp()).peers).toMatchObject([{ isAwaited: true }])
  })

  test('refuses a node that is drained, full or not there, and a connection that has ended', async () => {
    const { own, ops, row } = await aSmallShop()
    const { node: drained } = await aNode(own)
    await sql`update nodes set is_open = false where id = ${drained.id}`.execute(own.db)
    const { node: full } = await aNode(own, { ipv4: '10.93.0.0/29' })
    await sql`update nodes set filled_to = 6 where id = ${full.id}`.execute(own.db)
    const refused = async (to: string) => {
      const { code, err } = await ops('move', row.id, '--to', to, '--yes')
      expect(code).toBe(1)
      return err
    }
    expect(await refused(drained.name)).toMatch(/takes no new connections: it is drained/)
    expect(await refused(full.name)).toBe(`${full.name} has no free address.\n`)
    expect(await refused('Atlantis')).toMatch(/^There is no node Atlantis/)
    await sql`update connections set expires_at = now() - interval '1 hour'`.execute(own.db)
    await sql`update nodes set is_open = true where id = ${drained.id}`.execute(own.db)
    expect(await refused(drained.name)).toMatch(/^The connection has ended/)
    expect((await ops('move', row.id)).code).toBe(2)
  })

  test('twice at once moves it once', async () => {
    const { own, ops, row } = await aSmallShop()
    const { node } = await aNode(own)
    const both = await Promise.all([1, 2].map(() => ops('move', row.id, '--to', node.name, '--yes')))
    expect(both.some(({ code }) => code === 0)).toBe(true)
    const { rows } = await sql`select from peers where connection_id = ${row.id}`.execute(own.db)
    expect(rows).toHaveLength(2)
  })
})
