import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandOfAlert } from '#care/overview/alert-commands.ts'
import { listAlerts } from '#care/overview/alerts.ts'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { eraseAccount } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aLocation } from '#testing/locations.ts'
import { aNode } from '#testing/nodes.ts'
import { deedsOf } from '#testing/operators.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile()

const support = () => anOperator(shop.db, 'support')

/** A customer's first connection, with the advertisement filter on. */
const aConnection = async () => {
  const { customer, paymentId } = await aPurchase(shop, { features: { feature1: true, feature2: true } })
  const all = async () =>
    (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body.connections
  const [first] = await all()
  const id = first._id as string
  const mine = async () => (await all()).find(({ _id }: { _id: string }) => _id === id)
  return { ...customer, customerId: customer.id, paymentId, id, path: `/api/v1/connections/${id}`, mine }
}

type Owned = Awaited<ReturnType<typeof aConnection>>

const rekey = (operator: TestOperator, id: string, body: object = { cutOffOld: false }) =>
  ask(operator, 'POST', `/api/v1/connections/${id}/keys`, { body })

const peersOf = (id: string) =>
  shop.db
    .selectFrom('peers')
    .select(['public_key', 'node_id', 'replaced_at', 'removed_at'])
    .where('connection_id', '=', id)
    .orderBy('created_at')
    .execute()

/** A place whose agent says that it has no names for advertisements. */
const withoutAds = async (name: string, lists: object = { ads: 0, malicious: 10, family: 10 }) => {
  const id = await aLocation(shop, { name })
  await shop.db
    .updateTable('nodes')
    .set({ list_names: JSON.stringify(lists) as never })
    .where('id', '=', id)
    .execute()
  // The next test sells what it lacks.
  onTestFinished(async () => {
    await shop.db.updateTable('nodes').set({ is_open: false }).where('id', '=', id).execute()
  })
  return id
}

const switchAds = ({ path, token }: Owned, isOn: boolean) =>
  shop.call('PUT', path, { token, body: { filters: { feature2: isOn } } })
const move = ({ path, token }: Owned, location: string) =>
  shop.call('POST', `${path}/location`, { token, body: { location } })

describe('new keys at an operator’s hand', () => {
  test('replace the old ones, which live on until the new are used, and stand in the record without any key', async () => {
    const { id } = await aConnection()
    const operator = await support()
    expect(await rekey(operator, id)).toMatchObject({ status: 200, body: {} })
    const [old, now] = await peersOf(id)
    expect(old?.replaced_at).not.toBeNull()
    expect(old?.removed_at).toBeNull()
    expect(now).toMatchObject({ replaced_at: null, node_id: old?.node_id })
    expect(await deedsOf(shop, operator)).toMatchObject([
      { command: 'connection rekey', subject: id, outcome: 'done' },
    ])
    expect(JSON.stringify(await deedsOf(shop, operator))).not.toContain(now?.public_key)
  })

  test('cut the old ones off at once where that is asked for', async () => {
    const { id } = await aConnection()
    expect((await rekey(await support(), id, { cutOffOld: true })).status).toBe(200)
    const [old] = await peersOf(id)
    expect(old?.removed_at).not.toBeNull()
  })

  test('are not made for one that has ended, or that is nobody’s, or by whoever may not', async () => {
    const { id } = await aConnection()
    expectProblem(await rekey(await support(), '00000000-0000-4000-8000-000000000000'), 404)
    expectProblem(await rekey(await anOperator(shop.db, 'viewer'), id), 403)
    expectProblem(await rekey(await support(), id, { cutOffOld: 'yes' }), 422)
    await shop.db
      .updateTable('connections')
      .set({ expires_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    expectProblem(await rekey(await support(), id), 409)
    expect(await peersOf(id)).toHaveLength(1)
  })
})

/** A node that takes no connections of other tests afterwards. */
const aSpareNode = async (given: Parameters<typeof aNode>[1] = {}) => {
  const agent = await aNode(shop, given)
  onTestFinished(async () => {
    await shop.db.updateTable('nodes').set({ is_open: false }).where('id', '=', agent.node.id).execute()
  })
  return agent
}

/** A node that new connections go to: those of other tests take none meanwhile. */
const theOnlyNode = async () => {
  const agent = await aSpareNode()
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

const act = (operator: TestOperator, id: string, what: string, body?: object) =>
  ask(operator, 'POST', `/api/v1/connections/${id}/${what}`, body ? { body } : {})

describe('connections', () => {
  test('are listed by account, status and node, and shown with all but their keys', async () => {
    const { customerId, id, paymentId, mine } = await aConnection()
    const operator = await support()
    const list = async (query: string) =>
      (await ask(operator, 'GET', `/api/v1/connections?customerId=${customerId}&${query}`)).body.rows
    const connected = (day: string) =>
      sql`update peers set connected_on = (now() at time zone 'utc')::date - ${day}::int where connection_id = ${id}`.execute(
        shop.db,
      )
    await connected('0')
    expect(await list('status=connected')).toMatchObject([{ id, name: 'Hedgerow 1', customerId }])
    expect(await list('status=never-connected')).toHaveLength(2)
    await connected('1')
    expect(await list('status=idle')).toMatchObject([{ id }])
    expect(await list('status=expired')).toEqual([])
    const { body, text } = await ask(operator, 'GET', `/api/v1/connections/${id}`)
    expect(await list(`node=${body.node}`)).toHaveLength(3)
    expectProblem(await ask(operator, 'GET', '/api/v1/connections?node=Atlantis'), 422)
    expect(body).toMatchObject({ paymentId, status: 'idle', renewals: [], oldKeysUntil: null })
    expect(body.features).toEqual([
      { name: 'Priority bandwidth', isOn: null },
      { name: 'Advertisement filter', isOn: true },
    ])
    const { clientPrivateKey, presharedKey } = await mine()
    const [peer] = await peersOf(id)
    for (const key of [clientPrivateKey, presharedKey, peer?.public_key]) expect(text).not.toContain(key)
  })

  test('say since when their file can be fetched from an address, and when it was, but not from which', async () => {
    const { id, path, token } = await aConnection()
    const { url } = (await shop.call('POST', `${path}/file-address`, { token })).body
    const show = async () => ask(await support(), 'GET', `/api/v1/connections/${id}`)
    expect((await show()).body).toMatchObject({ fileAddressAt: expect.any(String), fileReadAt: null })
    expect((await fetch(url)).status).toBe(200)
    const { body, text } = await show()
    expect(body.fileReadAt).toEqual(expect.any(String))
    expect(text).not.toContain('.conf')
  })

  test('go with their account, and there is none by another id', async () => {
    const owned = await aConnection()
    const operator = await anOperator(shop.db)
    expect((await eraseAccount(shop, owned)).status).toBeLessThan(300)
    for (const id of [owned.id, '00000000-0000-4000-8000-000000000000']) {
      expectProblem(await ask(operator, 'GET', `/api/v1/connections/${id}`), 404)
      expectProblem(await act(operator, id, 'expiry'), 404)
      expectProblem(await act(operator, id, 'revocation'), 404)
    }
  })

  test('end now, which their node learns, and can be extended', async () => {
    const agent = await theOnlyNode()
    const { id, mine } = await aConnection()
    const { revision } = await agent.catchUp()
    const operator = await support()
    expect((await act(operator, id, 'expiry')).body).toEqual({ isChanged: true })
    expect(await mine()).toMatchObject({ status: 'expired', isRenewable: true })
    const { peers, gone } = await agent.catchUp(revision)
    expect(gone).toEqual([])
    expect(peers).toHaveLength(1)
    expect(Date.parse(peers[0]?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now())
    expect((await act(operator, id, 'expiry')).body).toEqual({ isChanged: false })
  })

  test('are taken from their node at once, for good, and their addresses rest', async () => {
    const agent = await theOnlyNode()
    const { id, mine } = await aConnection()
    const { revision } = await agent.catchUp()
    const operator = await support()
    await sql`update peers set connected_on = now() where connection_id = ${id}`.execute(shop.db)
    const twice = await Promise.all([act(operator, id, 'revocation'), act(operator, id, 'revocation')])
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect(await mine()).toMatchObject({ status: 'expired', isRenewable: false })
    const { peers, gone } = await agent.catchUp(revision)
    expect(peers).toEqual([])
    expect(gone).toHaveLength(1)
    expect((await act(operator, id, 'revocation')).body).toEqual({ isChanged: false })
    expect((await ask(operator, 'GET', `/api/v1/connections/${id}`)).body.status).toBe('cut-off')
    const { rows } = await sql<{ rests: boolean }>`
      select available_at > now() + interval '6 days 23 hours' as rests from free_addresses
      join peers using (node_id, position) where connection_id = ${id}`.execute(shop.db)
    expect(rows).toEqual([{ rests: true }])
  })
})

describe('a move at an operator’s hand', () => {
  const moveTo = (operator: TestOperator, id: string, to: string) => act(operator, id, 'node', { to })

  test('gives new keys on another node, once, and mails the customer', async () => {
    const { id, email } = await aConnection()
    const operator = await support()
    const agent = await aSpareNode()
    const to = agent.node.name
    const twice = await Promise.all([moveTo(operator, id, to), moveTo(operator, id, to)])
    expect(twice.some(({ status }) => status === 200)).toBe(true)
    const [old, now, ...others] = await peersOf(id)
    expect(others).toEqual([])
    expect(now).toMatchObject({ node_id: agent.node.id, removed_at: null })
    expect(now?.public_key).not.toBe(old?.public_key)
    await hurry(shop, 'mail-moved')
    const mail = await mailbox(shop).latest(email, 'A new configuration is waiting')
    expect(mail.text).toContain(`Hedgerow 1, now at ${to}`)
    expect(mail.text).not.toContain('Hedgerow 2')
    const { body } = await ask(operator, 'GET', `/api/v1/connections/${id}`)
    expect(body).toMatchObject({ node: to, oldKeysUntil: expect.any(String) })
    expect((await moveTo(operator, id, to)).body).toEqual({ isChanged: false })
    expect((await agent.catchUp()).peers).toMatchObject([{ isAwaited: true }])
  })

  test('is refused to a node that is drained, full or not there, and of a connection that has ended', async () => {
    const { id } = await aConnection()
    const operator = await support()
    const { node: drained } = await aSpareNode()
    const open = (is_open: boolean) =>
      shop.db.updateTable('nodes').set({ is_open }).where('id', '=', drained.id).execute()
    await open(false)
    const { node: full } = await aSpareNode({ ipv4: '10.93.0.0/29' })
    await sql`update nodes set filled_to = 6 where id = ${full.id}`.execute(shop.db)
    const refused = async (to: string) => expectProblem(await moveTo(operator, id, to), 409).body.detail
    expect(await refused(drained.name)).toMatch(/takes no new connections: it is drained/)
    expect(await refused(full.name)).toBe(`The node ${full.name} has no free address.`)
    expectProblem(await moveTo(operator, id, 'Atlantis'), 422)
    await sql`update connections set expires_at = now() - interval '1 hour' where id = ${id}`.execute(shop.db)
    await open(true)
    expect(await refused(drained.name)).toMatch(/^The connection has ended/)
  })
})

describe('a node that has no names for a filter', () => {
  test('is not moved to by a customer whose filter is on, nor by an operator, and is once it is off', async () => {
    const owned = await aConnection()
    const bare = await withoutAds('Bare')
    const { body: locations } = await shop.call('GET', `${owned.path}/locations`, { token: owned.token })
    expect(locations).toContainEqual({ _id: bare, name: 'Bare', isCurrent: false, without: ['feature2'] })
    expect(expectProblem(await move(owned, bare), 409).body.detail).toBe(
      'Bare does not have the advertisement filter at the moment. Choose another location, or switch it off.',
    )
    const byHand = () =>
      ask(operator, 'POST', `/api/v1/connections/${owned.id}/node`, { body: { to: 'Bare' } })
    const operator = await anOperator(shop.db)
    expect(expectProblem(await byHand(), 409).body.detail).toContain('has no names for a filter')
    expect(await peersOf(owned.id)).toHaveLength(1)
    await switchAds(owned, false)
    expect((await move(owned, bare)).status).toBe(200)
    expect((await peersOf(owned.id)).at(-1)?.node_id).toBe(bare)
  })

  test('lets nobody switch that filter on there, and everybody off', async () => {
    const owned = await aConnection()
    const bare = await withoutAds('Empty')
    await switchAds(owned, false)
    await move(owned, bare)
    const refused = expectProblem(await switchAds(owned, true), 422)
    expect(messageFor(refused, 'filters.feature2')).toBe(
      'Empty does not have the advertisement filter at the moment. Move the connection to another location first.',
    )
    const { path, token } = owned
    expect((await shop.call('PUT', path, { token, body: { name: 'Bird' } })).status).toBe(200)
    const { filters_on } = await shop.db
      .selectFrom('connections')
      .select('filters_on')
      .where('id', '=', owned.id)
      .executeTakeFirstOrThrow()
    expect(filters_on).toBe(0)
    await withoutAds('Full', { ads: 9, malicious: 9, family: 9 })
    await shop.db
      .updateTable('nodes')
      .set({ list_names: JSON.stringify({ ads: 5 }) as never })
      .where('id', '=', bare)
      .execute()
    expect((await switchAds(owned, true)).status).toBe(200)
  })

  test('gets a connection that has to leave its own last of all', async () => {
    const owned = await aConnection()
    await withoutAds('Idle')
    const full = await withoutAds('Busy', { ads: 9, malicious: 9, family: 9 })
    await shop.db.updateTable('nodes').set({ load: 1_000 }).where('id', '=', full).execute()
    const setOwn = (isOpen: boolean) =>
      shop.db.updateTable('nodes').set({ is_open: isOpen }).where('is_demonstration', '=', true).execute()
    onTestFinished(async () => {
      await setOwn(true)
    })
    await setOwn(false)
    expect((await rekey(await support(), owned.id)).status).toBe(200)
    expect((await peersOf(owned.id)).at(-1)?.node_id).toBe(full)
  })
})

test('connections whose keys should have been renewed are listed, as many as are counted, and where the alert leads', async () => {
  const [late, inTime, cutOff] = [await aConnection(), await aConnection(), await aConnection()]
  const renewOn = (id: string, daysAgo: number) =>
    sql`update connections set keys_every_days = 7, keys_renew_on = current_date - ${daysAgo}::int,
      keys_told_on = current_date - ${daysAgo}::int where id = ${id}`.execute(shop.db)
  await renewOn(late.id, 4)
  await renewOn(inTime.id, 0)
  await renewOn(cutOff.id, 4)
  await sql`update peers set removed_at = now() where connection_id = ${cutOff.id}`.execute(shop.db)
  const { body } = await ask(await support(), 'GET', '/api/v1/connections?keysOverdue=true')
  expect(body.rows.map(({ id }: { id: string }) => id)).toEqual([late.id])
  const alert = (await listAlerts(shop.db)).find(({ name }) => name === 'KeysOverdue')
  expect(alert).toMatchObject({ count: 1, list: 'connections', filters: { keysOverdue: 'true' } })
  expect(alert && commandOfAlert(alert)).toBe('connection list --keys-overdue')
  const { out } = await runOps(opsSettings(shop), 'connection', 'list', '--keys-overdue')
  expect(out).toContain(late.id)
  expect(out).not.toContain(inTime.id)
})
