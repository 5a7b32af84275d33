import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatCharged } from '@hedgerow/domain/exchange'
import { toMinor } from '@hedgerow/domain/money'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Button } from '@hedgerow/ui/button.tsx'
import { type Column, Table } from '@hedgerow/ui/table.tsx'
import {
  describeCorrection,
  describeRefund,
  describeStatus,
  describeWait,
} from '#features/payment-history/describe-payment.ts'
import { DiscountLine } from '#features/payment-history/discount-line.tsx'
import { InvoiceButton } from '#features/payment-history/invoice-button.tsx'
import { DocumentButton } from '#shared/document-button.tsx'
import { Time } from '#shared/time.tsx'

const descriptionId = ({ _id }: PaymentHistoryItem) => `payment-${_id}`

/** 400000******0077 → 4000 00** **** 0077, as it stands on the card. */
const groupedPan = (pan: string) => pan.replace(/(.{4})(?=.)/g, '$1 ')

/** What was to be paid, what was paid in its place, and what a promocode took off before. */
const Amount = ({ total, currency, charged, promocode, discount }: PaymentHistoryItem) => (
  <>
    <span className="whitespace-nowrap">{formatCharged(toMinor(total) ?? 0, currency.code)}</span>
    {charged && (
      <span className="block text-sm whitespace-nowrap text-quiet-ink">
        {formatCharged(toMinor(charged.total) ?? 0, charged.currency)}
      </span>
    )}
    <DiscountLine promocode={promocode} discount={discount} currency={currency} />
  </>
)

type StatusProps = Pick<PaymentTableProps, 'onInvoice' | 'onCreditNote'> & { item: PaymentHistoryItem }

/** How the payment stands, why it was declined, and what was given back or corrected, with the documents of that. */
const Status = ({ item, onInvoice, onCreditNote }: StatusProps) => {
  const { text, tone } = describeStatus(item)
  const { reason = describeWait(item), refunds, corrections = [] } = item
  const describedBy = descriptionId(item)
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {reason && <span className="mt-1 block max-w-64 text-sm text-quiet-ink max-lg:ml-auto">{reason}</span>}
      {refunds.map((refund) => (
        <span key={refund._id} className="mt-1 block text-sm text-quiet-ink">
          <span>{describeRefund(item, refund)}</span>
          {refund.claimUrl && (
            <a href={refund.claimUrl} target="_blank" rel="noopener noreferrer" className="link block">
              Claim this refund
            </a>
          )}
          {refund.reference && (
            <span className="block wrap-anywhere">Reference for your bank: {refund.reference}</span>
          )}
          {refund.creditNote && (
            <span className="block">
              <DocumentButton
                kind="Credit note"
                number={refund.creditNote}
                describedBy={describedBy}
                onGet={() => onCreditNote(refund._id)}
              />
            </span>
          )}
        </span>
      ))}
      {corrections.map((correction, i) => (
        <span key={correction._id} className="mt-1 block text-sm text-quiet-ink">
          <span>{describeCorrection(correction)}</span>
          {correction.creditNote && (
            <span className="block">
              <DocumentButton
                kind="Credit note"
                number={correction.creditNote}
                describedBy={describedBy}
                onGet={() => onCreditNote(correction._id)}
              />
            </span>
          )}
          {/* Only the last one counts: those before were taken back in their turn. */}
          {i === corrections.length - 1 && (
            <span className="block">
              <DocumentButton
                kind="Invoice"
                number={correction.invoice}
                describedBy={describedBy}
                onGet={() => onInvoice(item.orderId)}
              />
            </span>
          )}
        </span>
      ))}
    </>
  )
}

const columns: Column<PaymentHistoryItem>[] = [
  {
    header: 'When',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { header: 'What for', cell: (item) => <span id={descriptionId(item)}>{item.description}</span> },
  {
    header: 'Amount',
    cell: Amount,
    isNumber: true,
  },
  { header: 'Method', cell: ({ method, paidWith }) => paidWith ?? METHOD_NAMES[method] },
  {
    header: 'Card',
    cell: ({ pan }) => (pan ? <span className="whitespace-nowrap">{groupedPan(pan)}</span> : '–'),
  },
]

type PaymentTableProps = {
  payments: readonly PaymentHistoryItem[]
  /** The orders that offer their invoice elsewhere on the page. */
  listedOrders: ReadonlySet<string>
  onInvoice: (orderId: string) => Promise<void>
  /** Of a refund, or of a correction. */
  onCreditNote: (id: string) => Promise<void>
  /** Asks about one of these payments. */
  onCancel: (paymentIds: readonly string[]) => void
}

/** What bought a plan is in no list of orders, so its invoice is offered here. What can be cancelled can be so here. */
export const PaymentTable = ({
  payments,
  listedOrders,
  onInvoice,
  onCreditNote,
  onCancel,
}: PaymentTableProps) => {
  const status: Column<PaymentHistoryItem> = {
    header: 'Status',
    cell: (item) => <Status item={item} onInvoice={onInvoice} onCreditNote={onCreditNote} />,
  }
  const hasInvoice = ({ orderId, orderStatus, status, refundDue }: PaymentHistoryItem) =>
    status === 'Success' && orderStatus === 'Completed' && !refundDue && !listedOrders.has(orderId)
  const hasAction = (item: PaymentHistoryItem) => hasInvoice(item) || item.cancellableUntil !== undefined
  const actions: Column<PaymentHistoryItem> = {
    header: 'Actions',
    isBare: true,
    cell: (item) =>
      hasAction(item) && (
        <span className="inline-grid gap-2">
          {hasInvoice(item) && (
            <InvoiceButton orderId={item.orderId} describedBy={descriptionId(item)} onInvoice={onInvoice} />
          )}
          {item.cancellableUntil !== undefined && (
            <Button
              variant="outline"
              aria-describedby={descriptionId(item)}
              onClick={() => onCancel([item._id])}
            >
              Cancel or withdraw
            </Button>
          )}
        </span>
      ),
  }
  return (
    <Table
      caption="Payments"
      columns={[...columns, status, ...(payments.some(hasAction) ? [actions] : [])]}
      rows={payments}
      keyOf={({ _id }) => _id}
    />
  )
}
