import type { PayPlanByHostedCardRequest } from '@hedgerow/contract/hosted-card'
import type { PayPlanByCardRequest } from '@hedgerow/contract/payments'
import type { Layer, ShopItem } from '@hedgerow/contract/shop'
import { toMajor } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, periodDays } from '@hedgerow/domain/plans'
import type { Dependencies } from '#dependencies.ts'
import { orderPlan } from '#orders/orders.service.ts'
import { payByCard } from '#payments/pay-by-card.ts'
import { payByHostedCard } from '#payments/pay-by-hosted-card.ts'
import type { Payer } from '#payments/payer.ts'
import { Problem } from '#problems.ts'
import { presentItem, presentLayer } from './shop.present.ts'
import { findPlan, listLayersOnSale, listPlanRows } from './shop.queries.ts'

type With<K extends keyof Dependencies> = Pick<Dependencies, K>

export const listLayers = async ({ db }: With<'db'>): Promise<Layer[]> =>
  (await listLayersOnSale(db)).map(presentLayer)

export const listItems = async ({ db }: With<'db'>): Promise<ShopItem[]> =>
  (await listPlanRows(db)).map(presentItem)

/** Orders a plan at its price. Throws 'plan-not-found', 'plan-retired', and 'plan-just-bought' with the payment that did. */
const orderAtItsPrice = async (deps: Dependencies, customerId: string, planId: string) => {
  const plan = await findPlan(deps.db, planId)
  if (!plan) throw new Problem('plan-not-found')
  if (plan.retired_at) throw new Problem('plan-retired')
  const currency = PLAN_CURRENCY
  const orderId = await orderPlan(deps, customerId, { ...plan, days: periodDays(plan.period), currency })
  return { orderId, shown: { total: toMajor(plan.price_minor), currency } }
}

const checkoutOf = (planId: string) => `/payment/checkout/${planId}`

/** Orders a plan and pays the order by card, as any order is paid. Throws what both throw. */
export const buyPlan = async (
  deps: Dependencies,
  customerId: string,
  { id, ...card }: PayPlanByCardRequest,
  payer: Payer,
): Promise<string> => {
  const { orderId, shown } = await orderAtItsPrice(deps, customerId, id)
  return payByCard(deps, customerId, orderId, { ...card, ...shown }, payer, checkoutOf(id))
}

/** The same on the gateway's own page. */
export const buyPlanOnPage = async (
  deps: Dependencies,
  customerId: string,
  { id, instead }: PayPlanByHostedCardRequest,
): Promise<string> => {
  const { orderId, shown } = await orderAtItsPrice(deps, customerId, id)
  return payByHostedCard(deps, customerId, orderId, { ...shown, instead }, checkoutOf(id))
}
