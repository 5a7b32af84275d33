import { paymentStatusWords } from '@hedgerow/domain/payment-status'
import type { ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import type { Moment } from '#shared/timeline.tsx'

type Report = ReplyOf<'getPayment'>

const TONES: Readonly<Record<string, Moment['tone']>> = { Success: 'good', Decline: 'bad', Error: 'bad' }

/** Why money goes back. */
export const reasonWords = ({ reason, by }: { reason: string; by: string | null }): string =>
  reason === 'operator' ? `by ${by ?? 'an operator'}` : reason.replaceAll('-', ' ')

const stepWords = ({ status, gatewayStatus, code }: Report['steps'][number]): string | undefined => {
  const words = [
    ...(gatewayStatus && gatewayStatus !== status.toLowerCase()
      ? [`the gateway says ‘${gatewayStatus}’`]
      : []),
    ...(code ? [`code ${code}`] : []),
  ]
  return words.join(', ') || undefined
}

const stepsOf = ({ steps, createdAt }: Report): Moment[] =>
  // Of a payment from before steps were kept, its beginning is known.
  steps.length === 0
    ? [{ at: createdAt, what: 'Started' }]
    : steps.map((step, position) => ({
        at: step.at,
        what: position === 0 ? 'Started' : paymentStatusWords(step.status),
        more: stepWords(step),
        tone: TONES[step.status] ?? 'plain',
      }))

/** In the very statement that notes its success, whose time is a moment later. */
const deliveryOf = ({ deliveredAt, steps }: Report): Moment[] => {
  if (!deliveredAt) return []
  const success = steps.findLast(({ status }) => status === 'Success')?.at ?? deliveredAt
  return [{ at: success > deliveredAt ? success : deliveredAt, what: 'Delivered', tone: 'good' }]
}

/** All that happened to a payment, as moments in time. */
export const momentsOf = (payment: Report): Moment[] => [
  ...stepsOf(payment),
  ...deliveryOf(payment),
  ...(payment.invoicedAt && payment.invoice
    ? [{ at: payment.invoicedAt, what: `Invoice ${payment.invoice}` }]
    : []),
  ...(payment.cancelledAt ? [{ at: payment.cancelledAt, what: 'Cancelled' }] : []),
  ...payment.refunds.flatMap((refund) => [
    {
      at: refund.createdAt,
      what: `Refund of ${sumText(refund.sum)} requested`,
      more: reasonWords(refund),
    },
    ...(refund.endedAt
      ? [
          {
            at: refund.endedAt,
            what: refund.status === 'Success' ? 'Refunded' : 'Refund refused',
            tone: refund.status === 'Success' ? ('plain' as const) : ('bad' as const),
          },
        ]
      : []),
  ]),
  ...payment.creditNotes.map(({ number, at }) => ({ at, what: `Credit note ${number}` })),
  ...payment.disputes.flatMap((dispute) => [
    { at: dispute.openedAt, what: `Disputed: ${sumText(dispute.sum)}`, tone: 'bad' as const },
    ...(dispute.answeredAt ? [{ at: dispute.answeredAt, what: 'Dispute answered' }] : []),
    ...(dispute.endedAt
      ? [{ at: dispute.endedAt, what: `Dispute ${dispute.reversedAt ? 'lost' : dispute.status}` }]
      : []),
    ...(dispute.reversedAt ? [{ at: dispute.reversedAt, what: 'Dispute reversed' }] : []),
  ]),
]
