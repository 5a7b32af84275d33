import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CSRF_COOKIE, CSRF_HEADER } from '@hedgerow/contract/csrf'
import { freePort } from '@hedgerow/testing/free-port'
import { expectProblem } from '@hedgerow/testing/problems'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { beginSso, checkProvider, type Sso } from '#people/operators/sso-provider.ts'
import { readSettings } from '#platform/settings.ts'
import { anAuthenticator, makes } from '#testing/authenticator.ts'
import { anOperator, consoleCallOf, type TestOperator } from '#testing/console.ts'
import { type Account, browse, startOidcProvider } from '#testing/oidc.ts'
import { atConsole, joinByPassword } from '#testing/operators.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const port = await freePort()
const consoleUrl = `http://127.0.0.1:${port}`
const publicAddress = `http://localhost:${port}`
const provider = await startOidcProvider(publicAddress)
const shop = shopOfFile({
  env: {
    CONSOLE_PORT: String(port),
    ...provider.settings,
    SSO_GROUPS: 'shop-owners=owner,shop-managers=manager,shop-support=support',
  },
})
const ask = consoleCallOf(consoleUrl)
const place = { shop, consoleUrl, ask }

afterAll(() => provider.stop())
afterEach(() => {
  delete provider.state.change
})

const folder = mkdtempSync(join(tmpdir(), 'sso-'))
afterAll(() => rmSync(folder, { recursive: true }))

const CSRF = 'c'.repeat(32)

/** What the reply sets, by the name of the cookie. */
const cookieOf = ({ headers }: { headers: Headers }, name: string) =>
  headers
    .getSetCookie()
    .map((set) => (set.split(';')[0] ?? '').split(/=(.*)/s))
    .find(([one]) => one === name)?.[1]

const post = (path: string, body: object, cookie = '') =>
  ask(undefined, 'POST', path, {
    body,
    headers: { cookie: `${cookie}; ${CSRF_COOKIE}=${CSRF}`, [CSRF_HEADER]: CSRF },
  })

const begin = async (path = '/api/v1/log-in/sso', cookie?: string) => {
  const reply = await post(path, {}, cookie)
  return { ...reply, address: reply.body.address as string, ticket: cookieOf(reply, 'operator-sso') ?? '' }
}

const finish = (ticket: string, query: string) =>
  post('/api/v1/log-in/sso/return', { query }, `operator-sso=${ticket}`)

/** The whole way of somebody who is that at the provider. */
const comeAs = async (account: Account) => {
  provider.state.account = account
  const { address, ticket } = await begin()
  return finish(ticket, await browse(address, publicAddress))
}

const someone = (groups: unknown, more: object = {}): Account => {
  const sub = randomUUID()
  return { sub, preferred_username: `ada ${sub.slice(0, 8)}`, groups, ...more }
}

/** Comes for the first time, makes a passkey, and comes again. */
const provisioned = async (group = 'shop-support') => {
  const account = someone([group])
  const first = await comeAs(account)
  expect(first.body.outcome).toBe('invited')
  const token = first.body.invitation
  const { body } = await ask(undefined, 'POST', '/api/v1/invitation', { body: { token } })
  const device = anAuthenticator()
  const passkey = { ...makes(shop, device, body.passkey, atConsole(shop)), name: '' }
  await ask(undefined, 'POST', '/api/v1/invitation/accept', { body: { token, passkey } })
  return { account, device, name: account.preferred_username as string }
}

const inAs = async (account: Account) => {
  const reply = await comeAs(account)
  expect(reply.body).toEqual({ outcome: 'in', invitation: null })
  return { session: cookieOf(reply, 'operator-session') ?? '' }
}

const rowOf = (name: string) =>
  shop.db.selectFrom('operators').selectAll().where('name', '=', name).executeTakeFirstOrThrow()

describe('single sign-on', () => {
  test('makes an operator of who is in a group, with its role and a passkey to make first', async () => {
    const { account, name } = await provisioned()
    expect((await rowOf(name)).role).toBe('support')
    const session = await inAs(account)
    const { body } = await ask(session, 'GET', '/api/v1/session')
    expect(body.operator).toMatchObject({ name, role: 'support' })
    const { rows } = (await ask(await anOperator(shop.db), 'GET', '/api/v1/record')).body
    expect(rows.filter(({ who }: { who: string }) => who === `${name}@sso`)).toMatchObject([
      { command: 'operator add', outcome: 'done' },
    ])
  })

  test('is no proof: what is dangerous asks for the passkey', async () => {
    const { account } = await provisioned()
    const session = await inAs(account)
    const body = { name: 'x', permissions: ['shop.see'], days: 1 }
    expect((await ask(session, 'POST', '/api/v1/account/tokens', { body })).body.code).toBe('ask-again')
  })

  test.each([
    ['in no group', undefined],
    ['in another', ['staff']],
    ['in a text that holds one', 'x shop-support'],
  ])('lets nobody in who is %s', async (_, groups) => {
    expectProblem(await comeAs(someone(groups)), 403)
  })

  test('takes nobody for an operator because of a name or an email', async () => {
    const owner = await anOperator(shop.db)
    const mail = { email: 'owner@example.org', email_verified: false }
    const reply = await comeAs(
      someone(['shop-support'], { preferred_username: owner.name.toUpperCase(), ...mail }),
    )
    expectProblem(reply, 409)
    expect((await rowOf(owner.name)).role).toBe('owner')
  })

  test('gives the role of the group at each log-in, and none when the groups are gone', async () => {
    const { account, name } = await provisioned()
    const session = await inAs(account)
    await inAs({ ...account, groups: ['shop-support', 'shop-managers'] })
    expect((await rowOf(name)).role).toBe('manager')
    await inAs(account)
    expect((await rowOf(name)).role).toBe('support')
    expectProblem(await comeAs({ ...account, groups: [] }), 403)
    expect((await ask(session, 'GET', '/api/v1/session')).status).toBe(401)
    const passkeys = await shop.db
      .selectFrom('operator_passkeys')
      .where('operator_id', '=', (await rowOf(name)).id)
      .execute()
    expect(passkeys).toEqual([])
  })

  test('is the only way in for who came by a group, but for owners', async () => {
    const byPasskey = async ({ device }: { device: ReturnType<typeof anAuthenticator> }) => {
      const { answers } = await import('#testing/authenticator.ts')
      const { body } = await ask(undefined, 'POST', '/api/v1/log-in/passkey/options')
      return ask(undefined, 'POST', '/api/v1/log-in/passkey', {
        body: answers(shop, device, body, atConsole(shop)),
      })
    }
    expectProblem(await byPasskey(await provisioned('shop-support')), 403)
    expect((await byPasskey(await provisioned('shop-owners'))).status).toBe(200)
  })

  test('does not let in an operator who was ended here', async () => {
    const { account, name } = await provisioned()
    await shop.db.updateTable('operators').set({ ended_at: new Date() }).where('name', '=', name).execute()
    expectProblem(await comeAs(account), 403)
  })

  test('is linked by an operator who is logged in; their role stays the console’s', async () => {
    const operator: TestOperator = await joinByPassword(place)
    const account = someone(['shop-support'])
    provider.state.account = account
    const linking = await begin('/api/v1/account/sso', `operator-session=${operator.session}`)
    const linked = await finish(linking.ticket, await browse(linking.address, publicAddress))
    expect(linked.body.outcome).toBe('linked')
    const { session } = await inAs(account)
    expect((await ask({ session }, 'GET', '/api/v1/session')).body.operator).toMatchObject({
      id: operator.id,
      role: 'owner',
    })
    expectProblem(await comeAs({ ...account, groups: [] }), 403)
    expect((await ask({ session }, 'GET', '/api/v1/session')).status).toBe(401)
  })
})

describe('what comes back', () => {
  test('works once, and in the browser that went there', async () => {
    const { account } = await provisioned()
    provider.state.account = account
    const [mine, other] = [await begin(), await begin()]
    const query = await browse(mine.address, publicAddress)
    expectProblem(await finish('', query), 401)
    expectProblem(await finish(other.ticket, query), 401)
    expect((await finish(mine.ticket, query)).status).toBe(200)
    expectProblem(await finish(mine.ticket, query), 401)
  })

  test('has the state that was sent, and a code', async () => {
    const { account } = await provisioned()
    for (const change of [{ state: 'x' }, { code: 'x' }, { iss: 'http://evil.example' }, { state: '' }]) {
      provider.state.account = account
      const { address, ticket } = await begin()
      const query = new URLSearchParams(await browse(address, publicAddress))
      for (const [name, value] of Object.entries(change)) query.set(name, value)
      expectProblem(await finish(ticket, query.toString()), 401)
    }
    const { ticket } = await begin()
    expectProblem(await finish(ticket, 'error=access_denied'), 401)
  })

  const now = () => Math.floor(Date.now() / 1_000)

  test.each([
    ['another nonce', (claims: object) => ({ ...claims, nonce: 'x' })],
    ['no nonce', (claims: object) => ({ ...claims, nonce: undefined })],
    ['another issuer', (claims: object) => ({ ...claims, iss: 'http://evil.example' })],
    ['another audience', (claims: object) => ({ ...claims, aud: 'another' })],
    ['an end that has passed', (claims: object) => ({ ...claims, exp: now() - 3_600 })],
  ])('is refused with %s', async (_, change) => {
    const { account } = await provisioned()
    provider.state.change = ({ header, claims }) => ({ header, claims: change(claims) })
    expectProblem(await comeAs(account), 401)
  })

  test.each(['none', 'HS256'])('is refused where its token says alg %s', async (alg) => {
    const { account } = await provisioned()
    provider.state.change = ({ header, claims }) => ({ header: { ...header, alg }, claims })
    expectProblem(await comeAs(account), 401)
  })

  test('asked for with PKCE, and forgotten after ten minutes', async () => {
    const { address, ticket } = await begin()
    expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
    await shop.db
      .updateTable('operator_challenges')
      .set({ expires_at: new Date() })
      .where('purpose', '=', 'sso')
      .execute()
    expectProblem(await finish(ticket, 'code=x&state=x'), 401)
  })
})

describe('a provider that is down', () => {
  test('is said to be, at once, and asked again by the next', async () => {
    const sso = {
      ...readSettings({ ...provider.settings, SSO_GROUPS: 'staff=support', DATA_DIR: folder }).sso,
    }
    const nobody = { ...sso, issuer: `http://127.0.0.1:${await freePort()}` } as Sso
    await expect(checkProvider(nobody)).rejects.toThrow()
    const deps = { ...shop, settings: { ...shop.settings, sso: nobody }, log: { warn: () => undefined } }
    await expect(beginSso(deps as never, null)).rejects.toThrow('cannot be reached')
  })
})

test('settings in part, and roles that there are not, stop the start', () => {
  const read = (env: Record<string, string>) => () => readSettings({ DATA_DIR: folder, ...env })
  expect(read({ SSO_ISSUER: 'https://id.example.com' })).toThrow(/belong together/)
  expect(read({ ...provider.settings, SSO_GROUPS: 'staff=king' })).toThrow(/groups and roles like/)
})
