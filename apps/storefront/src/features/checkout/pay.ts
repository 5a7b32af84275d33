/** Every call that starts a payment. Plain calls, not mutations: a mutation's cache would remember the card. */
import type { CallOptions } from '@hedgerow/contract/client'
import type { Order } from '@hedgerow/contract/orders'
import { api } from '#lib/api.ts'

/** What is sent with every payment of an order: the sum and currency that the customer saw. */
export type PayableOrder = Pick<Order, 'orderId' | 'total' | 'currency'>

type OrderPayment = 'payByCard' | 'payByHostedCard' | 'payByOpenBanking' | 'payByBlik'

/** What is sent besides the sum and currency. `instead` is the attempt that is left for this one. */
type Details<N extends OrderPayment> = Omit<CallOptions<N>['body'], 'total' | 'currency'>

export type CardDetails = Details<'payByCard'>

/** Goes along with the sale of a plan: a promocode, and the total that was shown with it. */
export type PlanPromocode = { promocode: string; total: number }

const body = <D>({ total, currency }: PayableOrder, details: D) => ({
  total,
  currency: currency.code,
  ...details,
})

// Each returns the payment's id.

export const payByCard = async (order: PayableOrder, card: CardDetails): Promise<string> =>
  (await api.call('payByCard', { params: { id: order.orderId }, body: body(order, card) })).paymentId

export const payByHostedCard = async (
  order: PayableOrder,
  details: Details<'payByHostedCard'>,
): Promise<string> =>
  (await api.call('payByHostedCard', { params: { id: order.orderId }, body: body(order, details) })).paymentId

export const payByBank = async (order: PayableOrder, payer: Details<'payByOpenBanking'>): Promise<string> =>
  (await api.call('payByOpenBanking', { params: { id: order.orderId }, body: body(order, payer) })).paymentId

export const payByBlik = async (order: PayableOrder, payer: Details<'payByBlik'>): Promise<string> =>
  (await api.call('payByBlik', { params: { id: order.orderId }, body: body(order, payer) })).paymentId

export const payPlanByCard = async (
  planId: string,
  card: CardDetails,
  promocode?: PlanPromocode,
): Promise<string> => (await api.call('payPlanByCard', { body: { id: planId, ...card, ...promocode } }))._id

export const payPlanByHostedCard = async (
  planId: string,
  details: Details<'payByHostedCard'>,
  promocode?: PlanPromocode,
): Promise<string> =>
  (await api.call('payPlanByHostedCard', { body: { id: planId, ...details, ...promocode } }))._id
