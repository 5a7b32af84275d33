import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as endpoints from '@hedgerow/contract/console/endpoints'
import { expectProblem } from '@hedgerow/testing/problems'
import fastify from 'fastify'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { serveConsoleFiles } from '#desk/console/console-files.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { joinByPassword } from '#testing/operators.ts'

const place = await consoleOfFile()
const { shop, ask } = place

const STRICT = ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]

describe('an answer of the console', () => {
  test.each([
    ['of its API', 'GET', '/api/v1/today', 200],
    ['with a file', 'GET', '/api/v1/payments.csv', 200],
    ['that refuses', 'POST', '/api/v1/log-in', 422],
    ['of a call that is not there', 'GET', '/api/v1/nothing', 404],
    ['of a page that is nowhere', 'GET', '/nothing', 404],
    ['of an address that nobody can read', 'GET', '/%zz', 404],
    ['of a wrong method', 'PUT', '/api/v1/today', 405],
    ['to a question that browsers ask ahead', 'OPTIONS', '/api/v1/today', 405],
    ['for programs', 'GET', '/api/v1/openapi.json', 200],
  ] as const)('%s has a policy, is never sniffed, framed or kept', async (_, method, path, status) => {
    const owner = await anOperator(shop.db)
    const reply = await ask(owner, method, path)
    expect(reply.status, reply.text).toBe(status)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    for (const directive of STRICT) expect(reply.headers.get('content-security-policy')).toContain(directive)
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    if (path.startsWith('/api/v1/') && status < 404)
      expect(reply.headers.get('cache-control')).toMatch(/no-store|no-cache/)
  })

  test('at the shop’s listener is none: the two share no call', async () => {
    const owner = await anOperator(shop.db)
    for (const path of ['/api/v1/today', '/api/v1/customers', '/api/v1/operators', '/api/v1/session'])
      expectProblem(
        await shop.call('GET', path, { headers: { cookie: `operator-session=${owner.session}` } }),
        404,
      )
    for (const path of ['/api/v1/user/profile', '/api/v1/shop/items', '/api/v1/payment/callback'])
      expectProblem(await ask(owner, 'GET', path), 404)
  })
})

describe('a body', () => {
  test.each([
    ['too large', 413, 'x'.repeat(70_000), 'application/json'],
    ['that is no JSON', 400, '{"name":', 'application/json'],
    ['of another kind', 415, '<name/>', 'application/xml'],
  ])('%s is refused, whoever sends it', async (_, status, body, type) => {
    const headers = { 'content-type': type }
    expectProblem(await ask(undefined, 'POST', '/api/v1/log-in', { body, headers }), status)
    expectProblem(
      await ask(await anOperator(shop.db), 'POST', '/api/v1/canned-replies', { body, headers }),
      status,
    )
  })

  test('of nobody is not read: whoever is not in is told so first', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = `{"x":"${'x'.repeat(60_000)}`
    expectProblem(await ask(undefined, 'POST', '/api/v1/operators', { body, headers }), 401)
  })
})

/** The shop runs in this very process: what it did to all objects would be seen here. */
const WHOLE = Object.getOwnPropertyNames(Object.prototype)
afterEach(() => expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(WHOLE))

type Call = { method: string; url: string }
const CALLS = Object.entries(endpoints).flatMap(([name, one]) =>
  typeof one === 'object' && 'url' in one && !one.url.endsWith('/live') ? [[name, one as Call] as const] : [],
)

test.each(CALLS)(
  '%s gives no object a field and has no fault, whatever it is sent',
  async (_, { method, url }) => {
    const owner = await anOperator(shop.db)
    const query = '__proto__[polluted]=1&constructor.prototype.polluted=1&sort=__proto__&columns=__proto__'
    for (const id of ['__proto__', '%00', '..%2f..', "'--"])
      for (const body of method === 'GET' ? [undefined] : ['{"__proto__":{"polluted":true}}', '[]', 'null']) {
        const path = `${url.replaceAll(/:\w+/g, id)}?${query}`
        const headers = { 'content-type': 'application/json' }
        const { status, text } = await ask(owner, method, path, { headers, body })
        expect(status, `${path} ${body}: ${text}`).toBeLessThan(500)
      }
  },
)

describe('an operator’s own ways in', () => {
  test('are never less than one, and another password ends every other session', async () => {
    const operator = await joinByPassword(place, 'support')
    expectProblem(await ask(operator, 'DELETE', '/api/v1/account/password'), 409)
    const { body } = await ask(operator, 'GET', '/api/v1/account')
    expect(body).toMatchObject({ hasPassword: true, passkeys: [] })
    expect(JSON.stringify(body)).not.toMatch(/argon|secret/i)
    const other = await anOperator(shop.db, 'support')
    const path = '/api/v1/account/passkeys/00000000-0000-4000-8000-000000000000'
    expectProblem(await ask(other, 'DELETE', path), 404)
  })
})

describe('the console’s pages', () => {
  const root = mkdtempSync(join(tmpdir(), 'hedgerow-console-'))
  mkdirSync(join(root, 'assets'))
  writeFileSync(join(root, 'index.html'), '<div id="root"></div>')
  writeFileSync(join(root, 'assets', 'app-1.js'), 'export {}')
  afterAll(() => rmSync(root, { recursive: true }))

  const pages = async (consoleUrl: string) => {
    const app = fastify()
    await app.register(import('@fastify/cookie'))
    await serveConsoleFiles(app, { settings: { ...shop.settings, consoleUrl } }, root)
    return app
  }

  test('run nothing but what this host serves, are in no frame and in no search engine', async () => {
    const app = await pages('https://console.example')
    const { headers, statusCode } = await app.inject({ url: '/payments/1', headers: { accept: 'text/html' } })
    expect(statusCode).toBe(200)
    const policy = String(headers['content-security-policy'])
    for (const directive of [...STRICT, "script-src 'self'", "style-src 'self'", "connect-src 'self'"])
      expect(policy).toContain(directive)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['x-robots-tag']).toBe('noindex')
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(String(headers['set-cookie'])).toMatch(
      /^__Host-XSRF-TOKEN=[\w-]{32}; Path=\/; Secure; SameSite=Lax$/,
    )
    await app.close()
  })

  test('are for people: a call or a file that is not there is not answered with one', async () => {
    const app = await pages('http://localhost:1')
    for (const url of ['/api/v1/nothing', '/assets/app-2.js', '/assets/..%2findex.html'])
      expect((await app.inject({ url, headers: { accept: 'text/html' } })).statusCode).toBe(404)
    expect((await app.inject({ url: '/payments', headers: { accept: 'image/*' } })).statusCode).toBe(404)
    await app.close()
  })
})
