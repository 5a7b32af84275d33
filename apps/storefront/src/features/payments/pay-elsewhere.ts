import type { CallOptions } from '@hedgerow/contract/client'
import type { PayableOrder } from '#features/payments/payable-order.ts'
import { api } from '#lib/api.ts'

type Elsewhere = 'payByOpenBanking' | 'payByBlik'

export type Payer = Omit<CallOptions<'payByBlik'>['body'], 'total' | 'currency'>

/** Starts a payment on a page of a bank or of Blik. Answers the payment's id. */
export const payElsewhere = async (
  call: Elsewhere,
  { orderId, total, currency }: PayableOrder,
  payer: Payer,
): Promise<string> => {
  const body = { total, currency: currency.code, ...payer }
  return (await api.call(call, { params: { id: orderId }, body })).paymentId
}
