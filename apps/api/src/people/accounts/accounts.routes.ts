import * as accounts from '@hedgerow/contract/accounts'
import * as sessions from '@hedgerow/contract/sessions'
import type { FastifyInstance } from 'fastify'
import {
  lookAtLink,
  requestPasswordReset,
  resendConfirmation,
  resetPassword,
  signUp,
} from '#people/accounts/accounts.service.ts'
import { proofOptions, prove } from '#people/accounts/ask-again.ts'
import { listSecurityEvents } from '#people/security-events/list-events.ts'
import { requireProof } from '#people/sessions/recent-proof.ts'
import {
  endNamedSession,
  endOtherSessions,
  endSession,
  listSessions,
} from '#people/sessions/sessions.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { bearerOf, callerOf } from '#platform/http/session.ts'

export const accountsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { publicUrl } = deps.settings

  implement(app, accounts.signup, async ({ body }) => {
    const { signupSecret, isNew } = await signUp(deps, body)
    if (isNew) deps.meters.signedUp()
    return { email: body.email, signupSecret }
  })

  implement(
    app,
    accounts.followOldConfirmLink,
    async ({ params }, reply) =>
      reply.redirect(`${publicUrl}/confirm/${encodeURIComponent(params.token)}`, 303),
    { exposeHeadRoute: false },
  )

  implement(app, accounts.lookAtLink, ({ body }) => lookAtLink(deps, body))

  implement(app, accounts.resendConfirmation, async ({ body }) => {
    await resendConfirmation(deps, body.username)
    return {}
  })

  implement(app, accounts.logout, async (request) => {
    await endSession(deps, bearerOf(request) ?? '')
    return {}
  })

  implement(app, sessions.listSessions, (request) => listSessions(deps, callerOf(request)))

  implement(app, sessions.endSession, async (request) => {
    await requireProof(deps, callerOf(request))
    await endNamedSession(deps, request.customerId, request.params.sessionId)
    return {}
  })

  implement(app, sessions.endOtherSessions, async (request) => {
    await requireProof(deps, callerOf(request))
    await endOtherSessions(deps, callerOf(request))
    return {}
  })

  implement(app, sessions.proofOptions, (request) => proofOptions(deps, callerOf(request)))

  implement(app, sessions.prove, async (request) => ({
    access_token: await prove(deps, callerOf(request), request.body),
  }))

  implement(app, sessions.listSecurityEvents, ({ customerId, query }) =>
    listSecurityEvents(deps, customerId, query.before),
  )

  implement(app, accounts.forgotPassword, async ({ body }) => {
    await requestPasswordReset(deps, body.username, body.redirectUrl)
    return {}
  })

  implement(app, accounts.resetPassword, async (request, reply) => {
    const { token, password } = request.body
    const { email, hasSecondStep, ...goingTo } = await resetPassword(deps, token, password)
    // The owner of the mailbox gets past what strangers do to the account's limits; not to those of its second step.
    if (!hasSecondStep) await deps.knownBrowsers.remember(request, reply, email)
    return { email, ...goingTo }
  })
}
