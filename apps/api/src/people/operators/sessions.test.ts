import { CSRF_COOKIE, CSRF_HEADER } from '@hedgerow/contract/csrf'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { OPERATOR_COOKIE } from '#people/operators/guard-operators.ts'
import { answers } from '#testing/authenticator.ts'
import { anOperator, consoleOfFile, headersOf } from '#testing/console.ts'
import { aCustomer } from '#testing/customers.ts'
import {
  anInvitation,
  atConsole,
  joinByPasskey,
  joinByPassword,
  letCodesPass,
  letOperatorProofAge,
  logInAgain,
  minutesAgo,
  moveSessions,
  OPERATOR_PASSWORD,
  sessionOf,
} from '#testing/operators.ts'
import { codeOf, wrongCodeOf } from '#testing/second-step.ts'

const place = await consoleOfFile()
const { shop, ask } = place

const isIn = async (who: { session: string }) => (await ask(who, 'GET', '/api/v1/session')).status === 200

describe('an operator’s session', () => {
  test('stands in a cookie that no script reads and no other site’s page sends, until the browser is closed', async () => {
    const operator = await joinByPassword(place)
    await letCodesPass(shop, operator)
    const { body } = await ask(undefined, 'POST', '/api/v1/log-in', {
      body: { name: operator.name, password: OPERATOR_PASSWORD },
    })
    const reply = await ask(undefined, 'POST', '/api/v1/log-in/code', {
      body: { ticket: body.ticket, code: codeOf(operator.secret) },
    })
    const [cookie = '', ...more] = reply.headers.getSetCookie()
    expect(more.map((one) => one.split('=')[0])).toEqual(['operator-known-browser'])
    expect(cookie.split('; ').slice(1).toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict'])
    expect(reply.text).not.toContain(sessionOf(reply))
  })

  test('is not kept as it is: reading the database lets no one in', async () => {
    const { session, id } = await anOperator(shop.db)
    const row = await shop.db
      .selectFrom('operator_sessions')
      .selectAll()
      .where('operator_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(session)
    expect(await isIn({ session: row.token_hash.toString('base64url') })).toBe(false)
  })

  test('ends 30 minutes after its last use', async () => {
    const operator = await anOperator(shop.db)
    await moveSessions(shop, operator, { last_used_at: minutesAgo(29) })
    expect(await isIn(operator)).toBe(true)
    // That was a use.
    await moveSessions(shop, operator, { created_at: minutesAgo(40) })
    expect(await isIn(operator)).toBe(true)
    await moveSessions(shop, operator, { last_used_at: minutesAgo(31) })
    expect(await isIn(operator)).toBe(false)
    expect(await isIn(operator)).toBe(false)
  })

  test('ends after 12 hours, however much it is used', async () => {
    const operator = await anOperator(shop.db)
    await moveSessions(shop, operator, { created_at: minutesAgo(719) })
    expect(await isIn(operator)).toBe(true)
    await moveSessions(shop, operator, { created_at: minutesAgo(721) })
    expect(await isIn(operator)).toBe(false)
  })

  test('ends at a log-out: a copied cookie opens nothing', async () => {
    const operator = await anOperator(shop.db)
    const reply = await ask(operator, 'POST', '/api/v1/session/end')
    expect(reply.status).toBe(200)
    expect(reply.headers.getSetCookie().join()).toMatch(/^operator-session=;.*Expires=Thu, 01 Jan 1970/)
    expect(await isIn(operator)).toBe(false)
  })

  test('is listed with the others, and any of them can be ended by their operator alone', async () => {
    const operator = await joinByPassword(place, 'viewer')
    const second = await logInAgain(place, operator)
    const { sessions } = (await ask(operator, 'GET', '/api/v1/account')).body
    expect(sessions).toHaveLength(2)
    const other = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    const path = `/api/v1/account/sessions/${other.id}`
    expectProblem(await ask(await anOperator(shop.db), 'DELETE', path), 404)
    expect((await ask(operator, 'DELETE', path)).status).toBe(200)
    expect(await isIn({ session: second })).toBe(false)
    expect(await isIn(operator)).toBe(true)
  })

  test('is of another log-in than a customer’s, at either listener', async () => {
    const customer = await aCustomer(shop)
    const operator = await anOperator(shop.db)
    for (const path of ['/api/v1/session', '/api/v1/customers', '/api/v1/today']) {
      expectProblem(await ask(undefined, 'GET', path, { token: customer.token }), 401)
      expectProblem(await ask({ session: customer.token }, 'GET', path), 401)
    }
    for (const headers of [headersOf(operator), { authorization: `Bearer ${operator.session}` }])
      expectProblem(await shop.call('GET', '/api/v1/user/profile', { headers }), 401)
    // Nor is it a token.
    expectProblem(await ask(undefined, 'GET', '/api/v1/session', { token: operator.session }), 401)
    expectProblem(await shop.call('GET', '/api/v1/payments', { headers: headersOf(operator) }), 404)
  })
})

describe('a call from elsewhere', () => {
  const change = (operator: { session: string }, headers: Record<string, string>) =>
    ask(undefined, 'POST', '/api/v1/session/end', {
      headers: { cookie: `${OPERATOR_COOKIE}=${operator.session}`, ...headers },
    })

  test('changes nothing without what only the console’s page can know', async () => {
    const operator = await anOperator(shop.db)
    const cookie = `${OPERATOR_COOKIE}=${operator.session}; ${CSRF_COOKIE}=${'c'.repeat(32)}`
    expectProblem(await change(operator, {}), 403)
    expectProblem(await change(operator, { [CSRF_HEADER]: 'c'.repeat(32) }), 403)
    expectProblem(await change(operator, { cookie }), 403)
    expectProblem(await change(operator, { cookie, [CSRF_HEADER]: 'd'.repeat(32) }), 403)
    expect(await isIn(operator)).toBe(true)
    expect((await change(operator, { cookie, [CSRF_HEADER]: 'c'.repeat(32) })).status).toBe(200)
  })

  test.each([
    ['POST', '/api/v1/session/end'],
    ['GET', '/api/v1/today'],
    ['POST', '/api/v1/log-in'],
    ['POST', '/api/v1/invitation/accept'],
  ])('%s %s is refused where the browser says that another site’s page makes it', async (method, path) => {
    const operator = await anOperator(shop.db)
    for (const site of ['cross-site', 'same-site'])
      expectProblem(await ask(operator, method, path, { headers: { 'sec-fetch-site': site } }), 403)
    expect(await isIn(operator)).toBe(true)
  })

  test('is answered to no other origin', async () => {
    const operator = await anOperator(shop.db)
    const headers = { origin: 'https://evil.example' }
    for (const method of ['GET', 'OPTIONS'])
      expect([...(await ask(operator, method, '/api/v1/today', { headers })).headers.keys()]).not.toContain(
        'access-control-allow-origin',
      )
  })
})

describe('what is dangerous', () => {
  const invite = (who: { session: string }, name: string) =>
    ask(who, 'POST', '/api/v1/operators', { body: { name, role: 'viewer' } })

  const prove = (who: { session: string }, body: object) =>
    ask(who, 'POST', '/api/v1/session/proof', { body })

  test('asks again after 15 minutes, and is done after password and code, by another cookie', async () => {
    const owner = await joinByPassword(place)
    await letOperatorProofAge(shop, owner)
    expect(expectProblem(await invite(owner, 'Too late'), 403).body.code).toBe('ask-again')
    const reply = await prove(owner, { password: OPERATOR_PASSWORD, code: codeOf(owner.secret) })
    expect(reply.status).toBe(200)
    const proved = { session: sessionOf(reply) }
    expect(proved.session).not.toBe(owner.session)
    expect(await isIn(owner)).toBe(false)
    expect((await invite(proved, 'In time')).status).toBe(201)
  })

  test('asks a passkey as well as a password', async () => {
    const owner = await joinByPasskey(place)
    await letOperatorProofAge(shop, owner)
    const { body } = await ask(owner, 'POST', '/api/v1/session/proof/options')
    expect(body.hasPassword).toBe(false)
    const answer = answers(shop, owner.authenticator, body.passkey, atConsole(shop))
    const reply = await prove(owner, answer)
    expect(reply.status).toBe(200)
    expect((await invite({ session: sessionOf(reply) }, 'By passkey')).status).toBe(201)
    expectProblem(await prove({ session: sessionOf(reply) }, answer), 409)
  })

  test('is not done by half a proof, a used code or another operator’s passkey', async () => {
    const owner = await joinByPassword(place)
    const other = await joinByPasskey(place)
    await letOperatorProofAge(shop, owner)
    const password = OPERATOR_PASSWORD
    expectProblem(await prove(owner, { password, code: wrongCodeOf(owner.secret) }), 422)
    expectProblem(await prove(owner, { password: 'a wrong one', code: codeOf(owner.secret) }), 422)
    expectProblem(await prove(owner, { password }), 422)
    const { passkey } = (await ask(other, 'POST', '/api/v1/session/proof/options')).body
    expectProblem(await prove(owner, answers(shop, other.authenticator, passkey, atConsole(shop))), 409)
    const second = { session: await logInAgain(place, owner) }
    await letOperatorProofAge(shop, owner)
    expectProblem(await prove(second, { password, code: codeOf(owner.secret) }), 422)
    expect((await invite(second, 'Never')).body.code).toBe('ask-again')
    expect((await invite(owner, 'Never')).body.code).toBe('ask-again')
  })

  test('is not asked before the right to do it', async () => {
    const support = await anOperator(shop.db, 'support')
    await letOperatorProofAge(shop, support)
    expect(expectProblem(await invite(support, 'Not mine'), 403).body.code).toBeUndefined()
    const { id } = await anInvitation(place)
    expectProblem(await ask(support, 'DELETE', `/api/v1/operators/${id}`), 403)
  })
})
