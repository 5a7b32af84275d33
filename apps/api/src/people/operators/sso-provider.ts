import { askFor, tryAnswer, useAnswer } from '#people/operators/operator-challenges.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import type { Settings } from '#platform/settings.ts'

type Deps = With<'db' | 'settings' | 'log'>
export type Sso = NonNullable<Settings['sso']>

/** What the provider says of who has come. */
export type Comer = { issuer: string; subject: string; name: string; groups: readonly string[] }

const ANSWER_SECONDS = 10
const KNOWN_FOR_MS = 3_600_000

/** Loaded by shops that use it alone. */
const library = () => import('openid-client')
type Configuration = Awaited<ReturnType<Awaited<ReturnType<typeof library>>['discovery']>>

const known = new WeakMap<Sso, { configuration: Configuration; at: number }>()

/** The provider's own description, asked again each hour. The signature of each ID token is checked, whatever way it came. */
const discover = async (sso: Sso): Promise<Configuration> => {
  const before = known.get(sso)
  if (before && Date.now() - before.at < KNOWN_FOR_MS) return before.configuration
  const client = await library()
  const execute = [client.enableNonRepudiationChecks]
  // In development; production's settings refuse such an issuer.
  if (sso.issuer.startsWith('http:')) execute.push(client.allowInsecureRequests)
  const { issuer, clientId, clientSecret } = sso
  const configuration = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: ANSWER_SECONDS,
  })
  known.set(sso, { configuration, at: Date.now() })
  return configuration
}

/** Throws where the provider does not answer, or describes itself wrongly. */
export const checkProvider = async (sso: Sso): Promise<void> => {
  known.delete(sso)
  await discover(sso)
}

const required = ({ settings: { sso } }: With<'settings'>): Sso => {
  if (!sso) throw new Problem('sso-off')
  return sso
}

const returnAddress = ({ settings }: With<'settings'>) => `${settings.consoleUrl}/log-in/return`

/** Throws 'sso-unavailable'. */
const reached = async (deps: Deps, sso: Sso): Promise<Configuration> => {
  try {
    return await discover(sso)
  } catch (error) {
    deps.log.warn({ err: error }, 'the provider of single sign-on cannot be reached')
    throw new Problem('sso-unavailable')
  }
}

/** Where the browser goes, and the ticket that it comes back with. `operatorId`: who is logged in and links it. */
export const beginSso = async (
  deps: Deps,
  operatorId: string | null,
): Promise<{ address: string; ticket: string }> => {
  const sso = required(deps)
  const configuration = await reached(deps, sso)
  const client = await library()
  const [state, nonce, verifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ]
  const { ticket } = await askFor(deps.db, 'sso', operatorId, JSON.stringify({ state, nonce, verifier }))
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: returnAddress(deps),
    scope: sso.scopes,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { address: address.href, ticket }
}

const textsIn = (claim: unknown): string[] =>
  [claim].flat().filter((one): one is string => typeof one === 'string')

/**
 * What the provider says of who comes back with a ticket, which works once. Throws 'sso-over', 'sso-failed' and
 * 'sso-unavailable'.
 */
export const readReturn = async (
  deps: Deps,
  ticket: string,
  query: string,
): Promise<{ comer: Comer; operatorId: string | null }> => {
  const sso = required(deps)
  const asked = await tryAnswer(deps.db, ticket, 'sso')
  if (!asked || !(await useAnswer(deps.db, asked))) throw new Problem('sso-over')
  const { state, nonce, verifier } = JSON.parse(asked.challenge) as Record<
    'state' | 'nonce' | 'verifier',
    string
  >
  const configuration = await reached(deps, sso)
  const client = await library()
  try {
    const tokens = await client.authorizationCodeGrant(
      configuration,
      new URL(`${returnAddress(deps)}?${query}`),
      { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
    )
    const claims = tokens.claims()
    if (!claims) throw new Error('There is no ID token')
    // Some providers tell groups there alone.
    const all =
      claims[sso.groupsClaim] === undefined && configuration.serverMetadata().userinfo_endpoint
        ? { ...(await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
        : claims
    const [name = ''] = textsIn(all.preferred_username ?? all.name)
    const comer = { issuer: claims.iss, subject: claims.sub, name, groups: textsIn(all[sso.groupsClaim]) }
    return { comer, operatorId: asked.operator_id }
  } catch (error) {
    // No token and no code: of the library's errors only what they are called.
    const { code, message } = error as { code?: string; message?: string }
    deps.log.warn({ code, says: message }, 'a log-in by single sign-on was refused')
    throw new Problem('sso-failed')
  }
}
