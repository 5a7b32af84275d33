import { chargebackNotice } from '@hedgerow/contract/disputes'
import type { FastifyInstance } from 'fastify'
import type { With } from '#dependencies.ts'
import { takeNotice } from '#disputes/take-notice.ts'
import { implement } from '#http/implement.ts'

export const disputesRoutes = (app: FastifyInstance, deps: With<'db'>): void => {
  implement(app, chargebackNotice, async ({ body }) => {
    await takeNotice(deps, body)
    // The same whatever it said: nobody learns here which payments there are.
    return {}
  })
}
