import type {
  ActionMetadata,
  AuthorisationMetadata,
  ChallengeMetadata,
  ClarificationMetadata,
  DeclineMetadata,
  FrameMetadata,
  PaymentHistoryItem,
  PaymentStatusReply,
  PromiseMetadata,
  RedirectMetadata,
} from '@hedgerow/contract/payments'
import { methodName } from '@hedgerow/domain/coins'
import { declineReason } from '@hedgerow/domain/decline-reasons'
import { BLIK_CURRENCY, chargedToMajor } from '@hedgerow/domain/exchange'
import { CURRENCIES, toMajor } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import { AWAITING_CONFIRMATION, NOT_CONFIRMED, PART_HAS_COME } from '@hedgerow/domain/payment-status'
import { chargedReason } from '#money/payments/charged-reason.ts'
import { checkoutPath } from '#money/payments/checkout-path.ts'
import type { ListedPayment, PaymentState } from '#money/payments/payments.queries.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import type { RefundRow } from '#money/refunds/refunds.queries.ts'
import { openUntil } from '#network/connections/cancellable.ts'
import type { ListedCorrection } from '#sales/invoices/credit-notes.service.ts'

type Metadata =
  | ChallengeMetadata
  | FrameMetadata
  | RedirectMetadata
  | ClarificationMetadata
  | ActionMetadata
  | AuthorisationMetadata
  | PromiseMetadata
  | DeclineMetadata
  | Record<string, never>

const nextActionMetadata = (
  { id, method, gate_status, next_action: nextAction }: PaymentState,
  publicUrl: string,
): Metadata => {
  switch (nextAction.kind) {
    case 'challenge': {
      const { acsUrl, paReq, md } = nextAction
      return { acs_url: acsUrl, pa_req: paReq, md, term_url: `${publicUrl}/api/v1/payment/challenge/${id}` }
    }
    case 'challenge-2': {
      const { url, creq, sessionData } = nextAction
      return { url, method: 'POST', body: { creq, threeDSSessionData: sessionData } }
    }
    case 'method':
      return { iframe: { url: nextAction.url, fields: nextAction.fields } }
    case 'redirect':
      return {
        url: nextAction.url,
        method: nextAction.method,
        body: nextAction.body,
        ...(method === 'crypto' ? { isCrypto: true } : {}),
        ...(gate_status === PART_HAS_COME ? { isPart: true } : {}),
      }
    case 'clarification':
      return { fields: nextAction.fields.map(({ says, ...field }) => field) }
    case 'action':
      return { display: nextAction.display }
    case 'authorisation':
      return { stage: nextAction.stage }
    case 'none':
      return {}
  }
}

const declined = (row: PaymentState): DeclineMetadata => {
  const charged = chargedReason(row)
  const reason = charged ?? declineReason(row.gate_code)
  return {
    ...(reason ? { reason } : {}),
    ...(charged ? { isCharged: true as const } : {}),
    again: checkoutPath(row),
  }
}

const isPromised = ({ gate_status }: Pick<PaymentState, 'gate_status'>): boolean =>
  gate_status === AWAITING_CONFIRMATION || gate_status === NOT_CONFIRMED

const metadataOf = (row: PaymentState, publicUrl: string): Metadata => {
  if (row.status === 'Decline' || row.status === 'Error') return declined(row)
  if (row.status === 'processing' && isPromised(row))
    return { promised: { again: checkoutPath(row), ...(row.method === 'crypto' ? { isCrypto: true } : {}) } }
  // What to do is shown only while it is to be done.
  return row.status.startsWith('awaiting ') ? nextActionMetadata(row, publicUrl) : {}
}

/** The page knows forms that are sent away by the status of a redirect, no matter who asked for them (spec §4). */
const statusFor = ({ status, next_action }: PaymentState) =>
  status === 'awaiting 3ds result' && next_action.kind === 'challenge-2' ? 'awaiting redirect result' : status

export const presentStatus = (row: PaymentState, publicUrl: string): PaymentStatusReply => ({
  status: statusFor(row),
  metadata: JSON.stringify(metadataOf(row, publicUrl)),
})

const presentRefund = (
  row: RefundRow,
  currency: string,
  creditNote: string | undefined,
  reference: string | undefined,
) => ({
  _id: row.id,
  ...(creditNote ? { creditNote } : {}),
  total: chargedToMajor(row.amount_minor, currency),
  currency,
  status: row.status,
  ...(row.status === 'Pending' && row.claim_url && !row.claimed_at ? { claimUrl: row.claim_url } : {}),
  ...(row.reason === 'dispute' ? { isDispute: true as const } : {}),
  ...(row.reversed_at ? { reversedAt: row.reversed_at.toISOString() } : {}),
  ...(reference ? { reference } : {}),
  createdAt: row.created_at.toISOString(),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
})

const presentCorrection = ({ id, invoice, creditNote, isRestored, issuedAt }: ListedCorrection) => ({
  _id: id,
  invoice,
  ...(creditNote ? { creditNote } : {}),
  ...(isRestored ? { isRestored: true as const } : {}),
  createdAt: issuedAt.toISOString(),
})

const chargedElsewhere = ({ charged_currency, charged_minor }: ListedPayment) =>
  charged_currency === BLIK_CURRENCY
    ? { charged: { total: toMajor(charged_minor), currency: charged_currency } }
    : {}

const cancellation = ({ is_cancellable, ended_at, cancelled_at, now }: ListedPayment) => {
  if (cancelled_at) return { cancelledAt: cancelled_at.toISOString() }
  const until = is_cancellable && ended_at ? openUntil(ended_at, now) : undefined
  return until ? { cancellableUntil: until.toISOString() } : {}
}

/** An order's price never changes; what an attempt was started with may differ from what the order says now. */
const discountOf = ({ promocode, price_minor, amount_minor }: ListedPayment) =>
  promocode === null
    ? {}
    : { promocode, price: toMajor(price_minor), discount: toMajor(price_minor - amount_minor) }

const reasonOf = (row: ListedPayment) => {
  if (row.status !== 'Decline' && row.status !== 'Error') return {}
  const charged = chargedReason(row)
  const reason = charged ?? declineReason(row.gate_code)
  return { ...(reason ? { reason } : {}), ...(charged ? { isCharged: true as const } : {}) }
}

const receivedOf = (row: ListedPayment) => {
  if (row.received_minor === null) return {}
  const { minor, currency } = paidSum(row)
  return { received: { total: chargedToMajor(minor, currency), currency } }
}

const disputedOf = (row: ListedPayment) => {
  if (row.disputed_minor === 0) return {}
  const { currency } = paidSum(row)
  return { disputed: { total: chargedToMajor(row.disputed_minor, currency), currency } }
}

type Known = {
  /** Their numbers, by refund. */
  creditNotes: ReadonlyMap<string, string>
  /** By which banks find refunds. */
  references: ReadonlyMap<string, string>
  /** Of invoices, by payment. */
  corrections: ReadonlyMap<string, readonly ListedCorrection[]>
  statementDescriptor: string | undefined
}

const correctionsIn = (corrections: readonly ListedCorrection[] = []) =>
  corrections.length > 0 ? { corrections: corrections.map(presentCorrection) } : {}

export const presentAttempt = (
  row: ListedPayment,
  refunds: readonly RefundRow[],
  { creditNotes, references, corrections, statementDescriptor }: Known,
): PaymentHistoryItem => ({
  _id: row.id,
  orderId: row.order_id,
  createdAt: row.created_at.toISOString(),
  ...(row.ended_at === null ? {} : { endedAt: row.ended_at.toISOString() }),
  description: describeOrder(row),
  ...discountOf(row),
  total: toMajor(row.amount_minor),
  currency: CURRENCIES[row.currency],
  method: row.method,
  ...(row.coins ? { paidWith: methodName(row.method, row.coins) } : {}),
  ...(row.pan_masked === null ? {} : { pan: row.pan_masked }),
  ...(row.card_holder === null ? {} : { cardHolder: row.card_holder }),
  ...(row.auth_code === null ? {} : { authCode: row.auth_code }),
  // Another gateway writes another one.
  ...(statementDescriptor && row.method === 'card' && row.gateway === 'gate' && row.status === 'Success'
    ? { statementDescriptor }
    : {}),
  status: row.status,
  orderStatus: row.order_status,
  ...chargedElsewhere(row),
  ...reasonOf(row),
  ...(row.refund_due ? { refundDue: true } : {}),
  ...receivedOf(row),
  ...(isPromised(row) && !row.ended_at ? { isPromised: true } : {}),
  ...(row.abandoned_at && !row.ended_at ? { isLeft: true } : {}),
  ...disputedOf(row),
  ...cancellation(row),
  refunds: refunds.map((refund) =>
    presentRefund(refund, paidSum(row).currency, creditNotes.get(refund.id), references.get(refund.id)),
  ),
  ...correctionsIn(corrections.get(row.id)),
})
