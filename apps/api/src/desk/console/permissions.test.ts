import * as endpoints from '@hedgerow/contract/console/endpoints'
import { type OperatorEndpoint, operatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { consoleRoutes } from '@hedgerow/contract/console/routes'
import { ruleOf } from '@hedgerow/domain/consequences'
import { mayRole, OPERATOR_ROLES, PERMISSIONS } from '@hedgerow/domain/operator-roles'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, headersOf } from '#testing/console.ts'
import { holdBody } from '#testing/held-body.ts'

const { shop, ask, consoleUrl } = await consoleOfFile()

type Listed = Omit<OperatorEndpoint, 'access'> & { access: string }

const isEndpoint = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'access' in value && 'url' in value

const all = Object.values(endpoints as Record<string, unknown>).filter(isEndpoint) as Listed[]
const forOperators = all.filter(({ access }) => access === 'operator')

/** Nobody's: what is refused for the right is refused before anything is looked for. */
const pathOf = (url: string) => url.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')

/** Acts that take no fresh proof. One that is new here changes nothing for customers, money, pages or who gets in. */
const LIGHT = [
  'application set',
  'cancellation close',
  'canned-reply add',
  'canned-reply remove',
  'connection extend',
  'connection mail',
  'customer let-buy',
  'customer note',
  'customer note remove',
  'customer resend-confirmation',
  'customer withdraw-reset',
  'dispute checked',
  'dispute fetch',
  'job retry',
  'job retry-all',
  'node resync',
  'operator session end',
  'operator token end',
  'operator withdraw',
  'set-up mail',
  'set-up prices',
  'settlement fetch',
  'support assign',
  'support close',
  'support reply',
  'webhook resend',
  'webhook test',
]

/** Those of them that a token may do: none ends what a person waits for. */
const BY_TOKENS = [
  'customer note',
  'dispute fetch',
  'job retry',
  'job retry-all',
  'node resync',
  'settlement fetch',
  'support assign',
  'webhook resend',
  'webhook test',
]

describe('every endpoint of the console', () => {
  test('is in the table of routes, and every route is an endpoint', () => {
    const named = Object.values(consoleRoutes).map(({ method, url }) => `${method} ${url}`)
    expect(new Set(all.map(({ method, url }) => `${method} ${url}`))).toEqual(new Set(named))
    expect(new Set(named).size).toBe(named.length)
  })

  test('is known to the document for programs', async () => {
    const { body } = await ask(undefined, 'GET', '/api/v1/openapi.json')
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const expected = all.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(new Set(described)).toEqual(new Set(expected))
  })

  test.each(forOperators.map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint] as const))(
    '%s is for the roles with its permission and nobody else',
    async (_, { method, url, permission }) => {
      const path = pathOf(url)
      expect((await ask(undefined, method, path)).status).toBe(401)
      for (const role of OPERATOR_ROLES) {
        // Streams of events never end: asked for by a caller who hangs up.
        const operator = await anOperator(shop.db, role)
        const isAllowed = permission === 'own' || mayRole(role, permission)
        if (isAllowed && url.endsWith('/live')) continue
        const { status, body } = await ask(operator, method, path, {
          body: method === 'GET' ? undefined : {},
        })
        const isRefused = status === 403 && body?.detail?.startsWith('Your role')
        expect(`${role} ${isRefused || status === 401 ? 'refused' : 'let in'}`).toBe(
          `${role} ${isAllowed ? 'let in' : 'refused'}`,
        )
      }
    },
  )

  test.each(
    forOperators.filter(({ method }) => method !== 'GET').map(({ method, url }) => [method, url] as const),
  )('%s %s does nothing for an operator who was ended while its body was held back', async (method, url) => {
    const operator = await anOperator(shop.db)
    const theirs = sql`operator_id = ${operator.id}`
    await sql`update operator_sessions set last_used_at = now() - interval '2 minutes' where ${theirs}`.execute(
      shop.db,
    )
    const sendRest = await holdBody(consoleUrl + pathOf(url), method, headersOf(operator))
    // They were let in: the session's use is written down.
    await until(async () => {
      const { rows } = await sql`select from operator_sessions
        where ${theirs} and last_used_at > now() - interval '1 minute'`.execute(shop.db)
      return rows.length
    })
    await sql`update operators set ended_at = now() where id = ${operator.id}`.execute(shop.db)
    expect(await sendRest()).toBe(401)
  })

  test('states what it brings about, and only what shows something is recorded as nothing', () => {
    for (const { url, consequence, permission, record, method } of forOperators) {
      const rule = ruleOf(consequence)
      expect(rule.permissions, url).toContain(permission)
      if (consequence !== 'looks' && permission !== 'own') expect(record, url).not.toBe('reads')
      if (consequence === 'looks') expect(`${url} ${method} ${record}`).toMatch(/ GET reads$/)
    }
  })

  // The compiler's own test: each of these has to be refused by it.
  test('without a consequence, or beside a right that does not go with it, does not compile', () => {
    const act = { ...consoleRoutes.refundPayment, access: 'operator', record: { changes: 'refund' } } as const
    const rest = { summary: '', schema: { response: {} } } as const
    // @ts-expect-error it states no consequence
    const without = operatorEndpoint({ ...act, ...rest, permission: 'payments.refund' })
    // @ts-expect-error no money moves by a right to look
    const beside = operatorEndpoint({ ...act, ...rest, permission: 'payments.see', consequence: 'money' })
    expect([without, beside]).toHaveLength(2)
  })

  // What a token or a page that was left open could do unseen: the list is short, and each has its reason in the policy.
  test('that changes something for anyone is for people only, and for most after a fresh proof', () => {
    const unproved = forOperators.filter(
      ({ consequence, record }) =>
        record !== 'reads' && 'changes' in record && ruleOf(consequence).proof !== 'fresh',
    )
    expect(
      unproved
        .map(({ record }) => (record !== 'reads' && 'changes' in record ? record.changes : ''))
        .toSorted(),
    ).toEqual(LIGHT)
  })

  test('that a token may change something by is one of these', () => {
    const byTokens = forOperators.flatMap(({ permission, consequence, record }) =>
      permission !== 'own' &&
      record !== 'reads' &&
      'changes' in record &&
      ruleOf(consequence).proof === 'none'
        ? [record.changes]
        : [],
    )
    expect(byTokens.toSorted()).toEqual(BY_TOKENS)
  })

  test('that changes something or opens what is somebody’s is recorded by a command’s words', () => {
    for (const { method, url, record, permission } of forOperators)
      if (method !== 'GET' && permission !== 'own') expect(`${url} ${record}`).not.toContain(' reads')
  })
})

describe('the table of roles', () => {
  test('gives an owner everything, and a viewer no more than to see', () => {
    for (const permission of PERMISSIONS) {
      expect(mayRole('owner', permission)).toBe(true)
      if (mayRole('viewer', permission)) expect(permission).toMatch(/\.see$/)
    }
  })
})
