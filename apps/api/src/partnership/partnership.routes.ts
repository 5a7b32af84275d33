import * as partnership from '@hedgerow/contract/partnership'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { callerOf } from '#http/session.ts'
import { countReferralVisit, getPartnership } from '#partnership/partnership.service.ts'
import { getStatement } from '#partnership/statement.ts'
import { listWithdrawals, requestWithdrawal } from '#partnership/withdrawals.service.ts'
import { validatePromocode } from '#promocodes/promocodes.service.ts'

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
