import { connect } from 'node:net'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const LOGIN = '/api/v1/user/login'
/** Returns all that comes back until the connection is cut. */
const sayTo = (url: string, text: string): Promise<string> =>
  new Promise((done) => {
    let answer = ''
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (data) => (answer += data))
    socket.on('error', () => done(answer))
    socket.on('close', () => done(answer))
  })

const send = (body: string | Uint8Array<ArrayBuffer>, type: string, path = LOGIN) =>
  shop.call('POST', path, { body, headers: { 'content-type': type } })

describe('a request', () => {
  test.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'image/png'])(
    'of type %s is refused with 415',
    async (type) => {
      expectProblem(await send('{}', type), 415)
    },
  )

  test('of a form is refused with 415 where JSON is asked for', async () => {
    expectProblem(await send('username=a&password=b', 'application/x-www-form-urlencoded'), 415)
  })

  test.each([
    ['cut short', '{"username":'],
    ['no JSON', 'username=a'],
    ['two values', '{}{}'],
    ['a poisoned prototype', '{"__proto__":{"a":1},"username":"a"}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"a":1}}}'],
    ['not a number', '{"a":NaN}'],
  ])('that is %s is refused with 400', async (_, body) => {
    expectProblem(await send(body, 'application/json'), 400)
  })

  test.each([
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"{}"'],
    ['true', 'true'],
    ['nothing', ''],
  ])('whose JSON is %s is refused with 422', async (_, body) => {
    expectProblem(await send(body, 'application/json'), 422)
  })

  test('of bytes that are no text is refused', async () => {
    const reply = await send(new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'application/json')
    expectProblem(reply, 400)
  })

  test('larger than 64 KB is refused with 413', async () => {
    expectProblem(await send(JSON.stringify({ username: 'a'.repeat(70_000) }), 'application/json'), 413)
  })

  test('nested very deeply is refused', async () => {
    const body = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    expectProblem(await send(body, 'application/json'), 422)
  })

  test('without a body is taken where there is nothing to say, whatever its type', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      const { token } = await aCustomer(shop)
      const options = { token, headers: { 'content-type': type }, body: '' }
      expect((await shop.call('POST', '/api/v1/user/logout', options)).status).toBe(200)
    }
  })

  test.each([
    ['GET', '/api/v1/nothing'],
    ['POST', '/api/v1/nothing'],
    ['GET', '/api'],
    ['GET', '/api/v1/../../etc/passwd'],
    ['GET', '/api/v1/%2e%2e%2f%2e%2e%2fetc/passwd'],
    ['GET', '/.git/HEAD'],
    ['GET', '/.env'],
    ['GET', '/package.json'],
    ['GET', '/api/v1/user/confirm/%zz'],
    ['GET', '/metrics'],
    ['DELETE', '/api/v1/orders/a/b/c'],
    ['GET', '/nothing'],
  ])('%s %s leads nowhere', async (method, path) => {
    expectProblem(await shop.call(method, path), 404)
  })

  test.each([
    ['GET', '/api/v1/user/login', 'POST'],
    ['PATCH', '/api/v1/user/login', 'POST'],
    ['PROPFIND', '/api/v1/user/login', 'POST'],
    ['DELETE', '/api/v1/orders', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/v1/orders/', 'GET, HEAD, POST'],
    ['DELETE', '/api/v1/payment/status/1?a=b', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['POST', '/api/v1/openapi.json', 'GET, HEAD'],
    ['POST', '/.well-known/security.txt', 'GET, HEAD'],
  ])('%s %s answers that %s leads there', async (method, path, allow) => {
    const { headers, body } = expectProblem(await shop.call(method, path), 405)
    expect(headers.get('allow')).toBe(allow)
    expect(body.detail).toBe(`Use ${allow.replaceAll(', ', ' or ')} at this address, not ${method}.`)
  })

  test('by another method is refused so whatever it carries', async () => {
    const headers = { cookie: 'XSRF-TOKEN=secret', 'content-type': 'text/xml' }
    expectProblem(await shop.call('PUT', '/api/v1/user/login', { headers, body: '<a/>' }), 405)
  })

  test('by TRACE is not repeated', async () => {
    const cookie = 'Cookie: KNOWN-BROWSER=one-that-scripts-cannot-read'
    for (const path of ['/', LOGIN, '/nothing']) {
      const answer = await sayTo(
        shop.url,
        `TRACE ${path} HTTP/1.1\r\nHost: a\r\n${cookie}\r\nConnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 40[45] /)
      expect(answer).not.toContain('KNOWN-BROWSER')
    }
  })

  test('that says the same thing twice is not guessed at', async () => {
    const { token } = await aCustomer(shop)
    const path = '/api/v1/partnership/statement'
    for (const query of ['before=1&before=2', 'before=1&before=1', 'before=&before=1'])
      expectProblem(await shop.call('GET', `${path}?${query}`, { token }), 422)
    // Nor does the body's part come from the address.
    const { status } = await shop.call('POST', `${LOGIN}?username=a@example.org&password=12345678`, {
      body: {},
    })
    expect(status).toBe(422)
  })

  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    [
      'of two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['of very large headers', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('that is %s is answered as any other, and cut off', async (_, text, status) => {
    const answer = await sayTo(shop.url, text)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(/^content-type: application\/problem\+json$/m)
    expect(head).toMatch(/^x-content-type-options: nosniff$/m)
    expect(head).toMatch(/^content-security-policy: default-src 'none'/m)
    expect(JSON.parse(body)).toMatchObject({ status, detail: expect.stringMatching(/request/) })
    expect((await shop.call('GET', '/healthz')).status).toBe(200)
  })
})

test.each(['/healthz', '/api/v1/openapi.json', '/api/v1/orders', '/api/v1/user/login', '/api/v1/nothing'])(
  'an answer from %s is never kept, never sniffed and never framed',
  async (path) => {
    const { headers } = await shop.call('GET', path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-powered-by')).toBeNull()
  },
)

describe('a connection on which one asks on without waiting', () => {
  const ask = (count: number) => 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count)

  test('is answered a few times, in order', async () => {
    const answer = await sayTo(
      shop.url,
      `${ask(4)}GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    )
    expect(answer.match(/HTTP\/1.1 200/g)).toHaveLength(5)
  })

  test('is cut when it asks for more than it reads', async () => {
    const answer = await sayTo(shop.url, ask(1_000))
    expect(answer.match(/HTTP\/1.1 200/g)?.length ?? 0).toBeLessThan(30)
    expect((await shop.call('GET', '/healthz')).status).toBe(200)
  })
})

describe('a body in pieces', () => {
  const head = `POST ${LOGIN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`

  test('is read as a whole', async () => {
    const pieces = [...'{"username":"a"}'].map((letter) => `1\r\n${letter}\r\n`).join('')
    expect(await sayTo(shop.url, `${head}${pieces}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 422/)
  })

  test('is cut where it comes in crumbs', async () => {
    const answer = await sayTo(shop.url, `${head}${'1\r\n \r\n'.repeat(20_000)}0\r\n\r\n`)
    expect(answer).not.toMatch(/^HTTP\/1.1 [245]/)
    expect((await shop.call('GET', '/healthz')).status).toBe(200)
  })
})
