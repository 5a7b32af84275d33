import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expectProblem } from '@hedgerow/testing/problems'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { anOrderBody } from '#testing/orders.ts'
import { shopOfFile } from '#testing/test-shop.ts'

/** Returns the head of what comes back, whole, or what there is of it when the connection is cut. */
const headOf = (url: string, text: string): Promise<string> =>
  new Promise((done) => {
    let answer = ''
    const { port, hostname } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (data) => {
      answer += data
      if (answer.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('error', () => done(answer))
    socket.on('close', () => done(answer))
  })

/** As the storefront's build leaves it, with little in it. */
const aStorefront = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'hedgerow-storefront-'))
  const files = {
    'index.html': '<h1>Home</h1><link rel="canonical" href="http://localhost:3000/">',
    'products/index.html': '<h1>Products</h1>',
    'signup/index.html': '<h1>Sign Up</h1>',
    'signup/asked.html': '<div id="root"></div>',
    'spa.html': '<h1>App</h1>',
    '404.html': '<h1>Nowhere</h1>',
    'robots.txt': 'User-agent: *\n\nSitemap: http://localhost:3000/sitemap.xml\n',
    'sitemap.xml': '<loc>http://localhost:3000/products</loc>',
    'legal/terms_of_service.pdf': '%PDF-1.7',
    'assets/app-1.js': 'export {}',
    'built-from.json': '{}',
    'spa-paths.json': JSON.stringify(['/profile', '/reset/:token', '/payment/result/:paymentId']),
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

const storefrontDir = aStorefront()
afterAll(() => rmSync(storefrontDir, { recursive: true }))

const overTls = shopOfFile({ storefrontDir, env: { PUBLIC_URL: 'https://shop.example' } })
const overHttp = shopOfFile({ storefrontDir })

const PLACES = [
  ['a page', 'GET', '/products', 200],
  ['a page of the application', 'GET', '/profile', 200],
  ['a page that is nowhere', 'GET', '/nothing', 404],
  ['an address that nobody can read', 'GET', '/%zz', 404],
  ['an asset', 'GET', '/assets/app-1.js', 200],
  ['an asset that is not there', 'GET', '/assets/app-2.js', 404],
  ['an answer of the API', 'GET', '/api/v1/shop/items', 200],
  ['a refusal', 'POST', '/api/v1/user/login', 422],
  ['a call that is not there', 'GET', '/api/v1/nothing', 404],
  ['an id that cannot be read', 'GET', '/api/v1/payment/status/%zz', 404],
  ['a redirect', 'GET', '/api/v1/user/confirm/0123456789012345678901234567890123456789012', 303],
  ['a wrong method', 'PUT', '/products', 405],
  ['security.txt', 'GET', '/.well-known/security.txt', 200],
] as const

describe('over TLS', () => {
  test.each(PLACES)('%s tells browsers to stay with TLS', async (_, method, path, status) => {
    const reply = await overTls.call(method, path)
    expect(reply.status).toBe(status)
    expect(reply.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
  })

  test('a visitor’s cookie is one that no neighbour can plant', async () => {
    const { headers } = await overTls.call('GET', '/', { headers: { accept: 'text/html' } })
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-XSRF-TOKEN=[\w-]{32}; Path=\/; Secure; SameSite=Lax$/)
  })
})

describe('over http', () => {
  test.each(PLACES)('%s does not speak of TLS', async (_, method, path) => {
    expect((await overHttp.call(method, path)).headers.get('strict-transport-security')).toBeNull()
  })

  test('a visitor’s cookie has the name that the specification gives', async () => {
    const { headers } = await overHttp.call('GET', '/', { headers: { accept: 'text/html' } })
    expect(headers.getSetCookie()[0]).toMatch(/^XSRF-TOKEN=[\w-]{32}; Path=\/; SameSite=Lax$/)
  })
})

/** By its directives. */
const policyIn = (headers: string): Record<string, string> => {
  const [, policy = ''] = /^content-security-policy: (.*?)\r?$/im.exec(headers) ?? []
  return Object.fromEntries(policy.split(';').map((part) => part.trim().split(/ (.*)/s).slice(0, 2)))
}
const asText = (headers: Headers) => [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')

const STRICT = {
  'default-src': "'none'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

test.each(PLACES)('%s has a policy and is never sniffed', async (_, method, path) => {
  const { headers } = await overHttp.call(method, path)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(policyIn(asText(headers))).toMatchObject(STRICT)
})

test.each([
  ['a part of an asset', '/assets/app-1.js', { range: 'bytes=900-' }],
  ['a legal text', '/legal/terms_of_service.pdf', {}],
])('%s has a policy as well', async (_, path, headers) => {
  const reply = await overTls.call('GET', path, { headers })
  expect(policyIn(asText(reply.headers))).toMatchObject(STRICT)
  expect(reply.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
})

describe('what the runtime would answer by itself', () => {
  test.each([
    ['a call without a host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['a call that expects too much', 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\n\r\n', 200],
    ['a call of HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
    ['no call', 'nonsense\r\n\r\n', 400],
    ['headers without an end', `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'another protocol',
      'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: tea\r\n\r\n',
      200,
    ],
  ])('%s gets the same answer as everyone', async (_, text, status) => {
    const [head = ''] = (await headOf(overTls.url, text)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(policyIn(head)).toMatchObject(STRICT)
    expect(head).toMatch(/^strict-transport-security: max-age=63072000; includeSubDomains\r?$/im)
  })

  test.each(['/metrics', '/elsewhere'])('a scrape of %s has a policy, too', async (path) => {
    const { headers } = await fetch(new URL(path, overHttp.metricsUrl))
    expect(policyIn(asText(headers))).toMatchObject(STRICT)
  })
})

test('an asset may do nothing where it is opened by itself, and is kept for ever', async () => {
  const { headers } = await overHttp.call('GET', '/assets/app-1.js')
  expect(policyIn(asText(headers))).toEqual({ ...STRICT, 'form-action': "'none'" })
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test.each(['/nothing', '/assets/..%5cpackage.json'])(
  'a page that is nowhere is still a page: %s',
  async (path) => {
    const { status, text, headers } = await overHttp.call('GET', path)
    expect([status, text]).toEqual([404, '<h1>Nowhere</h1>'])
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  },
)

test.each(PLACES)('%s says what it is, and in what signs', async (_, method, path, status) => {
  const { headers, text } = await overHttp.call(method, path)
  const kind = status >= 400 && !text.startsWith('<') ? /^application\/problem\+json$/ : /; charset=utf-8$/i
  // Where there is nothing to read, nothing is said of it.
  if (text !== '') expect(headers.get('content-type')).toMatch(kind)
})

test.each(PLACES)('%s is shown to no page of another site', async (_, method, path) => {
  const cookie = `XSRF-TOKEN=${'a'.repeat(32)}`
  for (const origin of ['https://evil.example', 'null']) {
    const { headers } = await overTls.call(method, path, { headers: { origin, cookie } })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
  }
  const asked = { origin: 'https://evil.example', 'access-control-request-method': method }
  const { status, headers } = await overTls.call('OPTIONS', path, { headers: asked })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

test.each(['/assets', '/assets/', '/products/..', '/legal/'])('a folder lists nothing: %s', async (path) => {
  expect((await overHttp.call('GET', path)).text).not.toContain('app-1')
})

describe('a call that changes something', () => {
  const order = async (cookie: string, header?: string) => {
    const { token } = await aCustomer(overTls)
    const headers: Record<string, string> =
      header === undefined ? { cookie } : { cookie, 'x-xsrf-token': header }
    return overTls.call('POST', '/api/v1/orders', { token, headers, body: anOrderBody() })
  }
  const PLANTED = 'XSRF-TOKEN=planted'
  const OWN = '__Host-XSRF-TOKEN=own'

  test.each([
    ['the cookie of TLS', OWN, 'own'],
    ['both cookies', `${PLANTED}; ${OWN}`, 'own'],
    ['the other name', 'XSRF-TOKEN=other', 'other'],
  ])('is taken from a browser with %s that repeats it', async (_, cookie, header) => {
    expect((await order(cookie, header)).status).toBe(201)
  })

  test.each([
    ['the cookie of TLS and no header', OWN, undefined],
    ['the cookie of TLS and another header', OWN, 'owm'],
    ['a planted cookie that is repeated', `${PLANTED}; ${OWN}`, 'planted'],
    ['the other name and no header', PLANTED, undefined],
  ])('is refused from a browser with %s', async (_, cookie, header) => {
    expectProblem(await order(cookie, header), 403)
  })
})

describe('a page that tells of what follows the ?', () => {
  const shown = async (path: string) => (await overHttp.call('GET', path)).text
  test.each(['/signup', '/signup/', '/signup?utm_source=a'])(
    'is sent as it was written: %s',
    async (path) => {
      expect(await shown(path)).toBe('<h1>Sign Up</h1>')
    },
  )
  test.each(['/signup?redirectUrl=%2Fcalculator%3Fdays%3D45', '/signup?ref=A&email=a@example.org'])(
    'is left to the browser to draw, where it is told something: %s',
    async (path) => {
      expect(await shown(path)).toBe('<div id="root"></div>')
    },
  )
  test('says as any other that it is only read', async () => {
    expectProblem(await overHttp.call('POST', '/signup?redirectUrl=%2F'), 405)
  })
})

test('a page that a browser has already is not sent again, and has a policy all the same', async () => {
  const { headers } = await overTls.call('GET', '/robots.txt')
  const again = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
  const reply = await overTls.call('GET', '/robots.txt', again)
  expect([reply.status, reply.text, headers.get('cache-control')]).toEqual([304, '', 'no-cache'])
  expect(policyIn(asText(reply.headers))).toMatchObject(STRICT)
  // What a cache before the shop has of the page from then on.
  for (const name of ['content-type', 'vary']) expect(reply.headers.get(name)).toBe(headers.get(name))
  expect(reply.headers.get('content-length')).toBeNull()
  // The same page of a shop at another address is another.
  expect((await overHttp.call('GET', '/robots.txt', again)).status).toBe(200)
})

describe('pages that were built for another address', () => {
  test('name the shop’s own to search engines and whoever shares them', async () => {
    for (const [path, words] of [
      ['/', '<link rel="canonical" href="https://shop.example/">'],
      ['/robots.txt', 'Sitemap: https://shop.example/sitemap.xml'],
      ['/sitemap.xml', '<loc>https://shop.example/products</loc>'],
    ] as const) {
      const reply = await overTls.call('GET', path)
      expect(reply.text, path).toContain(words)
      const { headers } = await overTls.call('HEAD', path)
      expect(headers.get('content-type'), path).toBe(reply.headers.get('content-type'))
    }
  })
})

describe('a known page', () => {
  test.each([
    ['POST', '/'],
    ['PUT', '/products'],
    ['DELETE', '/products/'],
    ['POST', '/profile'],
    ['PATCH', '/reset/abc?x=1'],
    ['POST', '/assets/app-1.js'],
    ['OPTIONS', '/robots.txt'],
  ])('says to %s %s that it is only read', async (method, path) => {
    const { headers } = expectProblem(await overHttp.call(method, path), 405)
    expect(headers.get('allow')).toBe('GET, HEAD')
  })

  test.each([
    ['GET', '/api/v1/user/login', 'POST'],
    ['PUT', '/api/v1/orders', 'GET, HEAD, POST'],
  ])('is not taken for a call: %s %s', async (method, path, allow) => {
    const { headers } = expectProblem(await overHttp.call(method, path), 405)
    expect(headers.get('allow')).toBe(allow)
  })

  test.each(['/nothing', '/assets', '/assets/app-2.js', '/spa-paths.json', '/built-from.json'])(
    'is another than what is nowhere: %s',
    async (path) => {
      expectProblem(await overHttp.call('POST', path), 404)
    },
  )
})

test('metrics are only read', async () => {
  const reply = await fetch(overHttp.metricsUrl, { method: 'POST' })
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

describe('/.well-known/security.txt', () => {
  const linesOf = async (shop: typeof overTls) => {
    const { text, headers } = await shop.call('GET', '/.well-known/security.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    return Object.fromEntries(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/s)),
    )
  }

  test('says whom to tell, and in what language', async () => {
    expect(await linesOf(overTls)).toEqual({
      Contact: `mailto:${overTls.settings.brand.company.email}`,
      Expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00Z$/),
      'Preferred-Languages': 'en',
      Canonical: 'https://shop.example/.well-known/security.txt',
    })
    // RFC 9116, 2.5.2: only an address with TLS is named.
    expect(await linesOf(overHttp)).not.toHaveProperty('Canonical')
  })

  test('never ends while the shop runs, and is never good for a year', async () => {
    const daysLeft = async () => (Date.parse((await linesOf(overTls)).Expires) - Date.now()) / 86_400_000
    try {
      vi.useFakeTimers({ toFake: ['Date'] })
      for (const later of [0, 300, 3_000]) {
        vi.setSystemTime(new Date(Date.UTC(2026, 10, 22 + later, 13)))
        expect(await daysLeft()).toBeGreaterThan(150)
        expect(await daysLeft()).toBeLessThan(365)
      }
    } finally {
      vi.useRealTimers()
    }
  })
})
