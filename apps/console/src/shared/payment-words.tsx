import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { PAYMENT_STATUSES } from '@hedgerow/domain/payment-status'
import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import type { ListColumn } from '#shared/list-columns.tsx'
import { Money } from '#shared/money.tsx'
import { Time } from '#shared/time.tsx'

export type Payment = ReplyOf<'listPayments'>['rows'][number]
type Status = Payment['status']

const ENDS: Readonly<Partial<Record<Status, BadgeTone>>> = { Success: 'good', Decline: 'bad', Error: 'bad' }

const WORDS: Readonly<Partial<Record<string, string>>> = {
  Pending: 'Begun',
  'awaiting 3ds result': 'Awaiting 3-D Secure',
  'awaiting redirect result': 'At the bank',
  'awaiting clarification': 'Awaiting clarification',
  'awaiting customer action': 'Awaiting the customer',
  'awaiting merchant auth': 'Awaiting a code',
  processing: 'Processing',
  Success: 'Paid',
  Decline: 'Declined',
  Error: 'Failed',
}

/** A status in words; one that the shop no longer has, as it was kept. */
export const statusWords = (status: string): string => WORDS[status] ?? status

export const PaymentBadge = ({ status }: { status: Status }) => (
  <Badge tone={ENDS[status] ?? 'warning'}>{statusWords(status)}</Badge>
)

export const STATUS_OPTIONS = PAYMENT_STATUSES.map((status) => [status, statusWords(status)] as const)
export const METHOD_OPTIONS = Object.entries(METHOD_NAMES)

export const PAYMENT_COLUMNS: readonly ListColumn<Payment>[] = [
  {
    name: 'createdAt',
    title: 'Started',
    sort: 'createdAt',
    isName: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { name: 'charged', title: 'Sum', isNumber: true, cell: ({ charged }) => <Money of={charged} /> },
  { name: 'status', title: 'Status', cell: ({ status }) => <PaymentBadge status={status} /> },
  { name: 'method', title: 'Way of paying', cell: ({ method }) => METHOD_NAMES[method] },
  { name: 'outcome', title: 'Outcome', cell: ({ outcome }) => outcome || '–' },
  { name: 'what', title: 'For', cell: ({ what }) => what },
  { name: 'invoice', title: 'Invoice', cell: ({ invoice }) => invoice ?? '–', isExtra: true },
  { name: 'code', title: 'Code', cell: ({ code }) => code ?? '–', isExtra: true },
  {
    name: 'id',
    title: 'Payment',
    cell: ({ id }) => <span className="font-mono text-sm">{id}</span>,
    isExtra: true,
  },
]
