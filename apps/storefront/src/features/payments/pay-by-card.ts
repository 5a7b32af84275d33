import type { CallOptions } from '@hedgerow/contract/client'
import type { PayableOrder } from '#features/payments/payable-order.ts'
import { api } from '#lib/api.ts'

/** What the form holds, and what 3-D Secure wants to know of the browser. */
export type CardOfForm = Omit<CallOptions<'payByCard'>['body'], 'total' | 'currency'>

/** Goes along with the sale of a plan: a promocode, and the total that was shown with it. */
export type PlanCode = { promocode: string; total: number }

// Plain calls, not mutations: a mutation's cache would remember the card. Both answer the payment's id.

export const payByCard = async (
  { orderId, total, currency }: PayableOrder,
  card: CardOfForm,
): Promise<string> => {
  const body = { total, currency: currency.code, ...card }
  return (await api.call('payByCard', { params: { id: orderId }, body })).paymentId
}

export const payPlanByCard = async (id: string, card: CardOfForm, code?: PlanCode): Promise<string> =>
  (await api.call('payPlanByCard', { body: { id, ...card, ...code } }))._id
