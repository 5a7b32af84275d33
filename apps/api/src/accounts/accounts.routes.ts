import * as accounts from '@hedgerow/contract/accounts'
import type { FastifyInstance } from 'fastify'
import { listConnections } from '#connections/connections.service.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { limited, limitedByField } from '#plugins/rate-limits.ts'
import { bearerOf, customerOf } from '#plugins/session.ts'
import { Problem } from '#problems.ts'
import { presentProfile } from './accounts.present.ts'
import { findCustomer } from './accounts.queries.ts'
import {
  confirmAccount,
  logIn,
  logOut,
  requestPasswordReset,
  resendConfirmation,
  resetPassword,
  signUp,
} from './accounts.service.ts'

export const accountsRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { publicUrl, rateLimitScale } = deps.settings
  const limit = (max: number, minutes: number) => limited(rateLimitScale, max, minutes)
  const limitField = (field: string, max: number, minutes: number) =>
    limitedByField(app, rateLimitScale, field, max, minutes)

  implement(
    app,
    accounts.signup,
    async ({ body }) => {
      await signUp(deps, body)
      deps.meters.signedUp()
      return { email: body.email }
    },
    limit(20, 10),
  )

  implement(
    app,
    accounts.confirmAccount,
    async ({ params }, reply) => {
      const email = await confirmAccount(deps, params.token)
      const page = email ? `/result?email=${encodeURIComponent(email)}` : '/confirm-failed'
      return reply.redirect(publicUrl + page, 303)
    },
    { ...limit(60, 10), exposeHeadRoute: false },
  )

  implement(
    app,
    accounts.resendConfirmation,
    async ({ body }) => {
      await resendConfirmation(deps, body.username)
      return {}
    },
    { ...limit(20, 10), preHandler: limitField('username', 3, 60) },
  )

  implement(
    app,
    accounts.login,
    async ({ body }) => {
      const { token, customer } = await logIn(deps, body.username, body.password)
      return {
        access_token: token,
        profile: presentProfile(customer, await listConnections(deps, customer.id)),
      }
    },
    { ...limit(60, 10), preHandler: limitField('username', 10, 15) },
  )

  implement(app, accounts.logout, async (request) => {
    await logOut(deps, bearerOf(request) ?? '')
    return {}
  })

  implement(
    app,
    accounts.forgotPassword,
    async ({ body }) => {
      await requestPasswordReset(deps, body.username)
      return {}
    },
    { ...limit(20, 10), preHandler: limitField('username', 5, 60) },
  )

  implement(
    app,
    accounts.resetPassword,
    async ({ body }) => {
      await resetPassword(deps, body.token, body.password)
      return {}
    },
    limit(20, 10),
  )

  implement(app, accounts.getProfile, async (request) => {
    const customer = await findCustomer(deps.db, customerOf(request))
    if (!customer) throw new Problem('not-signed-in')
    return presentProfile(customer, await listConnections(deps, customer.id))
  })
}
