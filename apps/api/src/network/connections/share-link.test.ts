import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@hedgerow/domain/dates'
import { DISGUISES, USUAL_DISGUISE } from '@hedgerow/domain/disguise'
import type { Json } from '@hedgerow/testing/call'
import { expectAlike, expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { eraseAccount } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const anOwner = async () => {
  const { customer } = await aPurchase(shop)
  const connection = (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body
    .connections[0]
  return { ...customer, connection, path: `/api/v1/connections/${connection._id}` }
}
type Owner = Awaited<ReturnType<typeof anOwner>>

const refresh = async ({ token, connection }: Owner): Promise<Json> =>
  (await shop.call('GET', '/api/v1/user/profile', { token })).body.connections.find(
    ({ _id }: Json) => _id === connection._id,
  )

/** Its seven days are over. */
const runOut = ({ connection }: Owner) =>
  shop.db
    .updateTable('connections')
    .set({ link_expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', connection._id)
    .execute()

const makeLink = async ({ path, token }: Owner): Promise<string> =>
  (await shop.call('POST', `${path}/link`, { token })).body.url.split('#')[1]

const pick = ({ sharedAt, sharedUntil }: Json) => ({ sharedAt, sharedUntil })

const open = (token: unknown) => shop.call('POST', '/api/v1/shared', { body: { token } })

describe('the link by which a connection is shared', () => {
  test('carries 256 bits after the #, of which only a hash is kept', async () => {
    const owner = await anOwner()
    const { status, body } = await shop.call('POST', `${owner.path}/link`, { token: owner.token })
    expect(status).toBe(200)
    expect(body.url).toMatch(new RegExp(`^${RegExp.escape(shop.url)}/shared#[\\w-]{43}$`))
    const row = await shop.db
      .selectFrom('connections')
      .select('link_hash')
      .where('id', '=', owner.connection._id)
      .executeTakeFirstOrThrow()
    expect(row.link_hash).toHaveLength(32)
    expect(row.link_hash?.toString('base64url')).not.toBe(body.url.split('#')[1])
    expect(body).toMatchObject(pick(await refresh(owner)))
  })

  test('shows anyone who has it name, end and configuration, and nothing else', async () => {
    const owner = await anOwner()
    const { status, body, headers } = await open(await makeLink(owner))
    const { clientPrivateKey, presharedKey, address, dns, serverPublicKey, allowedIPs, endpoint, fileName } =
      owner.connection
    expect(status).toBe(200)
    expect(body).toEqual({
      name: owner.connection.name,
      expirationDate: owner.connection.expirationDate,
      sharedUntil: (await refresh(owner)).sharedUntil,
      configuration: {
        disguiseForApps: DISGUISES[USUAL_DISGUISE],
        clientPrivateKey,
        presharedKey,
        address,
        dns,
        serverPublicKey,
        allowedIPs,
        endpoint,
        fileName,
      },
    })
    expect(headers.get('cache-control')).toContain('no-store')
  })

  test('ends when another is made', async () => {
    const owner = await anOwner()
    const [first, second] = [await makeLink(owner), await makeLink(owner)]
    expectProblem(await open(first), 404)
    expect((await open(second)).status).toBe(200)
  })

  test('is one, when two are made at once', async () => {
    const owner = await anOwner()
    const links = await Promise.all([makeLink(owner), makeLink(owner), makeLink(owner)])
    const statuses = await Promise.all(links.map(async (link) => (await open(link)).status))
    expect(statuses.sort()).toEqual([200, 404, 404])
  })

  test('can be withdrawn, twice too, and answers then as if it had never been', async () => {
    const owner = await anOwner()
    const link = await makeLink(owner)
    const withdraw = () => shop.call('DELETE', `${owner.path}/link`, { token: owner.token })
    expect((await withdraw()).status).toBe(200)
    const gone = expectProblem(await open(link), 404)
    expect((await withdraw()).status).toBe(200)
    expectAlike(expectProblem(await open('x'.repeat(43)), 404), gone)
    expectAlike(expectProblem(await open(''), 404), gone)
    expect(pick(await refresh(owner))).toEqual({ sharedAt: null, sharedUntil: null })
  })

  test('works for seven days, which it says, and then as though it had never been', async () => {
    const owner = await anOwner()
    const link = await makeLink(owner)
    const { sharedAt, sharedUntil } = (await refresh(owner)) as { sharedAt: string; sharedUntil: string }
    expect(Date.parse(sharedAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(Date.parse(sharedUntil) - Date.parse(sharedAt)).toBe(7 * DAY_MS)
    expect((await open(link)).body.sharedUntil).toBe(sharedUntil)
    await runOut(owner)
    expectAlike(expectProblem(await open(link), 404), expectProblem(await open('x'.repeat(43)), 404))
    expect(pick(await refresh(owner))).toEqual({ sharedAt: null, sharedUntil: null })
    expect((await open(await makeLink(owner))).status).toBe(200)
  })

  test('is forgotten when it has run out', async () => {
    const [owner, other] = [await anOwner(), await anOwner()]
    await makeLink(owner)
    const link = await makeLink(other)
    await runOut(owner)
    await hurry(shop, 'tidy-up')
    const hashOf = ({ connection }: Owner) =>
      shop.db
        .selectFrom('connections')
        .select('link_hash')
        .where('id', '=', connection._id)
        .executeTakeFirst()
    await expect.poll(async () => (await hashOf(owner))?.link_hash).toBeNull()
    expect((await open(link)).status).toBe(200)
  })

  test('says of an expired connection that it has expired, and can still be withdrawn', async () => {
    const owner = await anOwner()
    const link = await makeLink(owner)
    const expires_at = new Date(Date.now() - 1000)
    await shop.db
      .updateTable('connections')
      .set({ expires_at })
      .where('id', '=', owner.connection._id)
      .execute()
    expect((await open(link)).body).toEqual({
      name: owner.connection.name,
      expirationDate: expires_at.toISOString(),
      sharedUntil: (await refresh(owner)).sharedUntil,
      configuration: null,
    })
    expect((await shop.call('DELETE', `${owner.path}/link`, { token: owner.token })).status).toBe(200)
    expectProblem(await open(link), 404)
  })

  test('ends with the account', async () => {
    const owner = await anOwner()
    const link = await makeLink(owner)
    await eraseAccount(shop, owner)
    expectProblem(await open(link), 404)
  })

  test('takes a token for what it is', async () => {
    for (const token of [undefined, null, 7, ['x'], 'x'.repeat(201)]) expectProblem(await open(token), 422)
    expectProblem(await open('x'.repeat(2_000_000)), 413)
    expectProblem(await open(randomUUID()), 404)
  })

  test('cannot be guessed at speed', async () => {
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '0.02' } })
    const guess = () => limited.call('POST', '/api/v1/shared', { body: { token: randomUUID() } })
    const statuses = []
    for (let times = 0; times < 4; times++) statuses.push((await guess()).status)
    expect(statuses).toEqual([404, 404, 404, 429])
  })
})
