import {
  beginSso as beginSsoEndpoint,
  finishOperatorLogIn,
  finishSso,
  getOperatorSession,
  getSso,
  logInByOperatorPasskey,
  logInOperator,
  logOutOperator,
  type OperatorSession,
  operatorPasskeyOptions,
  operatorProofOptions,
  proveOperator as proveOperatorEndpoint,
} from '@hedgerow/contract/console/session'
import { OPERATOR_SESSION_HOURS, permissionsOf } from '@hedgerow/domain/operator-roles'
import { versionLine } from '@hedgerow/settings/running-version'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import {
  isConsoleSecure,
  OPERATOR_COOKIE,
  type OperatorCaller,
  sessionTokenOf,
} from '#people/operators/guard-operators.ts'
import { recordIntent } from '#people/operators/operator-actions.ts'
import { endOwnSession } from '#people/operators/operators.service.ts'
import { letInBySso, linkSso } from '#people/operators/sso.ts'
import { beginSso, readReturn } from '#people/operators/sso-provider.ts'
import {
  askPasskey,
  checkOperatorCode,
  checkOperatorPasskey,
  checkOperatorPassword,
  type Deps,
  proofOptions,
  proveOperator,
  startOperatorSession,
  type UsedWay,
} from '#people/operators/ways-in.ts'
import type { OperatorRow } from '#platform/database/tables/operators.table.ts'
import type { With } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { dropOwnCookie, ownCookieName, setOwnCookie } from '#platform/http/own-cookies.ts'
import { Problem } from '#platform/http/problems.ts'

const HOUR_MS = 3_600_000
const SSO_SECONDS = 600

const setSessionCookie = (reply: FastifyReply, deps: With<'settings'>, token: string): void =>
  setOwnCookie(reply, OPERATOR_COOKIE, token, isConsoleSecure(deps), { httpOnly: true, sameSite: 'strict' })

const SSO_COOKIE = 'operator-sso'

/** Whoever comes back from the provider has to be in the browser that went there. */
export const setSsoCookie = (reply: FastifyReply, deps: With<'settings'>, ticket: string): void =>
  setOwnCookie(reply, SSO_COOKIE, ticket, isConsoleSecure(deps), {
    httpOnly: true,
    sameSite: 'strict',
    maxAge: SSO_SECONDS,
  })

const ssoTicketOf = (request: FastifyRequest, deps: With<'settings'>): string | undefined =>
  request.cookies[ownCookieName(SSO_COOKIE, isConsoleSecure(deps))]

const present = (
  { id, name, role }: Pick<OperatorCaller, 'id' | 'name' | 'role'>,
  endsAt: Date,
): OperatorSession => ({
  operator: { id, name, role, permissions: permissionsOf(role) },
  endsAt: endsAt.toISOString(),
  version: versionLine(),
})

/** Starts a session in the caller's browser, which is known from then on, and records who has come. */
export const letIn = async (
  deps: With<'db' | 'knownBrowsers' | 'settings'>,
  request: Pick<FastifyRequest, 'cookies'>,
  reply: FastifyReply,
  operator: OperatorRow,
  way: UsedWay,
): Promise<OperatorSession> => {
  const token = await startOperatorSession(deps, operator.id, way)
  const who = `${operator.name}@console`
  const end = await recordIntent(deps, {
    who,
    command: 'operator log-in',
    arguments: {},
    subject: operator.id,
  })
  await end('done')
  setSessionCookie(reply, deps, token)
  await deps.knownBrowsers.remember(request, reply, operator.name)
  return present(operator, new Date(Date.now() + OPERATOR_SESSION_HOURS * HOUR_MS))
}

/** How operators get in, show again who they are, and leave. */
export const sessionRoutes = (app: FastifyInstance, deps: Deps & With<'log'>): void => {
  implement(app, logInOperator, (request) => checkOperatorPassword(deps, request, request.body))

  implement(app, finishOperatorLogIn, async (request, reply) => {
    const operator = await checkOperatorCode(deps, request, request.body)
    return letIn(deps, request, reply, operator, { passwordHash: operator.password_hash })
  })

  implement(app, operatorPasskeyOptions, () => askPasskey(deps))

  implement(app, logInByOperatorPasskey, async (request, reply) =>
    letIn(deps, request, reply, await checkOperatorPasskey(deps, request.body), {
      credentialId: request.body.credential.id,
    }),
  )

  implement(app, getSso, async () => ({ isOffered: deps.settings.sso !== null }))

  implement(app, beginSsoEndpoint, async (_, reply) => {
    const { address, ticket } = await beginSso(deps, null)
    setSsoCookie(reply, deps, ticket)
    return { address }
  })

  implement(app, finishSso, async (request, reply) => {
    const { sso } = deps.settings
    const ticket = ssoTicketOf(request as never, deps)
    dropOwnCookie(reply, SSO_COOKIE, isConsoleSecure(deps))
    if (!sso || !ticket) throw new Problem(sso ? 'sso-over' : 'sso-off')
    const { comer, operatorId } = await readReturn(deps, ticket, request.body.query)
    if (operatorId) {
      await linkSso({ ...deps, sso }, comer, operatorId)
      return { outcome: 'linked' as const, invitation: null }
    }
    const { operator, invitation } = await letInBySso({ ...deps, sso }, comer)
    if (invitation) return { outcome: 'invited' as const, invitation }
    await letIn(deps, request as never, reply, operator, 'sso')
    return { outcome: 'in' as const, invitation: null }
  })

  implementForOperators(app, deps, getOperatorSession, async ({ operator }) =>
    present(operator, operator.endsAt),
  )

  implementForOperators(app, deps, logOutOperator, async ({ operator }, reply) => {
    if (operator.by === 'session') await endOwnSession(deps, operator, operator.sessionId)
    dropOwnCookie(reply, OPERATOR_COOKIE, isConsoleSecure(deps))
    return {}
  })

  implementForOperators(app, deps, operatorProofOptions, ({ operator }) => proofOptions(deps, operator))

  implementForOperators(app, deps, proveOperatorEndpoint, async (request, reply) => {
    const session = sessionTokenOf(request as never, deps)
    if (!session) throw new Problem('operator-not-signed-in')
    setSessionCookie(reply, deps, await proveOperator(deps, request.operator, session, request.body))
    return {}
  })
}
