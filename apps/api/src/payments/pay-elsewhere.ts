import type { PayByBlikRequest, PayByOpenBankingRequest } from '@hedgerow/contract/payments'
import type { Dependencies } from '#dependencies.ts'
import { Problem } from '#problems.ts'
import { findRefusal } from './find-refusal.ts'

const CLOSED = {
  open_banking: 'Paying by bank is not open yet. Nothing was charged. Pay by card.',
  blik: 'Paying by Blik is not open yet. Nothing was charged. Pay by card.',
} as const

/**
 * Payments that are made on a page of a bank or of Blik. Neither is open, so nothing is recorded and nothing is sent;
 * whoever could not pay this order in any way is told that first.
 * Throws 'order-not-found', 'order-paid', 'order-expired', 'total-differs', 'payment-under-way' with its id, or
 * 'method-not-open'.
 */
export const payElsewhere = async (
  deps: Pick<Dependencies, 'db'>,
  customerId: string,
  orderId: string,
  method: keyof typeof CLOSED,
  request: PayByBlikRequest | PayByOpenBankingRequest,
): Promise<string> => {
  const refusal = await findRefusal(deps, customerId, orderId, request)
  throw refusal ?? new Problem('method-not-open', { detail: CLOSED[method] })
}
