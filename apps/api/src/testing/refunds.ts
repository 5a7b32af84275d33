import { signatureOf } from '@hedgerow/gate/signature'
import type { Json, Reply } from '@hedgerow/testing/call'
import { signedWith } from '#testing/gateway.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** The refunds of a payment, in the order in which they were asked for. */
export const refundsOf = ({ db }: Pick<TestShop, 'db'>, paymentId: string) =>
  db.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId).orderBy('created_at').execute()

/** Gives money back at the gateway itself, as its own back office does. */
export const refundAtGateway = async (
  { sandbox, settings }: Pick<TestShop, 'sandbox' | 'settings'>,
  paymentId: string,
  part?: { amount: number; currency: string },
): Promise<number> => {
  const body: Json = {
    general: { project_id: settings.gate.projectId, payment_id: paymentId },
    payment: { description: 'By hand', ...part },
  }
  body.general.signature = signatureOf(body, settings.gate.secret)
  const response = await fetch(`${sandbox.url}/v2/payment/card/refund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.status
}

export type RefundNotice = {
  paymentId: string
  /** Undefined: it does not say. */
  amountMinor: number | undefined
  left: number
  currency?: string
  status?: 'success' | 'decline'
  operationId?: number
  requestId?: string
  refundId?: string
}

/** Sends the shop an update of a refund, as the gateway does: the sale itself is not named. */
export const sendRefundUpdate = (
  shop: Pick<TestShop, 'settings' | 'call'>,
  { paymentId, amountMinor, left, currency = 'EUR', status = 'success', ...notice }: RefundNotice,
): Promise<Reply> => {
  const partly = left > 0 ? 'partially refunded' : 'refunded'
  const body = {
    project_id: shop.settings.gate.projectId,
    payment: {
      id: paymentId,
      status: status === 'success' ? partly : 'success',
      sum: { amount: left, currency },
    },
    operation: {
      id: notice.operationId ?? 2,
      type: 'refund',
      status,
      code: status === 'success' ? '0' : '3028',
      request_id: notice.requestId ?? 'request-2',
      ...(amountMinor === undefined ? {} : { sum_initial: { amount: amountMinor, currency } }),
      ...(notice.refundId ? { merchant_refund_id: notice.refundId } : {}),
    },
  }
  return shop.call('POST', '/api/v1/payment/callback', {
    body: signedWith(body, shop.settings.gate.secret),
  })
}
