import { AWAITING_CONFIRMATION, type PaymentStatus } from '@hedgerow/domain/payment-status'
import * as z from 'zod/mini'
import type { PaymentUpdate, RefundUpdate } from '#money/gateway/payment-update.ts'

/** What may be missing, null or of another form without a fault of the whole. */
const maybe = <T extends z.core.$ZodType>(schema: T) => z.catch(z.optional(schema), undefined)

const text = z.string().check(z.maxLength(500))
const minor = z.int().check(z.nonnegative())

const Refund = z.object({
  id: text,
  status: text,
  amount: minor,
  currency: text,
  failure_reason: maybe(text),
  metadata: maybe(z.record(z.string(), z.string())),
})

const Card = z.object({
  brand: maybe(text),
  last4: maybe(text),
  country: maybe(text),
  three_d_secure: maybe(z.object({ electronic_commerce_indicator: maybe(text) })),
})

const Charge = z.object({
  id: text,
  payment_method_details: maybe(z.object({ card: maybe(Card) })),
  billing_details: maybe(z.object({ name: maybe(text) })),
  authorization_code: maybe(text),
})

const Intent = z.object({
  id: text,
  status: text,
  last_payment_error: maybe(z.object({ code: maybe(text), decline_code: maybe(text) })),
  latest_charge: maybe(Charge),
})

const Session = z.object({
  id: text,
  status: text,
  payment_status: text,
  client_reference_id: maybe(text),
  livemode: z.boolean(),
  amount_total: minor,
  currency: text,
  created: z.int(),
  metadata: z.object({ payment_id: text }),
  success_url: maybe(z.string().check(z.maxLength(2_000))),
  payment_intent: maybe(Intent),
})

export type Session = z.infer<typeof Session>

export const readSession = (body: unknown): Session | undefined => z.safeParse(Session, body).data

/** One of a list, which names its payment by an id alone. */
export const readListed = (item: unknown): Session | undefined =>
  typeof item === 'object' ? readSession({ ...item, payment_intent: undefined }) : undefined

const Refunds = z.object({ data: z.array(z.unknown()) })

export const readRefunds = (body: unknown): z.infer<typeof Refund>[] =>
  (z.safeParse(Refunds, body).data?.data ?? []).flatMap((one) => z.safeParse(Refund, one).data ?? [])

/**
 * A decline on their page is not the end: the customer may try again there until the session expires. `complete` means that they
 * are done there, not that money has come: what is promised may take days.
 */
const statusOf = ({ status, payment_status, payment_intent }: Session): PaymentStatus => {
  if (payment_status === 'paid') return 'Success'
  if (status === 'expired' || payment_intent?.status === 'canceled') return 'Decline'
  if (status !== 'complete') return 'awaiting redirect result'
  // Asked again on our side of it: the promised money did not come.
  return payment_intent?.status === 'requires_payment_method' ? 'Decline' : 'processing'
}

/** As the shop calls those that it knows. */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
}

const ENDED: Readonly<Record<string, RefundUpdate['status']>> = {
  succeeded: 'success',
  failed: 'returned',
  canceled: 'decline',
}

const refundOf = (refund: z.infer<typeof Refund>): RefundUpdate[] => {
  const status = ENDED[refund.status]
  return status === undefined
    ? []
    : [
        {
          operationId: refund.id,
          requestId: refund.id,
          refundId: refund.metadata?.refund_id,
          status,
          amountMinor: refund.amount,
          currency: refund.currency.toUpperCase(),
          code: refund.failure_reason,
        },
      ]
}

/** What a session and the refunds of its payment say, in the words of the shop. */
export const updateOf = (
  session: Session,
  paymentId: string,
  refunds: readonly z.infer<typeof Refund>[],
  at: Date,
): PaymentUpdate => {
  const status = statusOf(session)
  const { payment_intent: intent, amount_total } = session
  const currency = session.currency.toUpperCase()
  const charge = intent?.latest_charge
  const card = charge?.payment_method_details?.card
  const back = refunds.flatMap(refundOf)
  const given = back.reduce((sum, one) => sum + (one.status === 'success' ? (one.amountMinor ?? 0) : 0), 0)
  return {
    paymentId,
    status,
    gateStatus:
      status === 'processing' ? AWAITING_CONFIRMATION : `${session.status}, ${session.payment_status}`,
    amountMinor: amount_total,
    currency,
    paid: status === 'Success' ? { amount: amount_total, currency } : undefined,
    nextAction: undefined,
    at,
    requestId: intent?.id,
    code: intent?.last_payment_error?.decline_code ?? intent?.last_payment_error?.code,
    authCode: charge?.authorization_code,
    eci: card?.three_d_secure?.electronic_commerce_indicator,
    panMasked: card?.last4 && /^\d{4}$/.test(card.last4) ? `************${card.last4}` : undefined,
    cardHolder: charge?.billing_details?.name,
    cardBrand: BRANDS[card?.brand ?? ''],
    refunds: back,
    isGivenBack: status === 'Success' && given >= amount_total,
    method: 'card',
    customerId: session.client_reference_id,
    isRefundOnly: false,
  }
}
