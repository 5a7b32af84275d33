import { listShopChecks as endpoint } from '@hedgerow/contract/console/checks'
import type { FastifyInstance } from 'fastify'
import { listShopChecks } from '#care/doctor/shop-checks.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import type { With } from '#platform/dependencies.ts'

export const checksRoutes = (app: FastifyInstance | LocalCalls, deps: With<'db'>): void => {
  implementForOperators(app, deps, endpoint, async () =>
    (await listShopChecks(deps.db)).map(({ looked_at, since, ...row }) => ({
      ...row,
      since: since.toISOString(),
      lookedAt: looked_at.toISOString(),
    })),
  )
}
