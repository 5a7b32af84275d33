import { chargebackNotice } from '@hedgerow/contract/disputes'
import type { FastifyInstance } from 'fastify'
import { takeNotice } from '#money/disputes/take-notice.ts'
import type { With } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'

export const disputesRoutes = (app: FastifyInstance, deps: With<'db'>): void => {
  implement(app, chargebackNotice, async ({ body }) => {
    await takeNotice(deps, body)
    // The same whatever it said: it does not reveal which payments there are.
    return {}
  })
}
