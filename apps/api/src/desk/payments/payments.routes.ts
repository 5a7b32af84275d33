import * as contract from '@hedgerow/contract/console/payments'
import { formatUkTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { paymentRefusalText } from '@hedgerow/domain/payment-refusals'
import { refundRefusalText } from '@hedgerow/domain/refund-refusals'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { approveSum } from '#desk/operators/approve-sum.ts'
import { requireWordFrom } from '#desk/payments/first-word.ts'
import {
  factsOrder,
  findFacts,
  listFactsOfOrder,
  listNotesOf,
  listRefunders,
  type PaymentFacts,
  selectFacts,
} from '#desk/payments/payment-facts.queries.ts'
import { listedPayment, presentPaymentReport, refundView } from '#desk/payments/payments.present.ts'
import { compareOne } from '#desk/reconciliation/reconcile.ts'
import { cancelForCustomer, previewForOperator } from '#money/cancellations/cancellations.service.ts'
import { listDisputesOf } from '#money/disputes/disputes.service.ts'
import { claimPageOf } from '#money/gateway/adapters.ts'
import type { GatewayDependencies } from '#money/gateway/gateway.ts'
import { resolvePayment } from '#money/payments/exceptions/resolve-payment.ts'
import { listSteps } from '#money/payments/payments.service.ts'
import { settleOver } from '#money/payments/updates/other-sum.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import { listReferences, listRefunds, requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import type { OperatorCaller } from '#people/operators/guard-operators.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { measureUse } from '#sales/renewals/change-ends.ts'

type Deps = ConsoleListDependencies & GatewayDependencies & With<'settings'>
type App = FastifyInstance | LocalCalls

const payments: ListDefinition<
  z.output<typeof contract.listPayments.schema.querystring>,
  PaymentFacts,
  contract.ListedPayment
> = {
  query: selectFacts,
  ...factsOrder,
  show: listedPayment,
  columns: fileColumns(contract.listPayments.columns),
}

const claimPages =
  ({ settings }: Deps, { gateway }: PaymentFacts) =>
  (ref: string | null) =>
    claimPageOf(settings, gateway, ref)

const refundsRoutes = (app: App, deps: Deps): void => {
  const refundOf = async (paymentId: string, refundId: string) => {
    const payment = await findFacts(deps.db, paymentId)
    const refund = (await listRefunds(deps.db, [paymentId])).find(({ id }) => id === refundId)
    if (!payment || !refund) throw new Problem('payment-not-found')
    return refundView(
      refund,
      paidSum(payment).currency,
      payment.cancelled_at,
      {
        references: await listReferences(deps.db, [paymentId]),
        refunders: await listRefunders(deps.db, paymentId),
      },
      claimPages(deps, payment),
    )
  }

  implementForOperators(app, deps, contract.refundPayment, async (request) => {
    const { paymentId } = request.params
    const { amountMinor, isAgain } = request.body
    const answer = await requestRefund(deps, { paymentId, amountMinor, isAgain }, (trx, refund) =>
      approveSum(deps, trx, request.operator, {
        amountMinor: refund.amountMinor,
        paymentId,
        subject: paymentId,
        facts: {
          payment: paymentId,
          sum: formatCharged(refund.amountMinor, refund.currency),
          'given before': formatCharged(refund.givenMinor, refund.currency),
        },
        sends: { amountMinor: refund.amountMinor },
      }),
    )
    if (answer.kind === 'refused') throw refused(refundRefusalText(answer.why))
    const isNew = answer.kind === 'recorded'
    return { isNew, refund: await refundOf(paymentId, isNew ? answer.refundId : answer.refund.id) }
  })

  implementForOperators(app, deps, contract.resolveConsoleRefund, async ({ params, body, operator }) => {
    // A sum that was given back counts already; what is said of it may cost the customer all of it.
    const answer = await resolveRefund(deps, { ...params, verdict: body.as }, ({ amount_minor }) => {
      // Who has the shell has the database, and no settings of the shop.
      if (operator.by === 'shell' || operator.permissions.has('payments.refund-large')) return
      if (amount_minor > deps.settings.largeRefundMinor) throw new Problem('sum-too-large')
    })
    if (answer.kind === 'refused') throw refused(refundRefusalText(answer.why))
    return { isNew: answer.kind === 'done', refund: await refundOf(params.paymentId, params.refundId) }
  })
}

const endsRoutes = (app: App, deps: Deps): void => {
  type Asked = { askedAt?: string | undefined; isLateAllowed: unknown }
  const wishOf = ({ paymentId }: { paymentId: string }, { askedAt, isLateAllowed }: Asked) => ({
    paymentId,
    askedAt: askedAt === undefined ? undefined : new Date(askedAt),
    isLateAllowed: Boolean(isLateAllowed),
  })

  implementForOperators(app, deps, contract.previewConsoleCancel, async ({ params, query }) => {
    const { asksPassword: _, ...foreseen } = await previewForOperator(deps, wishOf(params, query))
    return foreseen
  })

  implementForOperators(app, deps, contract.cancelConsolePayment, async ({ params, body, operator }) => {
    const { paymentId } = params
    const { isNew, cancellation } = await cancelForCustomer(
      deps,
      wishOf(params, body),
      async (trx, cancelled) => {
        if (body.askedAt !== undefined) await requireWordFrom(trx, operator, cancelled)
        const { at, amountMinor, currency } = cancelled
        return approveSum(deps, trx, operator, {
          amountMinor,
          paymentId,
          subject: paymentId,
          facts: {
            payment: paymentId,
            sum: formatCharged(amountMinor, currency),
            'as of': formatUkTime(at),
          },
          sends: { askedAt: at.toISOString() },
        })
      },
    )
    const { asksPassword: _, ...shown } = cancellation
    return { isNew, cancellation: shown }
  })

  /** It delivers without the gateway's word that there is money. */
  const approvePaid = (paymentId: string, operator: OperatorCaller) =>
    deps.db.transaction().execute(async (trx) => {
      const payment = await findFacts(trx, paymentId)
      if (!payment) return undefined
      const { minor, currency } = paidSum(payment)
      const count = await approveSum(deps, trx, operator, {
        amountMinor: minor,
        paymentId,
        subject: paymentId,
        facts: { payment: paymentId, sum: formatCharged(minor, currency), status: payment.status },
      })
      return count(trx)
    })

  implementForOperators(app, deps, contract.settleConsolePayment, async ({ params, body, operator }) => {
    const uncount = body.as === 'paid' ? await approvePaid(params.paymentId, operator) : undefined
    const answer = await resolvePayment(deps, { ...params, ...body })
    if (answer.kind !== 'settled') await uncount?.()
    if (answer.kind === 'refused') throw refused(paymentRefusalText(answer.why))
    const row = await findFacts(deps.db, params.paymentId)
    return { outcome: answer.kind, status: answer.status, isRefundDue: row?.refund_due ?? false }
  })

  implementForOperators(app, deps, contract.settleOverpayment, async ({ params: { paymentId } }) => {
    if (!(await findFacts(deps.db, paymentId))) throw new Problem('payment-not-found')
    return { isNew: await settleOver(deps.db, paymentId) }
  })

  implementForOperators(app, deps, contract.comparePayment, async ({ params }) => {
    const compared = await compareOne(deps, params.paymentId)
    if (!compared) throw new Problem('payment-not-found')
    const { differences } = compared
    return {
      differences:
        differences?.map(({ what, shop, gateway }) => ({ what, here: shop, there: gateway })) ?? null,
    }
  })
}

/** Attempts to pay, and all that a person may do about one. */
export const paymentsRoutes = (app: App, deps: Deps): void => {
  const { db } = deps
  serveList(
    app,
    deps,
    { list: contract.listPayments, file: contract.exportPayments, fileName: 'payments' },
    payments,
  )

  implementForOperators(app, deps, contract.getPayment, async ({ params: { paymentId }, operator }) => {
    const payment = await findFacts(db, paymentId)
    if (!payment) throw new Problem('payment-not-found')
    return presentPaymentReport(
      {
        payment,
        use: await measureUse(db, payment, payment.now),
        refunds: await listRefunds(db, [paymentId]),
        references: await listReferences(db, [paymentId]),
        refunders: await listRefunders(db, paymentId),
        disputes: await listDisputesOf(db, [paymentId]),
        steps: await listSteps(db, [paymentId]),
        notes: await listNotesOf(db, paymentId),
        others: await listFactsOfOrder(db, payment.order_id),
        pageOf: claimPages(deps, payment),
      },
      operator,
    )
  })

  refundsRoutes(app, deps)
  endsRoutes(app, deps)
}
