import { compareDay } from '@hedgerow/contract/console/reconciliation'
import { isDay } from '@hedgerow/domain/periods'
import type { FastifyInstance } from 'fastify'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { compareSome } from '#desk/reconciliation/reconcile.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField } from '#platform/http/problems.ts'

/** Whether payments stand at the gateway as they do here. */
export const reconciliationRoutes = (app: FastifyInstance, deps: With<'db'> & PaymentDependencies): void => {
  implementForOperators(app, deps, compareDay, async ({ query: { day, skip } }) => {
    if (!isDay(day)) throw invalidField('day', 'There is no such day.')
    const { compared, next } = await compareSome(deps, new Date(`${day}T00:00:00Z`), skip)
    return {
      compared: compared.length,
      silent: compared.filter(({ differences }) => differences === undefined).length,
      different: compared
        .filter(({ differences }) => differences && differences.length > 0)
        .map(({ payment, differences }) => ({
          paymentId: payment.id,
          createdAt: payment.created_at.toISOString(),
          says: (differences ?? []).map(
            ({ what, shop, gateway }) => `${what}: here ${shop}, there ${gateway}`,
          ),
        })),
      next,
    }
  })
}
