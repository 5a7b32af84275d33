import type { LoginReply } from '@hedgerow/contract/accounts'
import * as accounts from '@hedgerow/contract/accounts'
import * as profile from '@hedgerow/contract/profile'
import { dataFileName } from '@hedgerow/domain/data-file'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmAccount } from '#accounts/accounts.service.ts'
import { type LoggedIn, logIn } from '#accounts/log-in.ts'
import { countPasswordTry } from '#accounts/password-tries.ts'
import { listConnections } from '#connections/connections.service.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { bearerOf, callerOf } from '#http/session.ts'
import { eraseAccount } from '#profile/erase-account.ts'
import { exportAccount } from '#profile/export-account.ts'
import { presentProfile } from '#profile/profile.present.ts'
import { changePassword, getProfile, saveProfile } from '#profile/profile.service.ts'
import { recordEvent, recordLogIn } from '#security-events/security-events.ts'
import { requireProof } from '#sessions/recent-proof.ts'
import { endSession } from '#sessions/sessions.service.ts'

export const profileRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { brand } = deps.settings

  /** Whoever logs in within a session gets another in its place. `isFirst`: nobody was there before. */
  const answerLogin = async (
    request: Pick<FastifyRequest, 'cookies' | 'headers'>,
    reply: FastifyReply,
    { token, customer }: LoggedIn,
    isFirst = false,
  ): Promise<LoginReply> => {
    const isKnown = (await deps.knownBrowsers.idFor(request, customer.email)) !== undefined
    await recordLogIn(deps, customer.id, isKnown || isFirst)
    const replaced = bearerOf(request)
    if (replaced !== undefined) await endSession(deps, replaced)
    await deps.knownBrowsers.remember(request, reply, customer.email)
    const connections = await listConnections(deps, customer.id)
    return { access_token: token, profile: presentProfile(customer, connections) }
  }

  // These answer with the profile, so they stand here and not with the other doors of an account.
  implement(app, accounts.login, async (request, reply) => {
    const { username, password } = request.body
    const entered = await logIn(deps, username, password)
    return 'secondStep' in entered ? entered : answerLogin(request, reply, entered)
  })

  implement(app, accounts.confirmAccount, async (request, reply) => {
    const { redirectUrl, ...loggedIn } = await confirmAccount(deps, request.params.token, request.body)
    return {
      ...(await answerLogin(request, reply, loggedIn, true)),
      ...(redirectUrl === undefined ? {} : { redirectUrl }),
    }
  })

  implement(app, accounts.getProfile, ({ customerId }) => getProfile(deps, customerId))

  implement(app, profile.saveProfile, ({ customerId, body }) => saveProfile(deps, customerId, body))

  implement(app, profile.changePassword, async (request, reply) => {
    const caller = callerOf(request)
    await countPasswordTry(deps, caller.customerId, caller.sessionToken)
    const email = await changePassword(deps, caller, request.body)
    await deps.knownBrowsers.remember(request, reply, email)
    return {}
  })

  implement(
    app,
    profile.exportAccount,
    async (request, reply) => {
      const { customerId } = request
      await requireProof(deps, callerOf(request))
      await recordEvent(deps, customerId, 'data-exported')
      reply.header('content-disposition', `attachment; filename="${dataFileName(brand.name)}"`)
      return exportAccount(deps, customerId)
    },
    { exposeHeadRoute: false },
  )

  implement(app, profile.eraseAccount, async (request) => {
    const caller = callerOf(request)
    await countPasswordTry(deps, caller.customerId, caller.sessionToken)
    await eraseAccount(deps, caller, request.body)
    return {}
  })
}
