import * as endpoints from '@hedgerow/contract/console/endpoints'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { ruleOf } from '@hedgerow/domain/consequences'
import { PERMISSIONS, type Permission, permissionsOf } from '@hedgerow/domain/operator-roles'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, headersOf, type TestOperator } from '#testing/console.ts'
import { letOperatorProofAge } from '#testing/operators.ts'

const { shop, ask } = await consoleOfFile()

const make = (who: Pick<TestOperator, 'session'>, permissions: readonly string[], given: object = {}) =>
  ask(who, 'POST', '/api/v1/account/tokens', { body: { name: 'reports', permissions, days: 30, ...given } })

const aToken = async (who: TestOperator, permissions: readonly Permission[] = permissionsOf(who.role)) =>
  (await make(who, permissions)).body as { id: string; token: string }

const by = (token: string, method: string, path: string, options: object = {}) =>
  ask(undefined, method, path, { token, ...options })

describe('a token', () => {
  test('does what it was given the right to, and nothing else', async () => {
    const owner = await anOperator(shop.db)
    const { token } = await aToken(owner, ['payments.see'])
    expect((await by(token, 'GET', '/api/v1/payments')).status).toBe(200)
    for (const path of ['/api/v1/customers', '/api/v1/record', '/api/v1/nodes', '/api/v1/today'])
      expectProblem(await by(token, 'GET', path), 403)
  })

  test('is shown once, and kept by its hash', async () => {
    const owner = await anOperator(shop.db)
    const { id, token } = await aToken(owner)
    expect(token).toMatch(/^[\w-]{40,}$/)
    const account = await ask(owner, 'GET', '/api/v1/account')
    expect(account.body.tokens).toMatchObject([{ id, name: 'reports', lastUsedAt: null }])
    expect(account.text).not.toContain(token)
    const kept = await shop.db.selectFrom('operator_tokens').selectAll().where('id', '=', id).execute()
    expect(JSON.stringify(kept)).not.toContain(token)
    expect(JSON.stringify(await shop.db.selectFrom('operator_actions').selectAll().execute())).not.toContain(
      token,
    )
  })

  test('has an end of a year at most', async () => {
    const owner = await anOperator(shop.db)
    for (const days of [0, 366, 1.5, '30', null, undefined])
      expectProblem(await make(owner, ['shop.see'], { days }), 422)
    const { id, token } = await aToken(owner)
    await shop.db
      .updateTable('operator_tokens')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', id)
      .execute()
    expectProblem(await by(token, 'GET', '/api/v1/today'), 401)
    expect((await ask(owner, 'GET', '/api/v1/account')).body.tokens).toEqual([])
  })

  test('has no right that its operator lacks, or loses', async () => {
    const support = await anOperator(shop.db, 'support')
    expectProblem(await make(support, ['books.open']), 403)
    expectProblem(await make(support, ['own']), 422)
    expectProblem(await make(support, []), 422)
    const { token } = await aToken(support, ['payments.see', 'nodes.see'])
    await shop.db.updateTable('operators').set({ role: 'finance' }).where('id', '=', support.id).execute()
    expect((await by(token, 'GET', '/api/v1/payments')).status).toBe(200)
    expectProblem(await by(token, 'GET', '/api/v1/nodes'), 403)
  })

  test('ends with its operator, and when they end it', async () => {
    const owner = await anOperator(shop.db)
    const { id, token } = await aToken(owner)
    expectProblem(await ask(await anOperator(shop.db), 'DELETE', `/api/v1/account/tokens/${id}`), 404)
    expect((await ask(owner, 'DELETE', `/api/v1/account/tokens/${id}`)).status).toBe(200)
    expectProblem(await by(token, 'GET', '/api/v1/today'), 401)
    const other = await aToken(owner)
    await shop.db.updateTable('operators').set({ ended_at: new Date() }).where('id', '=', owner.id).execute()
    expectProblem(await by(other.token, 'GET', '/api/v1/today'), 401)
  })

  test('is made by an operator after a proof, and never by a token', async () => {
    const owner = await anOperator(shop.db)
    const { token } = await aToken(owner)
    const body = { name: 'more', permissions: ['shop.see'], days: 1 }
    expectProblem(await by(token, 'POST', '/api/v1/account/tokens', { body }), 403)
    await letOperatorProofAge(shop, owner)
    expect((await make(owner, ['shop.see'])).body.code).toBe('ask-again')
  })

  test('needs no cookie, and stands before one', async () => {
    const viewer = await anOperator(shop.db, 'viewer')
    const owner = await anOperator(shop.db)
    const { token } = await aToken(viewer, ['shop.see'])
    expectProblem(await by(token, 'GET', '/api/v1/payments', { headers: headersOf(owner) }), 403)
    expectProblem(await by('x'.repeat(43), 'GET', '/api/v1/payments', { headers: headersOf(owner) }), 401)
  })

  test('is one of twenty at most', async () => {
    const owner = await anOperator(shop.db)
    for (let n = 0; n < 18; n++) expect((await make(owner, ['shop.see'])).status).toBe(201)
    const replies = await Promise.all(Array.from({ length: 6 }, () => make(owner, ['shop.see'])))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2)
  })

  test('is recorded by its name in what it does', async () => {
    const owner = await anOperator(shop.db)
    const { token } = await aToken(owner)
    expect((await by(token, 'GET', '/api/v1/search?words=nothing')).status).toBe(200)
    const { body } = await ask(owner, 'GET', '/api/v1/record?command=search')
    expect(body.rows[0].who).toBe(`${owner.name}@token reports`)
  })
})

const isForOperators = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'permission' in value
const all = Object.values(endpoints as Record<string, unknown>).filter(isForOperators) as OperatorEndpoint[]
const never = all.filter(
  ({ permission, consequence }) => permission === 'own' || ruleOf(consequence).proof !== 'none',
)

test.each(never.map((one) => [`${one.method} ${one.url}`, one] as const))(
  '%s is for nobody’s token, whatever its rights',
  async (_, { method, url }) => {
    const owner = await anOperator(shop.db)
    const { token } = await aToken(owner, PERMISSIONS)
    const path = url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
    const options = method === 'GET' ? {} : { body: {} }
    expectProblem(await by(token, method, path, options), 403)
  },
)

const fresh = all.filter(({ consequence }) => ruleOf(consequence).proof === 'fresh')

test.each(fresh.map((one) => [`${one.method} ${one.url}`, one] as const))(
  '%s asks again who is there',
  async (_, { method, url }) => {
    const owner = await anOperator(shop.db)
    await letOperatorProofAge(shop, owner)
    const path = url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
    const { body } = expectProblem(await ask(owner, method, path, method === 'GET' ? {} : { body: {} }), 403)
    expect(body.code).toBe('ask-again')
  },
)
