/** Every call that starts a payment. Plain calls, not mutations: a mutation's cache would remember the card. */
import type { CallOptions } from '@hedgerow/contract/client'
import type { Order } from '@hedgerow/contract/orders'
import type { SaleTo } from '@hedgerow/contract/vat-fields'
import { api } from '#lib/api.ts'
import type { Place } from '#shared/locations-query.ts'

/** What is sent with every payment of an order: the sum and currency that the customer saw. */
export type PayableOrder = Pick<Order, 'orderId' | 'total' | 'currency'>

type OrderPayment = 'payByCard' | 'payByHostedCard' | 'payByOpenBanking' | 'payByBlik' | 'payByCrypto'

/** What is sent besides the sum and currency. `instead` is the attempt that is left for this one. */
type Details<N extends OrderPayment> = Omit<CallOptions<N>['body'], 'total' | 'currency'>

export type CardDetails = Details<'payByCard'>

/**
 * Goes along with the sale of a plan: what names the purchase; a promocode, and the total that was shown with it; the
 * connections that it extends; where its others are to be; to whom it is, for the tax.
 */
export type PlanPurchase = {
  purchaseId: string
  promocode?: string
  total?: number
  renew?: string[]
} & Place &
  SaleTo

/** Longer than the shop waits for a gateway that does not answer. */
const PATIENCE_MS = 90_000
const patience = () => AbortSignal.timeout(PATIENCE_MS)

const forOrder = <D>({ orderId, total, currency }: PayableOrder, details: D) => ({
  params: { id: orderId },
  body: { total, currency: currency.code, ...details },
  signal: patience(),
})

// Each returns the payment's id.

export const payByCard = async (order: PayableOrder, card: CardDetails): Promise<string> =>
  (await api.call('payByCard', forOrder(order, card))).paymentId

export const payByHostedCard = async (
  order: PayableOrder,
  details: Details<'payByHostedCard'>,
): Promise<string> => (await api.call('payByHostedCard', forOrder(order, details))).paymentId

export const payByBank = async (order: PayableOrder, payer: Details<'payByOpenBanking'>): Promise<string> =>
  (await api.call('payByOpenBanking', forOrder(order, payer))).paymentId

export const payByBlik = async (order: PayableOrder, payer: Details<'payByBlik'>): Promise<string> =>
  (await api.call('payByBlik', forOrder(order, payer))).paymentId

export const payByCrypto = async (order: PayableOrder, details: Details<'payByCrypto'>): Promise<string> =>
  (await api.call('payByCrypto', forOrder(order, details))).paymentId

const forPlan = <D>(id: string, details: D, purchase: PlanPurchase) => ({
  body: { id, ...details, ...purchase },
  signal: patience(),
})

export const payPlanByCard = async (
  planId: string,
  card: CardDetails,
  purchase: PlanPurchase,
): Promise<string> => (await api.call('payPlanByCard', forPlan(planId, card, purchase)))._id

export const payPlanByHostedCard = async (
  planId: string,
  details: Details<'payByHostedCard'>,
  purchase: PlanPurchase,
): Promise<string> => (await api.call('payPlanByHostedCard', forPlan(planId, details, purchase)))._id
