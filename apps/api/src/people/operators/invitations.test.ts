import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { firstOwnerLink } from '#people/operators/operators.service.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import { anAuthenticator, makes } from '#testing/authenticator.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import {
  accept,
  anInvitation,
  atConsole,
  joinByPassword,
  OPERATOR_PASSWORD,
  openLink,
  sessionOf,
} from '#testing/operators.ts'
import { codeOf, wrongCodeOf } from '#testing/second-step.ts'

const place = await consoleOfFile()
const { shop, ask } = place

const appFor = async (token: string, given: object = {}) => {
  const { app } = (await openLink(place, token)).body
  return { app: { password: OPERATOR_PASSWORD, ticket: app.ticket, code: codeOf(app.secret), ...given } }
}

const waysIn = async (id: string) => {
  const { password_hash, totp_encrypted } = await shop.db
    .selectFrom('operators')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const passkeys = await shop.db
    .selectFrom('operator_passkeys')
    .select('id')
    .where('operator_id', '=', id)
    .execute()
  return { hasPassword: password_hash !== null && totp_encrypted !== null, passkeys: passkeys.length }
}

describe('an invitation', () => {
  test('says who is invited, and lets them in with a password and an app', async () => {
    const { id, name, token } = await anInvitation(place, { role: 'support' })
    expect((await openLink(place, token)).body).toMatchObject({ name, role: 'support' })
    const reply = await accept(place, token, await appFor(token))
    expect(reply.status).toBe(200)
    const { body } = await ask({ session: sessionOf(reply) }, 'GET', '/api/v1/session')
    expect(body.operator).toMatchObject({ id, name, role: 'support' })
    expect(await waysIn(id)).toEqual({ hasPassword: true, passkeys: 0 })
  })

  test('is used once, whatever comes after', async () => {
    const { id, token } = await anInvitation(place)
    const given = await appFor(token)
    const more = await appFor(token)
    expect((await accept(place, token, given)).status).toBe(200)
    expectProblem(await openLink(place, token), 400)
    expectProblem(await accept(place, token, more), 400)
    expect(await waysIn(id)).toEqual({ hasPassword: true, passkeys: 0 })
  })

  test('that two use at once makes a way in for one of them', async () => {
    const { id, token } = await anInvitation(place)
    const passkeys = await Promise.all(
      [1, 2, 3].map(async () => {
        const { passkey } = (await openLink(place, token)).body
        return { ...makes(shop, anAuthenticator(), passkey, atConsole(shop)), name: '' }
      }),
    )
    const replies = await Promise.all(passkeys.map((passkey) => accept(place, token, { passkey })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect(await waysIn(id)).toEqual({ hasPassword: false, passkeys: 1 })
  })

  test('has an end', async () => {
    const { id, token } = await anInvitation(place)
    const given = await appFor(token)
    await shop.db
      .updateTable('operator_invitations')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('operator_id', '=', id)
      .execute()
    expectProblem(await openLink(place, token), 400)
    expectProblem(await accept(place, token, given), 400)
    expect(await waysIn(id)).toEqual({ hasPassword: false, passkeys: 0 })
  })

  test('opens nothing where an earlier version made it, which noted not by whom', async () => {
    const { id, token } = await anInvitation(place)
    await shop.db.deleteFrom('operator_invitations').where('operator_id', '=', id).execute()
    await sql`insert into operator_invitations (token_hash, operator_id, expires_at)
      values (${hashToken(token)}, ${id}, now() + interval '1 day')`.execute(shop.db)
    expectProblem(await openLink(place, token), 400)
  })

  test('opens nothing once it was replaced by another, or its operator was ended', async () => {
    const owner = await joinByPassword(place)
    const invited = await anInvitation(place, { role: 'viewer' })
    const relinked = await ask(owner, 'POST', `/api/v1/operators/${invited.id}/link`)
    expect(relinked.status).toBe(201)
    expectProblem(await openLink(place, invited.token), 400)
    const second = relinked.body.link.split('#').at(-1)
    expect((await openLink(place, second)).status).toBe(200)
    expect((await ask(owner, 'DELETE', `/api/v1/operators/${invited.id}`)).status).toBe(200)
    expectProblem(await openLink(place, second), 400)
  })

  test('lets no one in without a way in, with a wrong code or with a password that is easily guessed', async () => {
    const { id, name, token } = await anInvitation(place)
    expectProblem(await accept(place, token, {}), 422)
    const { secret } = (await openLink(place, token)).body.app
    expectProblem(await accept(place, token, await appFor(token, { code: wrongCodeOf(secret) })), 422)
    for (const password of ['password1234', `${name} ${name}`.slice(0, 60), 'short'])
      expectProblem(await accept(place, token, await appFor(token, { password })), 422)
    expect(await waysIn(id)).toEqual({ hasPassword: false, passkeys: 0 })
  })

  test('takes no ticket of another operator', async () => {
    const other = await anInvitation(place)
    const { id, token } = await anInvitation(place)
    expectProblem(await accept(place, token, await appFor(other.token)), 409)
    const { passkey } = (await openLink(place, other.token)).body
    const made = { ...makes(shop, anAuthenticator(), passkey, atConsole(shop)), name: '' }
    expectProblem(await accept(place, token, { passkey: made }), 409)
    expect(await waysIn(id)).toEqual({ hasPassword: false, passkeys: 0 })
  })

  test('takes no passkey that was made at another address, or without its owner being verified', async () => {
    const { id, token } = await anInvitation(place)
    for (const given of [{ origin: shop.settings.publicUrl }, atConsole(shop, { isVerified: false })]) {
      const { passkey } = (await openLink(place, token)).body
      const made = { ...makes(shop, anAuthenticator(), passkey, given), name: '' }
      expectProblem(await accept(place, token, { passkey: made }), 422)
    }
    expect(await waysIn(id)).toEqual({ hasPassword: false, passkeys: 0 })
  })

  test('is in the link’s fragment, which browsers send nowhere, and made by owners alone', async () => {
    const owner = await anOperator(shop.db)
    const { body, status } = await ask(owner, 'POST', '/api/v1/operators', {
      body: { name: 'Grace Hopper', role: 'finance' },
    })
    expect(status).toBe(201)
    const link = new URL(body.link)
    expect(link.origin).toBe(shop.settings.consoleUrl)
    expect(link.search).toBe('')
    expect(link.hash).toMatch(/^#[\w-]{40,}$/)
    const again = await ask(owner, 'POST', '/api/v1/operators', {
      body: { name: 'grace hopper', role: 'viewer' },
    })
    expectProblem(again, 409)
    for (const name of ['ada@example.org', '', 'a\u0000b', 'x'.repeat(61)])
      expectProblem(await ask(owner, 'POST', '/api/v1/operators', { body: { name, role: 'viewer' } }), 422)
    expectProblem(
      await ask(owner, 'POST', '/api/v1/operators', { body: { name: 'Root', role: 'root' } }),
      422,
    )
  })
})

describe('the link that the start prints', () => {
  const printed = async () => {
    const link = (await firstOwnerLink(shop)) ?? ''
    const { body } = await openLink(place, link.slice(link.indexOf('#') + 1))
    return `${body.name}, ${body.role}`
  }

  test('is an owner’s as long as no owner can get in, also where the first one has left or is one no more', async () => {
    await anOperator(shop.db)
    await shop.db.deleteFrom('operator_passkeys').execute()
    await shop.db.updateTable('operators').set({ password_hash: null, totp_encrypted: null }).execute()
    const first = shop.db.updateTable('operators').where('name', '=', 'First owner')
    expect(await printed()).toBe('First owner, owner')
    expect(await printed()).toBe('First owner, owner')
    await first.set({ role: 'viewer' }).execute()
    expect(await printed()).toBe('First owner 2, owner')
    await first.set({ ended_at: new Date() }).execute()
    expect(await printed()).toBe('First owner 2, owner')
    await joinByPassword(place, 'owner')
    expect(await firstOwnerLink(shop)).toBeUndefined()
  })
})
