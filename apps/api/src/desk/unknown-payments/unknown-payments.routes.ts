import { adoptPayment, listUnknownPayments } from '@hedgerow/contract/console/unknown-payments'
import { formatCharged } from '@hedgerow/domain/exchange'
import { FEATURES, NO_FEATURES } from '@hedgerow/domain/pricing'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import { approveSum } from '#desk/operators/approve-sum.ts'
import {
  type ApproveAdopted,
  adoptForPurchase,
  adoptForRefund,
  askOfPayment,
  findAdopted,
  type Purchase,
} from '#money/payments/exceptions/adopt-payment.ts'
import { type ListedUnknown, listUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { findAccount } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'log' | 'settings'> & Pick<PaymentDependencies, 'gateways'>

const LISTED = 200

const unknownView = (row: ListedUnknown) => ({
  id: row.payment_id,
  gateway: row.gateway,
  status: row.status,
  method: row.method,
  sum:
    row.amount_minor === null || row.currency === null
      ? null
      : { minor: Number(row.amount_minor), currency: row.currency },
  card: row.pan_masked,
  customerId: row.email === null ? null : row.gate_customer_id,
  isGivenBack: row.is_given_back,
  firstToldAt: row.first_told_at.toISOString(),
  lastToldAt: row.last_told_at.toISOString(),
})

type AdoptBody = z.output<typeof adoptPayment.schema.body>

const purchaseOf = (body: AdoptBody): Purchase | undefined => {
  if (body.kind === 'refund') return undefined
  if (body.kind === 'order') return { kind: 'order', orderId: body.orderId }
  if (body.kind === 'plan') return { kind: 'plan', planId: body.planId }
  const { days, connections, features, currency } = body
  const chosen = Object.fromEntries(FEATURES.map(({ key }) => [key, features.includes(key)]))
  return {
    kind: 'choice',
    choice: { days, connections, features: { ...NO_FEATURES, ...chosen } },
    currency,
  }
}

/** Payments that the gateway reported and that are not known here. */
export const unknownPaymentsRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  implementForOperators(app, deps, listUnknownPayments, async ({ query }) => {
    const found = await listUnknown(deps.db, { isAll: Boolean(query.all) }, LISTED + 1)
    return { payments: found.slice(0, LISTED).map(unknownView), hasMore: found.length > LISTED }
  })

  implementForOperators(app, deps, adoptPayment, async ({ params: { paymentId }, body, operator }) => {
    const { customerId } = body
    const customer = customerId === undefined ? undefined : await findAccount(deps.db, customerId)
    if (customerId !== undefined && !customer) throw new Problem('customer-not-found')
    const purchase = purchaseOf(body)
    const find = () => findAdopted(deps, paymentId, customerId, purchase)
    const approve: ApproveAdopted = (trx, { amountMinor, leftMinor, currency }) => {
      const given = purchase ? amountMinor : leftMinor
      return approveSum(deps, trx, operator, {
        amountMinor: given,
        subject: paymentId,
        facts: {
          payment: paymentId,
          sum: formatCharged(given, currency),
          for: body.kind,
          ...(customerId === undefined ? {} : { customer: customerId }),
        },
      })
    }
    const adopt = async () => {
      const asked = await askOfPayment(deps, paymentId)
      if (asked.kind === 'silent') throw refused('the gateway does not answer now. Nothing was done')
      if (asked.kind === 'refused') return (await find()) ?? asked
      return purchase && customer
        ? adoptForPurchase(deps, asked.word, customer.id, purchase, approve)
        : adoptForRefund(deps, asked.word, customer, approve)
    }
    const outcome = (await find()) ?? (await adopt())
    if (outcome.kind === 'refused') throw refused(`nothing was done: ${outcome.why}`)
    return { isNew: outcome.kind === 'adopted', orderId: outcome.orderId }
  })
}
