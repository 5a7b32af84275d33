import * as endpoints from '@hedgerow/contract/endpoints'
import { afterEach, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { signedWith } from '#testing/gateway.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** The shop runs in this very process: what it did to all objects would be seen here. */
const WHOLE = [Object, Array, Function, String].map(({ prototype }) => Object.getOwnPropertyNames(prototype))
afterEach(() => {
  expect(
    [Object, Array, Function, String].map(({ prototype }) => Object.getOwnPropertyNames(prototype)),
  ).toEqual(WHOLE)
})

const PATHS = Object.values(endpoints).flatMap((value) =>
  typeof value === 'object' && 'url' in value
    ? [[value.method, value.url.replace(/:\w+/g, '__proto__')] as const]
    : [],
)
const POISONED = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":[{"__proto__":{"polluted":true}}]}',
  '{"\\u005f_proto__":{"polluted":true}}',
]
const QUERY = '__proto__[polluted]=1&constructor.prototype.polluted=1&__proto__=1&since=__proto__'

test.each(PATHS)('%s %s gives no object a field, whatever it is sent', async (method, path) => {
  const { token } = await aCustomer(shop)
  for (const body of method === 'GET' ? [undefined] : POISONED) {
    const headers = { 'content-type': 'application/json', cookie: '__proto__=1; constructor=1' }
    const reply = await shop.call(method, `${path}?${QUERY}`, { token, headers, body })
    expect(reply.status).toBeLessThan(500)
    if (body !== undefined) expect(reply.status).toBeGreaterThanOrEqual(400)
  }
})

test('a form of the issuer’s page gives no object a field', async () => {
  const body = new URLSearchParams([...new URLSearchParams(QUERY), ['MD', 'a'], ['PaRes', 'b']])
  const reply = await shop.call('POST', `/api/v1/payment/challenge/${'0'.repeat(32)}`, { body })
  expect(reply.status).toBeLessThan(500)
})

test('a callback that is signed gives no object a field', async () => {
  const own = (name: string, value: unknown) => Object.fromEntries([[name, value]])
  const body = {
    project_id: shop.settings.gate.projectId,
    payment: { id: '__proto__', status: 'constructor', ...own('__proto__', { polluted: true }) },
    ...own('__proto__', { polluted: true }),
  }
  const text = JSON.stringify(signedWith(body, shop.settings.gate.secret))
  expect(text).toContain('"__proto__":{"polluted":true}')
  const headers = { 'content-type': 'application/json' }
  expect((await shop.call('POST', '/api/v1/payment/callback', { body: text, headers })).status).toBe(400)
})
