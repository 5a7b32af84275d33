import type { PayPlanByCardRequest } from '@hedgerow/contract/payments'
import type { Layer, ShopItem } from '@hedgerow/contract/shop'
import { toMajor } from '@hedgerow/domain/money'
import { PLAN_CURRENCY, periodDays } from '@hedgerow/domain/plans'
import type { Dependencies } from '#dependencies.ts'
import { orderPlan } from '#orders/orders.service.ts'
import { payByCard } from '#payments/pay-by-card.ts'
import type { Payer } from '#payments/payer.ts'
import { Problem } from '#problems.ts'
import { presentItem, presentLayer } from './shop.present.ts'
import { findPlan, listLayerRows, listPlanRows } from './shop.queries.ts'

type With<K extends keyof Dependencies> = Pick<Dependencies, K>

export const listLayers = async ({ db }: With<'db'>): Promise<Layer[]> =>
  (await listLayerRows(db)).map(presentLayer)

export const listItems = async ({ db }: With<'db'>): Promise<ShopItem[]> =>
  (await listPlanRows(db)).map(presentItem)

/**
 * Orders a plan at its price and pays the order by card, as any order is paid.
 * Throws 'plan-not-found', 'plan-retired', 'plan-just-bought' with the payment that did, and what `payByCard` throws.
 */
export const buyPlan = async (
  deps: Dependencies,
  customerId: string,
  { id, ...card }: PayPlanByCardRequest,
  payer: Payer,
): Promise<string> => {
  const plan = await findPlan(deps.db, id)
  if (!plan) throw new Problem('plan-not-found')
  if (plan.retired_at) throw new Problem('plan-retired')
  const currency = PLAN_CURRENCY
  const orderId = await orderPlan(deps, customerId, { ...plan, days: periodDays(plan.period), currency })
  const request = { ...card, total: toMajor(plan.price_minor), currency }
  return payByCard(deps, customerId, orderId, request, payer, `/payment/checkout/${id}`)
}
