import { Readable } from 'node:stream'
import { CSRF_COOKIE, SECURE_CSRF_COOKIE } from '@hedgerow/contract/csrf'
import { type Consequence, ruleOf } from '@hedgerow/domain/consequences'
import { mayRole, type Permission, permissionsOf } from '@hedgerow/domain/operator-roles'
import { PROOF_MINUTES } from '@hedgerow/domain/sessions'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenAnswers } from '#people/operators/open-answers.ts'
import {
  findOperatorSession,
  findOperatorToken,
  findSecondsLeft,
  type NamedOperator,
} from '#people/operators/operator-sessions.queries.ts'
import { lockOperators } from '#people/operators/operators.queries.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { guardCallers } from '#platform/http/guard-callers.ts'
import { ownCookieName } from '#platform/http/own-cookies.ts'
import { Problem } from '#platform/http/problems.ts'
import { bearerOf } from '#platform/http/session.ts'

/** The cookie of an operator's session. No script can read it, and no other site's page has it sent. */
export const OPERATOR_COOKIE = 'operator-session'

/** Who calls. A session's permissions are its role's; a token's are those that it was given and its operator still has. */
export type OperatorCaller = NamedOperator & {
  permissions: ReadonlySet<Permission>
  endsAt: Date
} & (
    | { by: 'session'; sessionId: string; proofAgeSeconds: number }
    | { by: 'token'; tokenId: string; tokenName: string }
    /** By the tool; `shell` is who is logged in there. */
    | { by: 'shell'; shell: string }
    /** By another operator, who confirmed what this one had asked for. */
    | { by: 'confirmed'; secondPersonId: string; confirmedBy: { id: string; name: string } }
  )

declare module 'fastify' {
  interface FastifyRequest {
    operator: OperatorCaller | undefined
  }
  interface FastifyContextConfig {
    permission?: Permission | 'own'
    consequence?: Consequence
  }
}

declare module '#platform/http/implement.ts' {
  interface Callers {
    operator: { operator: OperatorCaller }
  }
}

type Deps = With<'db' | 'settings'>

export const isConsoleSecure = ({ settings }: With<'settings'>): boolean =>
  settings.consoleUrl.startsWith('https:')

/** The token that the session's cookie holds. */
export const sessionTokenOf = (request: FastifyRequest, deps: With<'settings'>): string | undefined =>
  request.cookies[ownCookieName(OPERATOR_COOKIE, isConsoleSecure(deps))]

const bySession = async ({ db }: Deps, token: string): Promise<OperatorCaller | undefined> => {
  const row = await findOperatorSession(db, token)
  return (
    row && {
      id: row.id,
      name: row.name,
      role: row.role,
      permissions: new Set(permissionsOf(row.role)),
      endsAt: row.ends_at,
      by: 'session',
      sessionId: row.session_id,
      proofAgeSeconds: row.proof_age_s,
    }
  )
}

const byToken = async ({ db }: Deps, token: string): Promise<OperatorCaller | undefined> => {
  const row = await findOperatorToken(db, token)
  return (
    row && {
      id: row.id,
      name: row.name,
      role: row.role,
      permissions: new Set(row.permissions.filter((permission) => mayRole(row.role, permission))),
      endsAt: row.expires_at,
      by: 'token',
      tokenId: row.token_id,
      tokenName: row.token_name,
    }
  )
}

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/** The cookie of a session comes by itself, so that a page has to show what no other site's page can know. */
const hasCsrfCookie = ({ cookies }: FastifyRequest) =>
  (cookies[SECURE_CSRF_COOKIE] ?? cookies[CSRF_COOKIE]) !== undefined

const callerOf = async (request: FastifyRequest, deps: Deps): Promise<OperatorCaller | undefined> => {
  const token = bearerOf(request)
  if (token) return byToken(deps, token)
  const session = sessionTokenOf(request, deps)
  if (!session) return undefined
  if (!SAFE_METHODS.has(request.method) && !hasCsrfCookie(request)) throw new Problem('wrong-csrf-token')
  return bySession(deps, session)
}

/**
 * In how many seconds a caller whose answer lasts is out if they do nothing; undefined when they are, or have another role.
 * It does not count as a use.
 */
export const secondsIn = async (
  { db }: With<'db'>,
  { id, role, ...caller }: OperatorCaller,
): Promise<number | undefined> =>
  caller.by === 'shell' || caller.by === 'confirmed'
    ? Number.POSITIVE_INFINITY
    : findSecondsLeft(
        db,
        { id, role },
        caller.by === 'session' ? { sessionId: caller.sessionId } : { tokenId: caller.tokenId },
      )

/** Ends an answer that lasts with what opened it. False when that is over already. */
export const holdAnswer = async (
  deps: With<'db'> & { openAnswers: OpenAnswers },
  { raw }: Pick<FastifyReply, 'raw'>,
  caller: OperatorCaller,
  cut?: () => void,
): Promise<boolean> => {
  if (caller.by === 'shell' || caller.by === 'confirmed') return true
  const by = caller.by === 'session' ? caller.sessionId : caller.tokenId
  deps.openAnswers.add(raw, [caller.id, by], caller.endsAt, cut)
  // Once it is listed: an end before was not heard of.
  return (await secondsIn(deps, caller)) !== undefined
}

/**
 * Before anything is kept that lets in or decides who does: what takes the caller's own session away waits until the
 * transaction is over, and ends what was made in it. Throws 'operator-not-signed-in'.
 */
export const holdCaller = async (trx: Trx, caller: OperatorCaller): Promise<void> => {
  await lockOperators(trx)
  if ((await secondsIn({ db: trx }, caller)) === undefined) throw new Problem('operator-not-signed-in')
}

/** Throws 'not-for-tokens', and 'ask-again' unless it was proved a moment ago who is there, where the consequence takes that. */
const requireProofFor = (operator: OperatorCaller, consequence: Consequence): void => {
  const { proof } = ruleOf(consequence)
  if (proof === 'none') return
  if (operator.by === 'token') throw new Problem('not-for-tokens')
  if (proof === 'fresh' && operator.by === 'session' && operator.proofAgeSeconds > PROOF_MINUTES * 60)
    throw new Problem('ask-again')
}

/** Asks who calls and whether they may, on every endpoint that is for operators. */
export const guardOperators = (app: FastifyInstance, deps: Deps & { openAnswers: OpenAnswers }): void => {
  app.decorateRequest('operator', undefined)
  guardCallers(app, 'operator', async (request) => {
    const { permission, consequence } = request.routeOptions.config
    const operator = await callerOf(request, deps)
    if (!operator) throw new Problem('operator-not-signed-in')
    request.operator = operator
    if (permission === 'own') {
      if (operator.by === 'token') throw new Problem('not-permitted')
    } else if (!permission || !operator.permissions.has(permission)) throw new Problem('not-permitted')
    if (!consequence) throw new Error(`${request.routeOptions.url} states no consequence`)
    requireProofFor(operator, consequence)
  })
  // A file may take minutes.
  app.addHook('onSend', async ({ operator }, reply, payload) => {
    if (!operator || !(payload instanceof Readable)) return
    if (!(await holdAnswer(deps, reply, operator))) reply.raw.destroy()
  })
}
