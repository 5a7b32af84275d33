import type * as contract from '@hedgerow/contract/console/payments'
import {
  cancelConsolePayment,
  comparePayment,
  exportPayments,
  getPayment,
  listPayments,
  previewConsoleCancel,
  refundPayment,
  sayOfConsoleRefund,
  settleConsolePayment,
} from '@hedgerow/contract/console/payments'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { ATTENTION_ITEMS } from '#care/telemetry/attention-items.ts'
import { getPaymentReport, listPaymentsForOrder } from '#desk/backoffice/operate-payments.ts'
import { listNotesOf, type PaymentFacts, selectFacts } from '#desk/backoffice/payment-facts.queries.ts'
import { compareOne } from '#desk/backoffice/reconcile.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { listedPayment, presentPaymentReport, refundView } from '#desk/console/present-payments.ts'
import { refused } from '#desk/console/refused.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { cancelForCustomer, previewForOperator } from '#money/cancellations/cancellations.service.ts'
import { resolvePayment } from '#money/payments/exceptions/resolve-payment.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { listSteps } from '#money/payments/payments.service.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { requireOperatorProof, requirePermission } from '#people/operators/guard-operators.ts'
import { plainText } from '#platform/csv/write-csv.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = ConsoleListDependencies & PaymentDependencies & With<'settings'>

export const dateOf = (time: string | undefined): Date | undefined =>
  time === undefined ? undefined : new Date(time)

const attentionItemOf = (word: string | undefined) => {
  if (word === undefined) return undefined
  const item = ATTENTION_ITEMS.find((one) => one === word)
  if (!item) throw invalidField('only', `Expected one of: ${ATTENTION_ITEMS.join(', ')}.`)
  return item
}

const payments: ListDefinition<
  z.output<typeof listPayments.schema.querystring>,
  PaymentFacts,
  contract.ListedPayment
> = {
  query: (db, { since, until, only, ...filter }) =>
    selectFacts(db, {
      ...filter,
      since: dateOf(since),
      until: dateOf(until),
      attentionItem: attentionItemOf(only),
    }),
  sorts: { createdAt: { by: sql`payments.created_at`, type: 'timestamptz' } },
  id: { by: sql`payments.id`, type: 'text' },
  show: listedPayment,
  columns: [
    { name: 'id', title: 'Payment', cell: ({ id }) => id },
    { name: 'createdAt', title: 'Started (UTC)', cell: ({ createdAt }) => createdAt },
    { name: 'status', title: 'Status', cell: ({ status }) => status },
    { name: 'method', title: 'Way of paying', cell: ({ method }) => METHOD_NAMES[method] },
    {
      name: 'charged',
      title: 'Sum',
      cell: ({ charged }) => formatMinorOf(charged.minor, charged.currency),
    },
    { name: 'currency', title: 'Currency', cell: ({ charged }) => charged.currency },
    { name: 'outcome', title: 'Outcome', cell: ({ outcome }) => outcome },
    { name: 'what', title: 'For', cell: ({ what }) => plainText(what) },
    { name: 'code', title: 'Code', cell: ({ code }) => code ?? '' },
    { name: 'invoice', title: 'Invoice', cell: ({ invoice }) => invoice ?? '' },
    { name: 'customerId', title: 'Customer', cell: ({ customerId }) => customerId ?? '' },
  ],
}

const refundsRoutes = (app: FastifyInstance, deps: Deps): void => {
  /** A large one in small parts is a large one. */
  const isLarge = ({ amountMinor, givenMinor }: { amountMinor: number; givenMinor: number }) =>
    givenMinor + amountMinor > deps.settings.largeRefundMinor

  const reportOf = async (id: string) => {
    const report = await getPaymentReport(deps, id)
    if (!report) throw new Problem('payment-not-found')
    return report
  }
  const refundOf = async (paymentId: string, refundId: string) => {
    const { payment, refunds } = await reportOf(paymentId)
    const refund = refunds.find(({ id }) => id === refundId)
    if (!refund) throw new Problem('payment-not-found')
    return refundView(refund, paidSum(payment).currency)
  }

  implementForOperators(app, deps, refundPayment, async (request) => {
    const { paymentId } = request.params
    const answer = await requestRefund(deps, { paymentId, ...request.body }, (refund) => {
      if (!isLarge(refund)) return
      requirePermission(request, 'payments.refund-large')
      requireOperatorProof(request)
    })
    if (answer.kind === 'refused') throw refused(answer.why)
    const id = answer.kind === 'recorded' ? answer.refundId : answer.refund.id
    return { outcome: answer.kind, refund: await refundOf(paymentId, id) }
  })

  implementForOperators(app, deps, sayOfConsoleRefund, async ({ params, body }) => {
    const answer = await resolveRefund(deps, { ...params, ...body })
    if (answer.kind === 'refused') throw refused(answer.why)
    return {}
  })
}

const endsRoutes = (app: FastifyInstance, deps: Deps): void => {
  const toldOf = (
    params: { paymentId: string },
    body: { toldAt?: string | undefined; isLateAllowed: boolean },
  ) => ({
    ...params,
    toldAt: dateOf(body.toldAt),
    isLateAllowed: body.isLateAllowed,
  })

  implementForOperators(
    app,
    deps,
    previewConsoleCancel,
    async ({ params, query: { toldAt, isLateAllowed } }) => {
      const asked = { toldAt, isLateAllowed: isLateAllowed === 'true' }
      const foreseen = await previewForOperator(deps, toldOf(params, asked))
      return foreseen ?? null
    },
  )

  implementForOperators(app, deps, cancelConsolePayment, async ({ params, body }) => {
    const { isNew } = await cancelForCustomer(deps, toldOf(params, body))
    return { isNew }
  })

  implementForOperators(app, deps, settleConsolePayment, async ({ params, body }) => {
    const answer = await resolvePayment(deps, { ...params, ...body })
    if (answer.kind === 'refused') throw refused(answer.why)
    return { outcome: answer.kind, status: answer.status }
  })

  implementForOperators(app, deps, comparePayment, async ({ params }) => {
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
export const paymentsRoutes = (app: FastifyInstance, deps: Deps): void => {
  serveList(app, deps, { list: listPayments, file: exportPayments, fileName: 'payments' }, payments)

  implementForOperators(app, deps, getPayment, async ({ params: { paymentId }, operator }) => {
    const report = await getPaymentReport(deps, paymentId)
    if (!report) throw new Problem('payment-not-found')
    return presentPaymentReport(
      {
        report,
        steps: await listSteps(deps.db, [paymentId]),
        notes: await listNotesOf(deps.db, paymentId),
        others: await listPaymentsForOrder(deps, report.payment.order_id),
      },
      operator,
    )
  })

  refundsRoutes(app, deps)
  endsRoutes(app, deps)
}
