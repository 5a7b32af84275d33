import type { PayPlanByHostedCardRequest } from '@hedgerow/contract/hosted-card'
import type { PayPlanByCardRequest } from '@hedgerow/contract/payments'
import { toMajor } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, periodDays } from '@hedgerow/domain/plans'
import type { Dependencies } from '#dependencies.ts'
import type { Payer } from '#gateway/payer.ts'
import { Problem } from '#http/problems.ts'
import { orderPlan } from '#orders/orders.service.ts'
import { onceMoreAfterAsking } from '#payments/once-more.ts'
import { payByCard } from '#payments/pay-by-card.ts'
import { payByHostedCard } from '#payments/pay-by-hosted-card.ts'
import type { PaymentDependencies } from '#payments/payment-statuses.ts'
import { findPlan } from '#plans/plans.service.ts'

type Deps = Dependencies & PaymentDependencies

type Offer = Pick<PayPlanByHostedCardRequest, 'id' | 'promocode' | 'total' | 'instead'>

/** Orders a plan at its price. Throws 'plan-not-found', 'plan-retired', and what `orderPlan` throws. */
const orderAtItsPrice = async (deps: Deps, customerId: string, { id: planId, ...offer }: Offer) => {
  const plan = await findPlan(deps.db, planId)
  if (!plan) throw new Problem('plan-not-found')
  if (plan.retired_at) throw new Problem('plan-retired')
  const currency = PLAN_CURRENCY
  const toOrder = { ...plan, days: periodDays(plan.period), currency }
  const { orderId, sums, isAsBefore } = await orderPlan(deps, customerId, toOrder, offer)
  return {
    orderId,
    shown: { total: toMajor(sums.total_minor), currency },
    checkout: {
      isCardOnly: true as const,
      cancelPath: `/payment/checkout/${planId}`,
      ...(isAsBefore ? {} : { sums }),
    },
  }
}

/** Orders a plan and pays the order by card, as any order is paid. Throws what both throw. */
export const buyPlan = async (
  deps: Deps,
  customerId: string,
  { id, promocode, total, ...card }: PayPlanByCardRequest,
  payer: Payer,
): Promise<string> => {
  const offer = { id, promocode, total, instead: card.instead }
  const { orderId, shown, checkout } = await onceMoreAfterAsking(deps, () =>
    orderAtItsPrice(deps, customerId, offer),
  )
  return payByCard(deps, customerId, orderId, { ...card, ...shown }, payer, checkout)
}

/** The same on the gateway's own page. */
export const buyPlanOnPage = async (
  deps: Deps,
  customerId: string,
  { acceptTerms: _, ...offer }: PayPlanByHostedCardRequest,
  payer: Payer,
): Promise<string> => {
  const { orderId, shown, checkout } = await onceMoreAfterAsking(deps, () =>
    orderAtItsPrice(deps, customerId, offer),
  )
  const { instead } = offer
  return payByHostedCard(deps, customerId, orderId, { ...shown, instead }, payer, checkout)
}
