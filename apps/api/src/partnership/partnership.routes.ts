import * as partnership from '@hedgerow/contract/partnership'
import type { FastifyInstance } from 'fastify'
import type { Dependencies } from '#dependencies.ts'
import { implement } from '#http/implement.ts'
import { customerOf } from '#http/session.ts'
import { countReferralVisit, getPartnership } from '#partnership/partnership.service.ts'
import { getStatement } from '#partnership/statement.ts'
import { listWithdrawals, requestWithdrawal } from '#partnership/withdrawals.service.ts'
import { judgePromocode } from '#promocodes/promocodes.service.ts'

export const partnershipRoutes = (app: FastifyInstance, deps: Dependencies): void => {
  implement(app, partnership.getPartnership, (request) => getPartnership(deps, customerOf(request)))
  implement(app, partnership.countReferralVisit, async ({ body }) => {
    await countReferralVisit(deps, body.code)
    return {}
  })
  implement(app, partnership.checkPromocode, (request) =>
    judgePromocode(deps, customerOf(request), request.body.promocode),
  )
  implement(app, partnership.getStatement, (request) =>
    getStatement(deps, customerOf(request), request.query.before),
  )
  implement(app, partnership.listWithdrawals, (request) => listWithdrawals(deps, customerOf(request)))
  implement(app, partnership.requestWithdrawal, (request) =>
    requestWithdrawal(deps, customerOf(request), request.body),
  )
}
