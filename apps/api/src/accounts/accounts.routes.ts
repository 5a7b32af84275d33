import * as accounts from '@hedgerow/contract/accounts'
import type { FastifyInstance } from 'fastify'
import {
  confirmAccount,
  logOut,
  requestPasswordReset,
  resendConfirmation,
  resetPassword,
  signUp,
} from '#accounts/accounts.service.ts'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { limited, limitedByField } from '#http/rate-limits.ts'
import { bearerOf } from '#http/session.ts'

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
}
