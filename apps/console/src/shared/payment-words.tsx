import { paymentStatusWords } from '@hedgerow/domain/payment-status'
import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'

export type Payment = ReplyOf<'listPayments'>['rows'][number]
type Status = Payment['status']

const ENDS: Readonly<Partial<Record<Status, BadgeTone>>> = { Success: 'good', Decline: 'bad', Error: 'bad' }

export const PaymentBadge = ({ status }: { status: Status }) => (
  <Badge tone={ENDS[status] ?? 'warning'}>{paymentStatusWords(status)}</Badge>
)
