import { randomUUID } from 'node:crypto'
import type { Json } from '@hedgerow/testing/call'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { revokeConnection } from '#network/connections/end-connection.ts'
import { aSession, PASSWORD, type TestCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { aLocation } from '#testing/locations.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { aPurchase } from '#testing/payments.ts'
import { refundAtGateway } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const NEW_PASSWORD = 'another robin in the hedge'

/** A customer with three connections. */
const anOwner = async () => {
  const { customer, paymentId } = await aPurchase(shop)
  const { body } = await shop.call('GET', '/api/v1/user/profile', { token: customer.token })
  const ids: string[] = body.connections.map(({ _id }: Json) => _id)
  return { ...customer, customerId: customer.id, paymentId, ids, id: ids[0] ?? '' }
}

const askForLink = (id: string, token: string) =>
  shop.call('POST', `/api/v1/connections/${id}/link`, { token })
const linkTo = async (id: string, token: string): Promise<string> =>
  (await askForLink(id, token)).body.url.split('#')[1]
const open = (link: string) => shop.call('POST', '/api/v1/shared', { body: { token: link } })
const statusesOf = async (links: readonly string[]) =>
  (await Promise.all(links.map(open))).map(({ status }) => status)

const changePassword = (token: string) =>
  shop.call('POST', '/api/v1/user/password', {
    token,
    body: { password: PASSWORD, newPassword: NEW_PASSWORD },
  })

const resetPassword = async ({ email }: Pick<TestCustomer, 'email'>) => {
  await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
  const token = tokenIn(await mailbox(shop).latest(email, 'Choose a new password'), '/reset/')
  return shop.call('POST', '/api/v1/user/password/reset', { body: { token, password: NEW_PASSWORD } })
}

describe('a link to a connection ends', () => {
  const rotations: [string, (owner: Awaited<ReturnType<typeof anOwner>>) => Promise<{ status: number }>][] = [
    ['with new keys', ({ id, token }) => shop.call('POST', `/api/v1/connections/${id}/keys`, { token })],
    [
      'with new keys that cut the old ones off',
      ({ id, token }) =>
        shop.call('POST', `/api/v1/connections/${id}/keys`, { token, body: { cutOffOld: true } }),
    ],
    [
      'with a move to another location',
      async ({ id, token }) =>
        shop.call('POST', `/api/v1/connections/${id}/location`, {
          token,
          body: { location: await aLocation(shop) },
        }),
    ],
  ]
  test.each(rotations)('%s, and those to other connections do not', async (_, rotate) => {
    const [owner, eve] = [await anOwner(), await anOwner()]
    const others = [await linkTo(owner.ids[1] ?? '', owner.token), await linkTo(eve.id, eve.token)]
    const link = await linkTo(owner.id, owner.token)
    expect((await rotate(owner)).status).toBe(200)
    expect(await statusesOf([link, ...others])).toEqual([404, 200, 200])
    const { body } = await shop.call('GET', '/api/v1/user/profile', { token: owner.token })
    expect(body.connections.find(({ _id }: Json) => _id === owner.id)).toMatchObject({
      sharedAt: null,
      sharedUntil: null,
    })
  })

  test.each([
    ['changed', ({ token }: TestCustomer) => changePassword(token)],
    ['reset', resetPassword],
  ])('when the password is %s, on every connection of the account and of no other', async (_, renew) => {
    const [owner, eve] = [await anOwner(), await anOwner()]
    const links = await Promise.all(owner.ids.map((id) => linkTo(id, owner.token)))
    const other = await linkTo(eve.id, eve.token)
    expect(await statusesOf([...links, other])).toEqual([200, 200, 200, 200])
    expect((await renew(owner)).status).toBe(200)
    expect(await statusesOf([...links, other])).toEqual([404, 404, 404, 200])
    const mail = await mailbox(shop).latest(owner.email, 'was changed')
    expect(mail.text).toContain('links to your connections have ended')
    expect(mail.text).toMatch(/new keys for each connection and cut off the old ones/)
    expect(mail.text).toContain(`${shop.url}/profile`)
  })

  test('not when a wrong password changes nothing', async () => {
    const owner = await anOwner()
    const link = await linkTo(owner.id, owner.token)
    const body = { password: 'not the password', newPassword: NEW_PASSWORD }
    expectProblem(await shop.call('POST', '/api/v1/user/password', { token: owner.token, body }), 422)
    const used = { token: randomUUID(), password: NEW_PASSWORD }
    expectProblem(await shop.call('POST', '/api/v1/user/password/reset', { body: used }), 400)
    expect(await statusesOf([link])).toEqual([200])
  })

  test('when it is refunded, or cut off by its operator', async () => {
    const [refunded, revoked] = [await anOwner(), await anOwner()]
    const links = [await linkTo(refunded.id, refunded.token), await linkTo(revoked.id, revoked.token)]
    await refundAtGateway(shop, refunded.paymentId)
    await revokeConnection(shop, revoked.id)
    await until(async () => (await statusesOf(links)).every((status) => status === 404))
  })
})

describe('a session that a new password ends leaves no link behind', () => {
  test('that it was making in the same moment', async () => {
    const owner = await anOwner()
    const thief = await aSession(shop, owner.customerId)
    let made: ReturnType<typeof askForLink> | undefined
    let changed: ReturnType<typeof changePassword> | undefined
    // A new link to it waits, and the password is changed meanwhile.
    await shop.db.transaction().execute(async (trx) => {
      await sql`select from connections where id = ${owner.id} for update`.execute(trx)
      made = askForLink(owner.id, thief)
      await until(() => areWaiting(shop, 1))
      changed = changePassword(owner.token)
      const isChanged = changed.then(() => true)
      await until(async () => (await areWaiting(shop, 2)) || (await Promise.race([isChanged, false])))
    })
    expect((await changed)?.status).toBe(200)
    const link = await made
    expect(await statusesOf(link?.status === 200 ? [link.body.url.split('#')[1]] : [])).not.toContain(200)
  })

  test('after it has ended, where a process has not heard of that', async () => {
    const owner = await anOwner()
    await sql`delete from sessions where customer_id = ${owner.customerId}`.execute(shop.db)
    expectProblem(await askForLink(owner.id, owner.token), 401)
  })
})

describe('the mail about a link', () => {
  const SUBJECT = 'your connection'
  const mailsTo = ({ email }: Pick<TestCustomer, 'email'>) => mailbox(shop).list(email, SUBJECT)

  test('goes to the account with its name, its end and how to withdraw it, and without the link', async () => {
    const owner = await anOwner()
    const link = await linkTo(owner.id, owner.token)
    const mail = await mailbox(shop).latest(owner.email, SUBJECT)
    expect(mail.subject).toBe('A link to your connection was created')
    expect(mail.text).toMatch(
      /created \d\d\/\d\d\/\d{4} \d\d:\d\d \(UK time\), ends \d\d\/\d\d\/\d{4} \d\d:\d\d \(UK time\)/,
    )
    expect(mail.text).toContain(`${shop.url}/profile`)
    expect(mail.text).toContain('Withdraw the link')
    expect(mail.text).toMatch(/If this was not you/)
    expect(mail.text + mail.html).not.toContain(link)
  })

  test('comes once in ten minutes at most, and then tells of every link that is there and was not mailed', async () => {
    const owner = await anOwner()
    await linkTo(owner.id, owner.token)
    await mailbox(shop).latest(owner.email, SUBJECT)
    const [, second = '', third = ''] = owner.ids
    for (const id of [owner.id, second, third]) await linkTo(id, owner.token)
    await shop.call('DELETE', `/api/v1/connections/${third}/link`, { token: owner.token })
    const waits = async () => {
      const { rows } = await sql<{ seconds: number }>`
        select extract(epoch from run_at - now())::float as seconds from graphile_worker.jobs
        where task_identifier = 'mail-share-links' and key = ${`share-links:${owner.customerId}`}
          and locked_at is null`.execute(shop.db)
      return rows[0]?.seconds
    }
    await until(async () => ((await waits()) ?? 0) > 500)
    expect(await waits()).toBeLessThanOrEqual(600)
    expect(await mailsTo(owner)).toHaveLength(1)

    await sql`update connections set link_mailed_at = link_mailed_at - interval '11 minutes',
      linked_at = linked_at - interval '5 minutes' where id = any(${owner.ids}::uuid[])`.execute(shop.db)
    await hurry(shop, 'mail-share-links')
    await until(async () => (await mailsTo(owner)).length === 2)
    const mail = await mailbox(shop).latest(owner.email, SUBJECT)
    expect(mail.subject).toBe('Links to your connections were created')
    expect(mail.text.match(/: created /g)).toHaveLength(2)
    await hurry(shop, 'mail-share-links')
    expect(await mailsTo(owner)).toHaveLength(2)
  })
})
