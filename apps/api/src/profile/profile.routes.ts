import * as profile from '@hedgerow/contract/profile'
import { dataFileName } from '@hedgerow/domain/data-file'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#implement.ts'
import { limited, limitedByCustomer } from '#plugins/rate-limits.ts'
import { bearerOf, customerOf } from '#plugins/session.ts'
import { eraseAccount } from './erase-account.ts'
import { exportAccount } from './export-account.ts'
import { changePassword, saveProfile } from './profile.service.ts'

export const profileRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  const { brand, rateLimitScale } = deps.settings
  // One count for both: each tells whether a password is right.
  const passwordTries = limitedByCustomer(app, rateLimitScale, 10, 15)

  implement(
    app,
    profile.saveProfile,
    (request) => saveProfile(deps, customerOf(request), request.body),
    limited(rateLimitScale, 300, 10),
  )

  implement(
    app,
    profile.changePassword,
    async (request) => {
      await changePassword(deps, customerOf(request), bearerOf(request) ?? '', request.body)
      return {}
    },
    { ...limited(rateLimitScale, 30, 10), preHandler: passwordTries },
  )

  implement(
    app,
    profile.exportAccount,
    (request, reply) => {
      reply.header('content-disposition', `attachment; filename="${dataFileName(brand.name)}"`)
      return exportAccount(deps, customerOf(request))
    },
    { ...limited(rateLimitScale, 20, 10), exposeHeadRoute: false },
  )

  implement(
    app,
    profile.eraseAccount,
    async (request) => {
      await eraseAccount(deps, customerOf(request), request.body)
      return {}
    },
    { ...limited(rateLimitScale, 30, 10), preHandler: passwordTries },
  )
}
