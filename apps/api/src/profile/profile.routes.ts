import type { LoginReply } from '@hedgerow/contract/accounts'
import * as accounts from '@hedgerow/contract/accounts'
import * as profile from '@hedgerow/contract/profile'
import { dataFileName } from '@hedgerow/domain/data-file'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { confirmAccount, type LoggedIn, logIn } from '#accounts/accounts.service.ts'
import { countPasswordTry } from '#accounts/password-tries.ts'
import { listConnections } from '#connections/connections.service.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { bearerOf } from '#http/session.ts'
import { eraseAccount } from '#profile/erase-account.ts'
import { exportAccount } from '#profile/export-account.ts'
import { presentProfile } from '#profile/profile.present.ts'
import { changePassword, getProfile, saveProfile } from '#profile/profile.service.ts'

export const profileRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { brand } = deps.settings

  const answerLogin = async (
    request: Pick<FastifyRequest, 'cookies'>,
    reply: FastifyReply,
    { token, customer }: LoggedIn,
  ): Promise<LoginReply> => {
    await deps.knownBrowsers.remember(request, reply, customer.email)
    const connections = await listConnections(deps, customer.id)
    return { access_token: token, profile: presentProfile(customer, connections) }
  }

  // These answer with the profile, so they stand here and not with the other doors of an account.
  implement(app, accounts.login, async (request, reply) => {
    const { username, password } = request.body
    return answerLogin(request, reply, await logIn(deps, username, password))
  })

  implement(app, accounts.confirmAccount, async (request, reply) => {
    const { redirectUrl, ...loggedIn } = await confirmAccount(deps, request.params.token, request.body)
    return {
      ...(await answerLogin(request, reply, loggedIn)),
      ...(redirectUrl === undefined ? {} : { redirectUrl }),
    }
  })

  implement(app, accounts.getProfile, ({ customerId }) => getProfile(deps, customerId))

  implement(app, profile.saveProfile, ({ customerId, body }) => saveProfile(deps, customerId, body))

  implement(app, profile.changePassword, async (request, reply) => {
    const { customerId, body } = request
    const token = bearerOf(request) ?? ''
    await countPasswordTry(deps, customerId, token)
    const email = await changePassword(deps, customerId, token, body)
    await deps.knownBrowsers.remember(request, reply, email)
    return {}
  })

  implement(
    app,
    profile.exportAccount,
    ({ customerId }, reply) => {
      reply.header('content-disposition', `attachment; filename="${dataFileName(brand.name)}"`)
      return exportAccount(deps, customerId)
    },
    { exposeHeadRoute: false },
  )

  implement(app, profile.eraseAccount, async (request) => {
    await countPasswordTry(deps, request.customerId, bearerOf(request) ?? '')
    await eraseAccount(deps, request.customerId, request.body)
    return {}
  })
}
