import type { LoginReply } from '@hedgerow/contract/accounts'
import * as accounts from '@hedgerow/contract/accounts'
import * as profile from '@hedgerow/contract/profile'
import * as secondStep from '@hedgerow/contract/second-step'
import { dataFileName } from '@hedgerow/domain/data-file'
import { FEW_RECOVERY_CODES } from '@hedgerow/domain/second-step'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { eraseAccount } from '#desk/profile/erase-account.ts'
import { exportAccount } from '#desk/profile/export-account.ts'
import { presentProfile } from '#desk/profile/profile.present.ts'
import { changePassword, getProfile, saveProfile } from '#desk/profile/profile.service.ts'
import { listConnections } from '#network/connections/connections.service.ts'
import { confirmAccount } from '#people/accounts/accounts.service.ts'
import { lockOf } from '#people/accounts/customers.ts'
import { findWaiting, finishLogin } from '#people/accounts/finish-log-in.ts'
import { type LoggedIn, logIn } from '#people/accounts/log-in.ts'
import { logInByPasskey, loginPasskeyOptions } from '#people/accounts/log-in-by-passkey.ts'
import { countPasswordTry } from '#people/accounts/password-tries.ts'
import { countRecoveryCodes } from '#people/second-step/second-step.service.ts'
import { recordEvent, recordLogIn } from '#people/security-events/security-events.ts'
import { requireProof } from '#people/sessions/recent-proof.ts'
import { endSession } from '#people/sessions/sessions.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { bearerOf, callerOf } from '#platform/http/session.ts'

export const profileRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { brand } = deps.settings

  /** Whoever logs in within a session gets another in its place. `isFirst`: nobody was there before. */
  const answerLogin = async (
    request: Pick<FastifyRequest, 'cookies' | 'headers'>,
    reply: FastifyReply,
    { token, customer }: LoggedIn,
    isFirst = false,
  ): Promise<LoginReply> => {
    const lock = lockOf(customer)
    const isKnown = (await deps.knownBrowsers.idFor(request, customer.email, lock)) !== undefined
    await recordLogIn(deps, customer.id, isKnown || isFirst)
    const replaced = bearerOf(request)
    if (replaced !== undefined) await endSession(deps, replaced)
    await deps.knownBrowsers.remember(request, reply, customer.email, lock)
    const connections = await listConnections(deps, customer.id)
    return { access_token: token, profile: presentProfile(customer, connections) }
  }

  // These answer with the profile, so they stand here and not with the other doors of an account.
  implement(app, accounts.login, async (request, reply) => {
    const { username, password } = request.body
    const entered = await logIn(deps, username, password)
    return 'secondStep' in entered ? entered : answerLogin(request, reply, entered)
  })

  implement(app, secondStep.finishLogin, async (request, reply) => {
    const waiting = await findWaiting(deps, request.body.ticket)
    const from = {
      browser: await deps.knownBrowsers.idFor(request, waiting.email),
      address: request.ip,
    }
    const entered = await finishLogin(deps, waiting, from, request.body)
    const left = await countRecoveryCodes(deps.db, waiting.id)
    return {
      ...(await answerLogin(request, reply, entered)),
      ...(left <= FEW_RECOVERY_CODES ? { recoveryCodesLeft: left } : {}),
    }
  })
  implement(app, secondStep.loginPasskeyOptions, () => loginPasskeyOptions(deps))

  implement(app, secondStep.loginByPasskey, async (request, reply) =>
    answerLogin(request, reply, await logInByPasskey(deps, request.body)),
  )

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
