import { randomUUID } from 'node:crypto'
import { expectAlike, expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { lockOperators } from '#people/operators/operators.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import { answers, copyOf } from '#testing/authenticator.ts'
import { consoleOfFile } from '#testing/console.ts'
import { aCustomer, PASSWORD } from '#testing/customers.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import {
  anInvitation,
  atConsole,
  deedsOf,
  joinByPasskey,
  joinByPassword,
  letCodesPass,
  logIn,
  OPERATOR_PASSWORD,
  openLink,
  sendCode,
  sessionOf,
} from '#testing/operators.ts'
import { codeOf, wrongCodeOf } from '#testing/second-step.ts'

const place = await consoleOfFile()
const { shop, ask } = place

const whoIs = async (session: string) =>
  (await ask({ session }, 'GET', '/api/v1/session')).body.operator?.name

const end = ({ id }: { id: string }) =>
  shop.db.updateTable('operators').set({ ended_at: new Date() }).where('id', '=', id).execute()

/** The reply to what comes while another changes how operators get in, and waits for that. */
const whileLocked = async <T>(send: () => Promise<T>, change: (trx: Trx) => Promise<unknown>): Promise<T> => {
  const { reply } = await shop.db.transaction().execute(async (trx) => {
    await lockOperators(trx)
    const reply = send()
    await until(() => areWaiting(shop))
    await change(trx)
    return { reply }
  })
  return reply
}

const A_PASSKEY = {
  public_key: Buffer.of(1),
  counter: 0,
  transports: [],
  is_synced: false,
  name: 'A key',
  last_used_at: null,
}

describe('a log-in with a password', () => {
  test('takes the code of the app as well, and is recorded', async () => {
    const operator = await joinByPassword(place, 'finance')
    const first = await logIn(place, operator.name.toUpperCase())
    expect(first.body).toEqual({ ticket: expect.any(String) })
    expect(first.headers.getSetCookie()).toEqual([])
    const second = await sendCode(place, first.body.ticket, codeOf(operator.secret))
    expect(second.body.operator).toMatchObject({ id: operator.id, role: 'finance' })
    expect(await whoIs(sessionOf(second))).toBe(operator.name)
    const deeds = (await deedsOf(shop, operator)).map(({ command, outcome }) => `${command}: ${outcome}`)
    expect(deeds).toEqual(['operator log-in: done', 'operator log-in: done'])
  })

  test('takes each code once, and none before the last', async () => {
    const { name, id, secret } = await joinByPassword(place)
    const code = codeOf(secret)
    const [one, other, third] = await Promise.all([1, 2, 3].map(() => logIn(place, name)))
    const replies = await Promise.all([
      sendCode(place, one?.body.ticket, code),
      sendCode(place, other?.body.ticket, code),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expectProblem(await sendCode(place, third?.body.ticket, codeOf(secret, -1)), 401)
    await letCodesPass(shop, { id })
    expect((await sendCode(place, third?.body.ticket, codeOf(secret))).status).toBe(200)
  })

  test('takes each ticket once, and not after five wrong codes', async () => {
    const { name, id, secret } = await joinByPassword(place)
    const { ticket } = (await logIn(place, name)).body
    expect((await sendCode(place, ticket, codeOf(secret))).status).toBe(200)
    await letCodesPass(shop, { id })
    expectProblem(await sendCode(place, ticket, codeOf(secret)), 401)
    const other = (await logIn(place, name)).body.ticket
    for (let n = 0; n < 5; n++) expectProblem(await sendCode(place, other, wrongCodeOf(secret)), 401)
    expectProblem(await sendCode(place, other, codeOf(secret)), 401)
  })

  test('is refused alike for a wrong password and for a name that is unknown, has no password, or has gone', async () => {
    const { name } = await joinByPassword(place)
    const invited = await anInvitation(place)
    const byPasskey = await joinByPasskey(place)
    const gone = await joinByPassword(place)
    await end(gone)
    const wrong = expectProblem(await logIn(place, name, 'not the password'), 401)
    for (const other of ['Nobody at all', invited.name, byPasskey.name, gone.name])
      expectAlike(await logIn(place, other), wrong)
  })

  test('does not complete for an operator who was ended between password and code', async () => {
    const operator = await joinByPassword(place)
    const { ticket } = (await logIn(place, operator.name)).body
    await end(operator)
    expectProblem(await sendCode(place, ticket, codeOf(operator.secret)), 401)
  })

  test('does not complete by a password that is changed or dropped meanwhile', async () => {
    for (const password_hash of ['another', null]) {
      const { id, name, secret } = await joinByPassword(place)
      await shop.db
        .insertInto('operator_passkeys')
        .values({ ...A_PASSKEY, id: randomUUID(), operator_id: id, credential_id: Buffer.from(id) })
        .execute()
      await letCodesPass(shop, { id })
      const { ticket } = (await logIn(place, name)).body
      const reply = await whileLocked(
        () => sendCode(place, ticket, codeOf(secret)),
        (trx) => trx.updateTable('operators').set({ password_hash }).where('id', '=', id).execute(),
      )
      expectProblem(reply, 401)
    }
  })

  test('takes no ticket that was given for something else', async () => {
    const operator = await joinByPassword(place)
    const { token } = await anInvitation(place)
    const tickets = [
      (await openLink(place, token)).body.app.ticket,
      (await ask(operator, 'POST', '/api/v1/account/app')).body.ticket,
      'x'.repeat(43),
    ]
    for (const ticket of tickets) expectProblem(await sendCode(place, ticket, codeOf(operator.secret)), 401)
  })

  test('is not for customers', async () => {
    const { email } = await aCustomer(shop)
    expectProblem(await logIn(place, email, PASSWORD), 401)
  })

  test('is refused as a request that cannot be read, before any operator is looked for', async () => {
    for (const body of [{}, { name: 1, password: 2 }, { name: 'Ada', password: 'x'.repeat(1_001) }])
      expectProblem(await ask(undefined, 'POST', '/api/v1/log-in', { body }), 422)
    const large = { name: 'Ada', password: 'x', more: 'x'.repeat(70_000) }
    expectProblem(await ask(undefined, 'POST', '/api/v1/log-in', { body: large }), 413)
    const form = new URLSearchParams({ name: 'Ada', password: OPERATOR_PASSWORD })
    expectProblem(await ask(undefined, 'POST', '/api/v1/log-in', { body: form }), 415)
  })
})

describe('a log-in with a passkey', () => {
  const question = async () => (await ask(undefined, 'POST', '/api/v1/log-in/passkey/options')).body

  const send = (body: object) => ask(undefined, 'POST', '/api/v1/log-in/passkey', { body })

  test('takes nothing else, and names no one before it was answered', async () => {
    const { authenticator, name } = await joinByPasskey(place, 'servers')
    const asked = await question()
    expect(asked.options.allowCredentials ?? []).toEqual([])
    expect(asked.options.userVerification).toBe('required')
    const reply = await send(answers(shop, authenticator, asked, atConsole(shop)))
    expect(reply.body.operator).toMatchObject({ name, role: 'servers' })
    expect(await whoIs(sessionOf(reply))).toBe(name)
  })

  test('does not complete by a passkey that is removed meanwhile', async () => {
    const { id, authenticator } = await joinByPasskey(place)
    await shop.db.updateTable('operators').set({ password_hash: 'x' }).where('id', '=', id).execute()
    const answer = answers(shop, authenticator, await question(), atConsole(shop))
    const reply = await whileLocked(
      () => send(answer),
      (trx) => trx.deleteFrom('operator_passkeys').where('operator_id', '=', id).execute(),
    )
    expectProblem(reply, 401)
  })

  test('takes each answer once', async () => {
    const { authenticator } = await joinByPasskey(place)
    const answer = answers(shop, authenticator, await question(), atConsole(shop))
    const replies = await Promise.all([send(answer), send(answer)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expectProblem(await send(answer), 401)
  })

  test.each([
    ['made for the shop’s address', () => ({ origin: shop.settings.publicUrl })],
    ['without its owner being verified', () => atConsole(shop, { isVerified: false })],
    ['to another question', () => atConsole(shop, { challenge: 'AAAA' })],
    ['for another host', () => atConsole(shop, { rpId: 'example.org' })],
  ])('refuses an answer %s', async (_, given) => {
    const { authenticator } = await joinByPasskey(place)
    expectProblem(await send(answers(shop, authenticator, await question(), given())), 401)
  })

  test('refuses a copy that is behind, and a passkey whose operator was ended', async () => {
    const { authenticator, id } = await joinByPasskey(place)
    const copy = copyOf(authenticator)
    expect((await send(answers(shop, authenticator, await question(), atConsole(shop)))).status).toBe(200)
    expectProblem(await send(answers(shop, copy, await question(), atConsole(shop))), 401)
    await end({ id })
    expectProblem(await send(answers(shop, authenticator, await question(), atConsole(shop))), 401)
  })

  test('refuses what is no answer, and one to a question of another proof', async () => {
    const { authenticator, session } = await joinByPasskey(place)
    const { passkey } = (await ask({ session }, 'POST', '/api/v1/session/proof/options')).body
    expectProblem(await send(answers(shop, authenticator, passkey, atConsole(shop))), 401)
    const body = { ticket: 'x'.repeat(43), credential: { id: 'x', rawId: 'x', type: 'public-key' } }
    expectProblem(await send(body), 422)
  })
})
