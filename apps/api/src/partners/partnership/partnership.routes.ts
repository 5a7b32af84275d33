import * as partnership from '@hedgerow/contract/partnership'
import type { FastifyInstance } from 'fastify'
import { validatePromocode } from '#catalogue/promocodes/promocodes.service.ts'
import { getBilling, saveBilling } from '#partners/commissions/billing.service.ts'
import { documentPdf } from '#partners/commissions/documents.service.ts'
import { countReferralVisit, getPartnership } from '#partners/partnership/partnership.service.ts'
import { getStatement } from '#partners/partnership/statement.ts'
import { listWithdrawals, requestWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { implement } from '#platform/http/implement.ts'
import { callerOf } from '#platform/http/session.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'

export const partnershipRoutes = (app: FastifyInstance, deps: Dependencies & InvoiceDependencies): void => {
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
  implement(app, partnership.getCommissionDocument, async ({ customerId, params }, reply) => {
    const bytes = await documentPdf(deps, customerId, params.withdrawalId)
    reply.type('application/pdf').header('content-disposition', 'attachment; filename="commission.pdf"')
    return bytes
  })
  implement(app, partnership.getPartnerBilling, ({ customerId }) => getBilling(deps, customerId))
  implement(app, partnership.savePartnerBilling, ({ customerId, body }) =>
    saveBilling(deps, customerId, body),
  )
}
