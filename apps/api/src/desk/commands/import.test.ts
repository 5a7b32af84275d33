import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { deleteOldUnconfirmed } from '#people/accounts/accounts.service.ts'
import { aCustomer, aSession, PASSWORD, uniqueEmail } from '#testing/customers.ts'
import { askForEmail, changeEmail, confirmEmail, confirmToken, undoEmail } from '#testing/email-changes.ts'
import { type AClient, aClient, aServer, wgEasyJson, wgQuickFile } from '#testing/imports.ts'
import { agentWith, anEnrolment } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { connectionRow, daysBetween, refundWhole, renew } from '#testing/renewals.ts'
import { startTestShop } from '#testing/test-shop.ts'

const SLOW_MS = 120_000
const DAYS = ['--days', '30']

/** A shop, and the server of another panel with its file. */
const aMove = async (clients: readonly AClient[]) => {
  const shop = await startTestShop()
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-import-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const server = aServer()
  const [json, conf] = [join(folder, 'wg0.json'), join(folder, 'wg0.conf')]
  await writeFile(json, wgEasyJson(server, clients))
  await writeFile(conf, wgQuickFile(server, clients))
  const settings = { ...opsSettings(shop), ...shop.env }
  const ops = (...args: string[]) => runOps(settings, ...args)
  const to = ['--node', 'Old', '--endpoint', 'vpn.example.org:51820']
  const bring = (...args: string[]) => ops('import', 'wg-easy', json, ...to, ...DAYS, ...args)
  const rows = () =>
    shop.db
      .selectFrom('connections')
      .selectAll()
      .where('import_id', 'is not', null)
      .orderBy('ordinal')
      .execute()
  /** The agent that has the old server's key. */
  const takeOver = async (token: string) => {
    const enrolment = { ...anEnrolment(token), publicKey: server.publicKey }
    const node = await shop.db
      .selectFrom('nodes')
      .select(['id', 'name'])
      .where('name', '=', 'Old')
      .executeTakeFirstOrThrow()
    expect((await shop.call('POST', '/api/v1/agent/enrolments', { body: enrolment })).status).toBe(200)
    return agentWith(shop, { ...node, token }, enrolment)
  }
  const counts = async () => {
    const { rows: found } = await sql<Record<string, number>>`select
      (select count(*)::int from connections) as connections, (select count(*)::int from peers) as peers,
      (select count(*)::int from customers) as customers, (select count(*)::int from nodes where removed_at is null) as nodes,
      (select count(*)::int from imports) as imports`.execute(shop.db)
    return found[0]
  }
  return { shop, server, folder, json, conf, ops, to, bring, rows, takeOver, counts }
}

const ENROL = '/api/v1/agent/enrolments'

test('clients of wg-easy become connections with the keys, addresses and names that they have', {
  timeout: SLOW_MS,
}, async () => {
  const email = uniqueEmail('grace')
  const clients = [aClient(email, 2), aClient('Phone', 5), aClient('Off', 6, { enabled: false })]
  const { shop, server, ops, bring, rows, takeOver, counts } = await aMove(clients)
  const before = await counts()

  const dry = await bring('--dry-run')
  expect([dry.code, dry.err]).toEqual([0, ''])
  expect(dry.out).toContain('2 to be brought, 0 there already, 1 left out')
  expect(dry.out).toContain('Left out: Client 3 (Off): it is switched off there.')
  expect(dry.out).toContain('1 to be made, 0 there already; 1 connection without an email')
  expect(dry.out).toMatch(/Nothing was done: this was a dry run\.\n$/)
  expect((await bring()).err).toContain('To go ahead, add --yes.')
  expect(await counts()).toEqual(before)

  const brought = await bring('--yes', '--json')
  expect([brought.code, brought.err]).toEqual([0, ''])
  const { json } = brought
  expect(json).toMatchObject({ connections: 2, known: 0 })
  const after = await counts()
  expect(after).toMatchObject({ connections: 2, peers: 2, customers: 1, imports: 1 })
  // The same again changes nothing.
  expect((await bring('--yes')).out).toContain('All of it is there already. Nothing was done.')
  expect(await counts()).toEqual(after)
  // Nothing of the server's private key is kept.
  const dump = JSON.stringify([
    await shop.db.selectFrom('nodes').selectAll().execute(),
    await shop.db.selectFrom('operator_actions').selectAll().execute(),
  ])
  expect(dump).not.toContain(server.privateKey)

  // Another key would cut every device off, so it is not taken; and nobody is told before the server has moved.
  expectProblem(await shop.call('POST', ENROL, { body: anEnrolment(json.token) }), 422)
  expect(await mailbox(shop).list(email, 'Your VPN connections')).toEqual([])
  const agent = await takeOver(json.token)
  const { peers, node } = await agent.catchUp()
  expect(node).toMatchObject({ listenPort: 51820, ipv4: '10.8.0.0/24' })
  expect(
    peers
      .map(({ publicKey, presharedKey, ipv4 }) => ({ publicKey, presharedKey, ipv4 }))
      .toSorted((a, b) => a.ipv4.localeCompare(b.ipv4)),
  ).toEqual(
    clients.slice(0, 2).map(({ publicKey, presharedKey, ipv4 }) => ({ publicKey, presharedKey, ipv4 })),
  )
  const mail = await mailbox(shop).latest(email, 'Your VPN connections are now at')
  expect(mail.text).toContain('Nothing changes on your devices')
  expect(mail.text).toMatch(/https?:\/\/[^\s]+\/forgot/)

  // Whose address it is nobody has proved: a key goes there only by their own doing.
  const unclaimed = (await rows())[0]?.id ?? ''
  expect((await ops('connection', 'mail', unclaimed)).err).toContain('Nobody has confirmed')

  // The account is claimed by the usual link, and has the file with the keys that wg-easy kept.
  await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
  const reset = tokenIn(await mailbox(shop).latest(email, 'Choose a new password'), '/reset/')
  const chosen = { token: reset, password: PASSWORD }
  expect((await shop.call('POST', '/api/v1/user/password/reset', { body: chosen })).status).toBe(200)
  const [own, orphan] = await rows()
  expect(own).toMatchObject({ name: email, payment_id: null })
  expect(orphan).toMatchObject({ name: 'Phone', customer_id: null })
  const token = await aSession(shop, own?.customer_id ?? '')
  const { body } = await shop.call('GET', '/api/v1/user/profile', { token })
  expect(body.connections).toMatchObject([
    {
      clientPrivateKey: clients[0]?.privateKey,
      serverPublicKey: server.publicKey,
      endpoint: 'vpn.example.org:51820',
      isRenewable: true,
    },
  ])
  expect(body.connections[0].address).toMatch(/^10\.8\.0\.2\/32, fd/)
  expect((await shop.call('GET', '/api/v1/user/data', { token })).body.connections).toMatchObject([
    { paymentId: null },
  ])

  // Nobody's yet: an operator says whose it is.
  const page = await ops('connection', 'show', orphan?.id ?? '', '--json')
  expect(page.json).toMatchObject({ paymentId: null, customerId: null, hasOwnKey: false })
  const waiting = await ops('connection', 'list', '--without-account', '--json')
  expect(JSON.stringify(waiting.json)).toContain(orphan?.id)
  const later = uniqueEmail('later')
  expect((await ops('connection', 'assign', orphan?.id ?? '', '--email', later, '--yes')).err).toBe('')
  expect((await mailbox(shop).latest(later, 'Your VPN connections are now at')).text).toContain(
    'Phone, until',
  )
  expect((await ops('connection', 'assign', orphan?.id ?? '', '--email', email, '--yes')).err).toContain(
    'has an account already',
  )
})

test('a brought connection is extended, refunded and kept like any other', { timeout: SLOW_MS }, async () => {
  const { shop, conf, ops, to, rows, takeOver } = await aMove([aClient('Phone', 2), aClient('Laptop', 3)])
  const ada = await aCustomer(shop)
  const emails = `${conf}.csv`
  await writeFile(emails, `name;email\r\nPhone;${ada.email.toUpperCase()}\r\nLaptop;new.one@example.org\r\n`)
  const brought = await ops('import', 'wg-quick', conf, ...to, ...DAYS, '--emails', emails, '--yes', '--json')
  expect(brought.err).toBe('')
  const { json } = brought
  expect(json).toMatchObject({ connections: 2, accounts: { existing: 1, fresh: 1 }, withoutEmail: 0 })
  await takeOver(json.token)
  const [phone, laptop] = await rows()
  expect(phone?.customer_id).toBe(ada.id)
  const profile = async () =>
    (await shop.call('GET', '/api/v1/user/profile', { token: ada.token })).body.connections
  // Its private key is on its device alone.
  expect(await profile()).toMatchObject([{ hasOwnKey: true, clientPrivateKey: '' }])
  const id = phone?.id ?? ''
  const { paymentId } = await renew(shop, ada, [id])
  const extended = await connectionRow(shop, id)
  expect(daysBetween(phone?.expires_at, extended.expires_at)).toBeCloseTo(10, 4)
  await refundWhole(shop, paymentId)
  const refunded = await connectionRow(shop, id)
  expect(Math.abs(daysBetween(phone?.expires_at, refunded.expires_at))).toBeLessThan(1e-6)
  const { rows: kept } =
    await sql`select from peers where connection_id = ${id} and removed_at is null`.execute(shop.db)
  expect(kept).toHaveLength(1)
  // Who has not claimed the account keeps it, for as long as there is a connection.
  await sql`update customers set created_at = now() - interval '60 days' where id = ${laptop?.customer_id}`.execute(
    shop.db,
  )
  await deleteOldUnconfirmed(shop)
  expect(await connectionRow(shop, laptop?.id ?? '')).toMatchObject({ customer_id: laptop?.customer_id })
  // It was paid for since: an import that is taken back would take that along.
  await renew(shop, ada, [id])
  const undone = await ops('import', 'undo', 'Old', '--yes')
  expect([undone.code, undone.err]).toEqual([1, expect.stringContaining('were extended since')])
})

test('what was brought for an address goes to its owner, and to nobody who asks for the address', {
  timeout: SLOW_MS,
}, async () => {
  const { shop, server, json, bring, rows } = await aMove([])
  const [ada, eve] = [await aCustomer(shop), await aCustomer(shop)]
  const email = uniqueEmail('grace')
  await askForEmail(shop, eve.token, email)
  const link = await confirmToken(shop, email)
  // An intruder has moved her account away from the address, and she takes it back.
  const { undo } = await changeEmail(shop, ada)
  await writeFile(json, wgEasyJson(server, [aClient(email, 2), aClient(ada.email, 3)]))
  await bring('--yes')
  expectProblem(await confirmEmail(shop, link), 409)
  await askForEmail(shop, eve.token, email)
  await mailbox(shop).latest(email, 'is in use already')
  expect((await undoEmail(shop, undo, 'nine wrens in a holly bush')).status).toBe(200)
  const [first, second] = await rows()
  expect(second?.customer_id).toBe(ada.id)
  expect(first?.customer_id).not.toBe(eve.id)
})

test('an import is taken back from a node that others use by now, which stays', {
  timeout: SLOW_MS,
}, async () => {
  const phone = aClient('Phone', 2)
  const { shop, ops, bring, counts, takeOver } = await aMove([phone])
  const { customer } = await aPurchase(shop)
  const { json } = await bring('--yes', '--json')
  await takeOver(json.token)
  expect((await ops('node', 'open', 'Old')).err).toBe('')
  const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
  const move = await ops('connection', 'move', body.connections[0]._id, '--to', 'Old', '--yes')
  expect(move.err).toBe('')
  const { code, err, out } = await ops('import', 'undo', 'Old', '--yes')
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe('1 connection, 0 accounts are gone. The node Old stays: other connections live there.\n')
  expect(await counts()).toMatchObject({ connections: 3, imports: 0 })
  const { rows: left } = await sql`select from peers where public_key = ${phone.publicKey}
    and (removed_at is null or private_key_encrypted is not null)`.execute(shop.db)
  expect(left).toEqual([])
})

test('an import is taken back within a day, whole, and can be made again', { timeout: SLOW_MS }, async () => {
  const { ops, bring, counts, shop } = await aMove([aClient(uniqueEmail(), 2), aClient('Phone', 3)])
  const before = await counts()
  await bring('--yes')
  const { out, code, err } = await ops('import', 'undo', 'Old', '--yes')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('2 connections, 1 account and the node Old are gone.')
  const { peers, ...rest } = (await counts()) ?? {}
  expect(peers).toBe(2)
  expect(rest).toEqual({
    connections: before?.connections,
    customers: before?.customers,
    nodes: before?.nodes,
    imports: 0,
  })
  const { rows: keys } =
    await sql`select from peers where private_key_encrypted is not null or removed_at is null`.execute(
      shop.db,
    )
  expect(keys).toEqual([])
  expect((await bring('--yes')).code).toBe(0)
  await sql`update imports set created_at = now() - interval '25 hours'`.execute(shop.db)
  expect((await ops('import', 'undo', 'Old', '--yes')).err).toContain('more than a day ago')
})

test('what is wrong stops all of it: a line of the file, a key that the shop has, another node’s name', {
  timeout: SLOW_MS,
}, async () => {
  const clients = [aClient('One', 2), aClient('Two', 3)]
  const { ops, bring, counts, json, server, to, folder } = await aMove(clients)
  await writeFile(json, wgEasyJson(server, [...clients, aClient('Three', 3)]))
  const { code, err } = await bring('--yes')
  expect([code, err]).toEqual([
    1,
    'Client 3: its IPv4 address is also that of client 2.\nNothing was done.\n',
  ])
  expect(await counts()).toMatchObject({ connections: 0, imports: 0 })
  await writeFile(json, wgEasyJson(server, clients))
  expect((await bring('--yes')).code).toBe(0)
  const other = join(folder, 'other.json')
  await writeFile(other, wgEasyJson(aServer(), [aClient('Third', 2), clients[1] as AClient]))
  const elsewhere = ['--node', 'Other', '--endpoint', 'vpn2.example.org:51820', ...DAYS, '--yes']
  expect((await ops('import', 'wg-easy', other, ...elsewhere)).err).toContain(
    'Client 2: a connection of the shop has its public key already, on another node.',
  )
  expect((await ops('import', 'wg-easy', other, ...to, ...DAYS, '--yes')).err).toContain(
    'was not made for this server',
  )
  // Clients that were added there meanwhile come along, as long as the server has not moved.
  await writeFile(json, wgEasyJson(server, [...clients, aClient('Three', 9)]))
  expect((await bring('--yes', '--json')).json).toMatchObject({ connections: 1, known: 2 })
})
