import type {
  ChallengeMetadata,
  PaymentHistoryItem,
  PaymentStatusReply,
  RedirectMetadata,
} from '@hedgerow/contract/payments'
import { CURRENCIES, toMajor } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import type { ListedPayment, PaymentState } from './payments.queries.ts'

const metadataOf = (
  { id, prescription }: PaymentState,
  publicUrl: string,
): ChallengeMetadata | RedirectMetadata | Record<string, never> => {
  if (prescription.kind === 'challenge') {
    const { acsUrl, paReq, md } = prescription
    return { acs_url: acsUrl, pa_req: paReq, md, term_url: `${publicUrl}/api/v1/payment/challenge/${id}` }
  }
  if (prescription.kind === 'redirect') {
    const { url, method, body } = prescription
    return { url, method, body }
  }
  return {}
}

/** Where to go is told only while the customer is to go there. */
export const presentStatus = (row: PaymentState, publicUrl: string): PaymentStatusReply => {
  const isSent = row.status === 'awaiting 3ds result' || row.status === 'awaiting redirect result'
  return { status: row.status, metadata: JSON.stringify(isSent ? metadataOf(row, publicUrl) : {}) }
}

export const presentAttempt = (row: ListedPayment): PaymentHistoryItem => ({
  _id: row.id,
  orderId: row.order_id,
  createdAt: row.created_at.toISOString(),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
  description: describeOrder(row),
  total: toMajor(row.amount_minor),
  currency: CURRENCIES[row.currency],
  method: row.method,
  ...(row.pan_masked === null ? {} : { pan: row.pan_masked }),
  ...(row.card_holder === null ? {} : { cardHolder: row.card_holder }),
  ...(row.auth_code === null ? {} : { authCode: row.auth_code }),
  status: row.status,
  orderStatus: row.order_status,
  ...(row.refund_due ? { refundDue: true } : {}),
})
