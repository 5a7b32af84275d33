import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { type Authenticator, anAuthenticator, answers, makes } from '#testing/authenticator.ts'
import { consoleOfFile, type TestOperator } from '#testing/console.ts'
import {
  atConsole,
  deedsOf,
  joinByPasskey,
  joinByPassword,
  letCodesPass,
  letOperatorProofAge,
  logIn,
  logInAgain,
  OPERATOR_PASSWORD,
} from '#testing/operators.ts'
import { codeOf } from '#testing/second-step.ts'

const place = await consoleOfFile()
const { shop, ask } = place

const own = (who: { session: string }, method: string, path = '', body?: object) =>
  ask(who, method, `/api/v1/account${path}`, body ? { body } : {})

const addPasskey = async (who: TestOperator, authenticator: Authenticator = anAuthenticator()) => {
  const { body } = await own(who, 'POST', '/passkeys/options')
  const made = makes(shop, authenticator, body, atConsole(shop))
  return own(who, 'POST', '/passkeys', { ...made, name: 'Key ring' })
}

const newPassword = async (who: TestOperator, password: string) => {
  const { body } = await own(who, 'POST', '/app')
  const reply = await own(who, 'PUT', '/password', {
    password,
    ticket: body.ticket,
    code: codeOf(body.secret),
  })
  return { reply, secret: body.secret as string }
}

const isIn = async (session: string) => (await ask({ session }, 'GET', '/api/v1/session')).status === 200

describe('an operator', () => {
  test('adds a passkey, gets in by it, and gives up the password for it', async () => {
    const operator = await joinByPassword(place, 'support')
    const authenticator = anAuthenticator()
    expect((await addPasskey(operator, authenticator)).status).toBe(201)
    expect((await own(operator, 'GET')).body).toMatchObject({
      hasPassword: true,
      passkeys: [{ name: 'Key ring', lastUsedAt: null }],
    })
    expect((await own(operator, 'DELETE', '/password')).status).toBe(200)
    expectProblem(await logIn(place, operator.name), 401)
    const { body: asked } = await ask(undefined, 'POST', '/api/v1/log-in/passkey/options')
    const answer = answers(shop, authenticator, asked, atConsole(shop))
    expect((await ask(undefined, 'POST', '/api/v1/log-in/passkey', { body: answer })).status).toBe(200)
    const commands = (await deedsOf(shop, operator)).map(({ command }) => command)
    expect(commands).toEqual([
      'operator log-in',
      'operator passkey add',
      'operator password drop',
      'operator log-in',
    ])
  })

  test('keeps the last way in, whichever it is, also of two taken away at once', async () => {
    const byPassword = await joinByPassword(place, 'viewer')
    expectProblem(await own(byPassword, 'DELETE', '/password'), 409)
    const byPasskey = await joinByPasskey(place, 'viewer')
    await addPasskey(byPasskey)
    const { passkeys } = (await own(byPasskey, 'GET')).body
    const replies = await Promise.all(
      passkeys.map(({ id }: { id: string }) => own(byPasskey, 'DELETE', `/passkeys/${id}`)),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await own(byPasskey, 'GET')).body.passkeys).toHaveLength(1)
  })

  test('takes away no passkey of another, and adds none that another has', async () => {
    const [one, other] = [await joinByPasskey(place, 'viewer'), await joinByPasskey(place, 'viewer')]
    const { passkeys } = (await own(one, 'GET')).body
    expectProblem(await own(other, 'DELETE', `/passkeys/${passkeys[0].id}`), 404)
    expectProblem(await own(other, 'DELETE', `/passkeys/${randomUUID()}`), 404)
    expectProblem(await addPasskey(other, one.authenticator), 409)
    expect((await own(one, 'GET')).body.passkeys).toHaveLength(1)
  })

  test('chooses another password with another app, and every other session ends', async () => {
    const operator = await joinByPassword(place, 'finance')
    const elsewhere = await logInAgain(place, operator)
    const { reply, secret } = await newPassword(operator, 'another dunnock in another hedge 8')
    expect(reply.status).toBe(200)
    expect(await isIn(elsewhere)).toBe(false)
    expect(await isIn(operator.session)).toBe(true)
    expectProblem(await logIn(place, operator.name, OPERATOR_PASSWORD), 401)
    await letCodesPass(shop, operator)
    const { ticket } = (await logIn(place, operator.name, 'another dunnock in another hedge 8')).body
    const send = (code: string) => ask(undefined, 'POST', '/api/v1/log-in/code', { body: { ticket, code } })
    expectProblem(await send(codeOf(operator.secret)), 401)
    expect((await send(codeOf(secret))).status).toBe(200)
  })

  test('chooses no password that is short, guessed or their own name', async () => {
    const operator = await joinByPassword(place, 'viewer')
    for (const password of ['elevenchars', 'password123456', `${operator.name}!`, 'a'.repeat(40)])
      expect((await newPassword(operator, password)).reply.status, password).toBe(422)
    expect((await logIn(place, operator.name)).status).toBe(200)
  })

  test('is asked again before any of that', async () => {
    const operator = await joinByPassword(place, 'viewer')
    await letOperatorProofAge(shop, operator)
    for (const [method, path] of [
      ['POST', '/passkeys/options'],
      ['POST', '/passkeys'],
      ['DELETE', `/passkeys/${randomUUID()}`],
      ['POST', '/app'],
      ['PUT', '/password'],
      ['DELETE', '/password'],
      ['POST', '/tokens'],
    ] as const)
      expect((await own(operator, method, path, {})).body.code).toBe('ask-again')
  })
})
