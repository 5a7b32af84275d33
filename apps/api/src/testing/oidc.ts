import { createSign, generateKeyPairSync } from 'node:crypto'
import { freePort } from '@hedgerow/testing/free-port'
import Provider from 'oidc-provider'

type Claims = Record<string, unknown>
type IdToken = { header: Claims; claims: Claims }
export type Account = { sub: string; preferred_username?: string; groups?: unknown; [claim: string]: unknown }

const CLIENT = { id: 'console', secret: 'a secret of the console' }

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims

/** The ID token with other words in it, signed as the provider signs; with alg none it is not signed at all. */
const resigned = (token: string, change: (given: IdToken) => IdToken): string => {
  const [head, body] = token.split('.')
  const { header, claims } = change({ header: decoded(head), claims: decoded(body) })
  const signed = `${encoded(header)}.${encoded(claims)}`
  const signature =
    header.alg === 'none' ? '' : createSign('sha256').update(signed).sign(privateKey).toString('base64url')
  return `${signed}.${signature}`
}

/** A real provider of OpenID Connect, in which whoever is `account` is logged in. */
export const startOidcProvider = async (consoleUrl: string) => {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const state: { account: Account; change?: (given: IdToken) => IdToken } = { account: { sub: 'nobody' } }
  const accounts = new Map<string, Account>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${consoleUrl}/log-in/return`],
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' } as never],
    },
    claims: { openid: ['sub'], profile: ['preferred_username', 'name', 'groups', 'email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key of the test'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => accounts.get(id) ?? { sub: id } }),
    loadExistingGrant: async (context) => {
      const { Grant } = context.oidc.provider
      const grant = new Grant({
        clientId: context.oidc.client?.clientId ?? '',
        accountId: context.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    if (context.path.startsWith('/interaction/')) {
      accounts.set(state.account.sub, state.account)
      await provider.interactionFinished(context.req, context.res, {
        login: { accountId: state.account.sub },
      })
      context.respond = false
      return
    }
    await next()
    const body = context.body as { id_token?: string } | undefined
    if (context.path === '/token' && body?.id_token && state.change)
      body.id_token = resigned(body.id_token, state.change)
  })
  const server = provider.listen(port, '127.0.0.1')
  return {
    settings: {
      SSO_ISSUER: issuer,
      SSO_CLIENT_ID: CLIENT.id,
      SSO_CLIENT_SECRET: CLIENT.secret,
    },
    state,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A browser at the provider: it follows where it is sent, and returns what it brings back to the console. */
export const browse = async (address: string, consoleUrl: string): Promise<string> => {
  const cookies = new Map<string, string>()
  let at = address
  for (let n = 0; n < 10; n++) {
    if (at.startsWith(`${consoleUrl}/`)) return new URL(at).search.slice(1)
    const reply = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const set of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    const next = reply.headers.get('location')
    if (!next) throw new Error(`${at} answers ${reply.status}: ${await reply.text()}`)
    at = new URL(next, at).href
  }
  throw new Error('It leads in circles')
}
