import type { PayPlanByHostedCardRequest } from '@hedgerow/contract/hosted-card'
import type { PayPlanByCardRequest } from '@hedgerow/contract/payments'
import { toMajor } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, periodDays, planCheckoutPath } from '@hedgerow/domain/plans'
import { findPlan } from '#catalogue/plans/plans.service.ts'
import type { Payer } from '#money/gateway/payer.ts'
import { payByCard } from '#money/payments/attempts/pay-by-card.ts'
import { payByHostedCard } from '#money/payments/attempts/pay-by-hosted-card.ts'
import { findPurchase } from '#money/payments/attempts/purchases.queries.ts'
import { retryAfterStatusCheck } from '#money/payments/attempts/retry-after-status-check.ts'
import type { PaymentDependencies } from '#money/payments/payment-statuses.ts'
import { placeOfSale } from '#money/payments/place-of-sale/place-of-sale.ts'
import type { Dependencies } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { findPaidBy, orderPlan } from '#sales/orders/orders.service.ts'

type Deps = Dependencies & PaymentDependencies

type Offer = Pick<
  PayPlanByHostedCardRequest,
  'id' | 'purchaseId' | 'promocode' | 'total' | 'instead' | 'renew' | 'location' | 'near'
>

/**
 * The payment that a purchase has led to: the one that bought it, or one under way that is not to be left now. Nothing
 * where it may be tried anew. Throws 'purchase-id-taken' for a purchase of another plan.
 */
const findMade = async ({ db }: Deps, customerId: string, offer: Offer): Promise<string | undefined> => {
  const purchase = offer.purchaseId && (await findPurchase(db, customerId, offer.purchaseId))
  if (!purchase) return undefined
  if (purchase.plan_id !== offer.id) throw new Problem('purchase-id-taken')
  if (purchase.order_status === 'Completed') return (await findPaidBy(db, purchase.order_id))?.id
  return purchase.is_live && purchase.payment_id !== offer.instead ? purchase.payment_id : undefined
}

/** Starts a payment, unless the purchase has one, or is given one by the same press that came twice meanwhile. */
const payOnce = async (
  deps: Deps,
  customerId: string,
  offer: Offer,
  start: () => Promise<string>,
): Promise<string> => {
  const made = await findMade(deps, customerId, offer)
  if (made) return made
  try {
    return await start()
  } catch (refusal) {
    const madeMeanwhile = refusal instanceof Problem && (await findMade(deps, customerId, offer))
    if (madeMeanwhile) return madeMeanwhile
    throw refusal
  }
}

/** Orders a plan at its price. Throws 'plan-not-found', 'plan-retired', and what `orderPlan` throws. */
const orderAtItsPrice = async (deps: Deps, customerId: string, { id: planId, ...offer }: Offer) => {
  const { purchaseId } = offer
  const plan = await findPlan(deps.db, planId)
  if (!plan) throw new Problem('plan-not-found')
  if (plan.retired_at) throw new Problem('plan-retired')
  const currency = PLAN_CURRENCY
  const toOrder = { ...plan, days: periodDays(plan.period), currency }
  const { orderId, terms } = await orderPlan(deps, customerId, toOrder, offer)
  return {
    orderId,
    shown: { total: toMajor(terms.total_minor), currency },
    checkout: {
      isCardOnly: true as const,
      purchaseId,
      cancelPath: planCheckoutPath(planId, offer.renew, offer.location),
      sums: terms,
    },
  }
}

/**
 * Orders a plan and pays the order by card, as any order is paid; one purchase once. Whom it is to is judged first: nothing is
 * ordered that could not be paid. Throws what all of it throws, and 'purchase-id-taken'.
 */
export const buyPlan = (
  deps: Deps,
  customerId: string,
  { id, purchaseId, promocode, total, renew, location, near, ...card }: PayPlanByCardRequest,
  payer: Payer,
): Promise<string> => {
  const offer = { id, purchaseId, promocode, total, renew, location, near, instead: card.instead }
  return payOnce(deps, customerId, offer, async () => {
    const place = await placeOfSale(deps, customerId, card, payer)
    const { orderId, shown, checkout } = await retryAfterStatusCheck(deps, () =>
      orderAtItsPrice(deps, customerId, offer),
    )
    return payByCard(deps, { customerId, orderId, request: { ...card, ...shown }, payer, checkout, place })
  })
}

/** The same on the gateway's own page. */
export const buyPlanOnPage = (
  deps: Deps,
  customerId: string,
  { acceptTerms: _, country, vatNumber, company, companyAddress, ...offer }: PayPlanByHostedCardRequest,
  payer: Payer,
): Promise<string> =>
  payOnce(deps, customerId, offer, async () => {
    const place = await placeOfSale(deps, customerId, { country, vatNumber, company, companyAddress }, payer)
    const { orderId, shown, checkout } = await retryAfterStatusCheck(deps, () =>
      orderAtItsPrice(deps, customerId, offer),
    )
    const { instead } = offer
    return payByHostedCard(deps, {
      customerId,
      orderId,
      request: { ...shown, instead },
      payer,
      checkout,
      place,
    })
  })
