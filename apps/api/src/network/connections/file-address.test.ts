import type { Json } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectAlike, expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const anOwner = async () => {
  const { customer } = await aPurchase(shop)
  const [connection] = (await shop.call('GET', '/api/v1/connections', { token: customer.token })).body
  return { ...customer, connection, path: `/api/v1/connections/${connection._id}` }
}
type Owner = Awaited<ReturnType<typeof anOwner>>

const make = async ({ path, token }: Pick<Owner, 'path' | 'token'>): Promise<string> => {
  const { status, body } = await shop.call('POST', `${path}/file-address`, { token })
  expect(status).toBe(200)
  return body.url
}

const shown = async ({ token }: Owner) =>
  (await shop.call('GET', '/api/v1/connections', { token })).body[0].fileAddress

/** As a router does: without a log-in. */
const fetchFile = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })

const NOTHING = () => `${shop.url}/c/${'x'.repeat(43)}.conf`

/** Tells no more than that there is nothing. */
const expectNothing = async (url: string) => {
  const [reply, nothing] = [await fetchFile(url), await fetchFile(NOTHING())]
  expect(reply.status).toBe(404)
  const [body, other] = (await Promise.all([reply.json(), nothing.json()])) as [Json, Json]
  expectAlike(body, other)
}

describe('the address of a connection’s file', () => {
  test('gives a device the file without a log-in, only once while it stays the same, and is counted', async () => {
    const owner = await anOwner()
    const url = await make(owner)
    expect(url).toMatch(new RegExp(`^${RegExp.escape(shop.url)}/c/[\\w-]{43}\\.conf$`))
    const first = await fetchFile(url)
    expect(first.status).toBe(200)
    const text = await first.text()
    expect(text).toContain(`PrivateKey = ${owner.connection.clientPrivateKey}\n`)
    expect(text).toContain(`Endpoint = ${owner.connection.endpoint}\n`)
    expect(first.headers.get('content-disposition')).toBe(
      `attachment; filename="${owner.connection.fileName}"`,
    )
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const etag = first.headers.get('etag') ?? ''
    const second = await fetchFile(url, { 'if-none-match': etag })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect(await shown(owner)).toMatchObject({ reads: 2, readAt: expect.any(String) })
    await shop.call('PUT', owner.path, { token: owner.token, body: { fileForm: ['ipv4-only'] } })
    const changed = await fetchFile(url, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(await changed.text()).not.toContain('::/0')
  })

  test('is kept as a hash, and one at a time, also when several are made at once', async () => {
    const owner = await anOwner()
    const urls = await Promise.all([make(owner), make(owner), make(owner)])
    const statuses = await Promise.all(urls.map(async (url) => (await fetchFile(url)).status))
    expect(statuses.sort()).toEqual([200, 404, 404])
    const row = await shop.db
      .selectFrom('connections')
      .select('file_address_hash')
      .where('id', '=', owner.connection._id)
      .executeTakeFirstOrThrow()
    expect(row.file_address_hash).toHaveLength(32)
  })

  test('ends when it is withdrawn, twice too, and leaves the share link as it is', async () => {
    const owner = await anOwner()
    const url = await make(owner)
    const { body } = await shop.call('POST', `${owner.path}/link`, { token: owner.token })
    const withdraw = () => shop.call('DELETE', `${owner.path}/file-address`, { token: owner.token })
    expect([(await withdraw()).status, (await withdraw()).status]).toEqual([200, 200])
    await expectNothing(url)
    expect(await shown(owner)).toBeUndefined()
    const token = body.url.split('#')[1]
    expect((await shop.call('POST', '/api/v1/shared', { body: { token } })).status).toBe(200)
    const again = await make(owner)
    await shop.call('DELETE', `${owner.path}/link`, { token: owner.token })
    expect((await fetchFile(again)).status).toBe(200)
  })

  test('ends with the keys', async () => {
    const owner = await anOwner()
    const url = await make(owner)
    expect((await shop.call('POST', `${owner.path}/keys`, { token: owner.token })).status).toBe(200)
    await expectNothing(url)
    expect(await shown(owner)).toBeUndefined()
  })

  test('gives nothing while the connection is over, and the file again once it is extended', async () => {
    const owner = await anOwner()
    const url = await make(owner)
    const setEnd = (days: number) =>
      shop.db
        .updateTable('connections')
        .set({ expires_at: new Date(Date.now() + days * 86_400_000) })
        .where('id', '=', owner.connection._id)
        .execute()
    await setEnd(-1)
    await expectNothing(url)
    expectProblem(await shop.call('POST', `${owner.path}/file-address`, { token: owner.token }), 409)
    await setEnd(1)
    expect((await fetchFile(url)).status).toBe(200)
  })

  test('is the owner’s to make and to withdraw', async () => {
    const [owner, other] = [await anOwner(), await anOwner()]
    const url = await make(owner)
    for (const method of ['POST', 'DELETE'] as const) {
      expectProblem(await shop.call(method, `${owner.path}/file-address`, { token: other.token }), 404)
      expectProblem(await shop.call(method, `${owner.path}/file-address`), 401)
    }
    expect((await fetchFile(url)).status).toBe(200)
  })

  test('takes anything else for no address', async () => {
    for (const file of ['x', '.conf', '%00', 'a'.repeat(2000)])
      expect((await fetchFile(`${shop.url}/c/${file}`)).status, file).toBe(404)
  })

  test('is told of by mail, with a link that was made meanwhile', async () => {
    const owner = await anOwner()
    await make(owner)
    const { text } = await mailbox(shop).latest(owner.email, 'A link to your connection was created')
    expect(text).toContain(`${owner.connection.name}: address of its file, created`)
    expect(text).toContain('ends when you withdraw it')
  })
})
