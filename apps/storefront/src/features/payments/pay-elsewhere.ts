import type { CallOptions } from '@hedgerow/contract/client'
import type { PayableOrder } from '#features/payments/payable-order.ts'
import { api } from '#lib/api.ts'

type OfForm<N extends 'payByOpenBanking' | 'payByBlik'> = Omit<CallOptions<N>['body'], 'total' | 'currency'>

// Both start a payment on a page of a bank or of Blik, and answer the payment's id.

export const payByBank = async (
  { orderId, total, currency }: PayableOrder,
  payer: OfForm<'payByOpenBanking'>,
): Promise<string> => {
  const body = { total, currency: currency.code, ...payer }
  return (await api.call('payByOpenBanking', { params: { id: orderId }, body })).paymentId
}

export const payByBlik = async (
  { orderId, total, currency }: PayableOrder,
  payer: OfForm<'payByBlik'>,
): Promise<string> => {
  const body = { total, currency: currency.code, ...payer }
  return (await api.call('payByBlik', { params: { id: orderId }, body })).paymentId
}
