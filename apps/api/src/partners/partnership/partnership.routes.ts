import * as partnership from '@hedgerow/contract/partnership'
import type { FastifyInstance } from 'fastify'
import { validatePromocode } from '#catalogue/promocodes/promocodes.service.ts'
import { countReferralVisit, getPartnership } from '#partners/partnership/partnership.service.ts'
import { getStatement } from '#partners/partnership/statement.ts'
import { listWithdrawals, requestWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { callerOf } from '#platform/http/session.ts'

export const partnershipRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, partnership.getPartnership, ({ customerId }) => getPartnership(deps, customerId))
  implement(app, partnership.countReferralVisit, async ({ body }) => {
    await countReferralVisit(deps, body.code)
    return {}
  })
  implement(app, partnership.checkPromocode, ({ customerId, body }) =>
    validatePromocode(deps, customerId, body.promocode),
  )
  implement(app, partnership.getStatement, ({ customerId, query }) =>
    getStatement(deps, customerId, query.before),
  )
  implement(app, partnership.listWithdrawals, ({ customerId }) => listWithdrawals(deps, customerId))
  implement(app, partnership.requestWithdrawal, (request) =>
    requestWithdrawal(deps, callerOf(request), request.body),
  )
}
