import {
  acceptInvitation as acceptInvitationEndpoint,
  addOperatorPasskey,
  beginOperatorApp,
  beginOperatorPasskey,
  createOperatorToken,
  dropOperatorPassword,
  endOperatorSession,
  endOperatorToken,
  getOwnAccount,
  linkSso,
  openInvitation as openInvitationEndpoint,
  removeOperatorPasskey,
  setOperatorPassword,
  unlinkSso,
} from '@hedgerow/contract/console/operators'
import { isoOrNull } from '@hedgerow/domain/dates'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { letIn, setSsoCookie } from '#desk/console/session.routes.ts'
import {
  acceptInvitation,
  addOwnPasskey,
  beginOwnApp,
  beginOwnPasskey,
  createOwnToken,
  deleteOwnToken,
  dropOwnPassword,
  endOwnSession,
  listOwnSessions,
  listOwnTokens,
  listOwnWaysIn,
  openInvitation,
  removeOwnPasskey,
  setOwnPassword,
} from '#people/operators/operators.service.ts'
import { unlinkSso as deleteOwnLink, isLinked } from '#people/operators/sso.ts'
import { beginSso } from '#people/operators/sso-provider.ts'
import type { Deps } from '#people/operators/ways-in.ts'
import type { With } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { Problem } from '#platform/http/problems.ts'

/** The operator's own account: what they get in by, where they are in, and what programs get in with. */
const accountRoutes = (app: FastifyInstance, deps: Deps & With<'log'>): void => {
  const ssoOf = async (operatorId: string): Promise<'off' | 'offered' | 'linked'> => {
    if (!deps.settings.sso) return 'off'
    return (await isLinked(deps, operatorId)) ? 'linked' : 'offered'
  }

  implementForOperators(app, deps, getOwnAccount, async ({ operator }) => {
    const { hasPassword, passkeys } = await listOwnWaysIn(deps, operator)
    const current = operator.by === 'session' ? operator.sessionId : undefined
    return {
      hasPassword,
      sso: await ssoOf(operator.id),
      passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
        id,
        name,
        createdAt: created_at.toISOString(),
        lastUsedAt: isoOrNull(last_used_at),
      })),
      sessions: (await listOwnSessions(deps.db, operator.id)).map((session) => ({
        id: session.id,
        isCurrent: session.id === current,
        browser: session.browser,
        network: session.network,
        createdAt: session.created_at.toISOString(),
        lastUsedAt: session.last_used_at.toISOString(),
      })),
      tokens: (await listOwnTokens(deps.db, operator.id)).map((token) => ({
        id: token.id,
        name: token.name,
        permissions: token.permissions,
        createdAt: token.created_at.toISOString(),
        expiresAt: token.expires_at.toISOString(),
        lastUsedAt: isoOrNull(token.last_used_at),
      })),
    }
  })

  implementForOperators(app, deps, beginOperatorPasskey, ({ operator }) => beginOwnPasskey(deps, operator))

  implementForOperators(app, deps, addOperatorPasskey, async ({ operator, body }) => {
    await addOwnPasskey(deps, operator, body)
    return {}
  })

  implementForOperators(app, deps, removeOperatorPasskey, async ({ operator, params }) => {
    await removeOwnPasskey(deps, operator, params.passkeyId)
    return {}
  })

  implementForOperators(app, deps, beginOperatorApp, ({ operator }) => beginOwnApp(deps, operator))

  implementForOperators(app, deps, setOperatorPassword, async (request, reply) => {
    await setOwnPassword(deps, request.operator, request.body)
    await deps.knownBrowsers.remember(request as never, reply, request.operator.name)
    return {}
  })

  implementForOperators(app, deps, dropOperatorPassword, async ({ operator }) => {
    await dropOwnPassword(deps, operator)
    return {}
  })

  implementForOperators(app, deps, endOperatorSession, async ({ operator, params }) => {
    await endOwnSession(deps, operator, params.sessionId)
    return {}
  })

  implementForOperators(app, deps, linkSso, async ({ operator }, reply) => {
    const { address, ticket } = await beginSso(deps, operator.id)
    setSsoCookie(reply, deps, ticket)
    return { address }
  })

  implementForOperators(app, deps, unlinkSso, async ({ operator }) => {
    await deleteOwnLink(deps, operator)
    return {}
  })

  implementForOperators(app, deps, createOperatorToken, async ({ operator, body, recordSubject }) => {
    const made = await createOwnToken(deps, operator, body)
    recordSubject(made.id)
    return made
  })

  implementForOperators(app, deps, endOperatorToken, async ({ operator, params }) => {
    if (!(await deleteOwnToken(deps.db, operator.id, params.tokenId))) throw new Problem('token-not-found')
    return {}
  })
}

/** What operators do about themselves, in the console alone: how they get in, from the invitation on. */
export const ownAccountRoutes = (app: FastifyInstance, deps: Deps & With<'log'>): void => {
  accountRoutes(app, deps)

  implement(app, openInvitationEndpoint, ({ body }) => openInvitation(deps, body.token))

  implement(app, acceptInvitationEndpoint, async (request, reply) => {
    const operator = await acceptInvitation(deps, request.body.token, request.body)
    await letIn(deps, request, reply, operator, 'invitation')
    return {}
  })
}
