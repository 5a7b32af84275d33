import type { PaymentHistoryItem } from '@hedgerow/contract/payments'
import { formatDateTime } from '@hedgerow/domain/dates'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { AttemptAmount, AttemptStatus } from '#features/payments/attempt-cells.tsx'
import { InvoiceButton } from '#features/payments/invoice-button.tsx'
import { type Column, Table } from '#ui/table.tsx'

const descriptionId = ({ _id }: PaymentHistoryItem) => `payment-${_id}`

/** 400000******0077 → 4000 00** **** 0077, as it stands on the card. */
const groupedPan = (pan: string) => pan.replace(/(.{4})(?=.)/g, '$1 ')

const columns: Column<PaymentHistoryItem>[] = [
  {
    header: 'When',
    cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDateTime(new Date(createdAt))}</span>,
  },
  { header: 'What for', cell: (item) => <span id={descriptionId(item)}>{item.description}</span> },
  {
    header: 'Amount',
    cell: AttemptAmount,
    isNumber: true,
  },
  { header: 'Method', cell: ({ method }) => METHOD_NAMES[method] },
  {
    header: 'Card',
    cell: ({ pan }) => (pan ? <span className="whitespace-nowrap">{groupedPan(pan)}</span> : '–'),
  },
  { header: 'Status', cell: AttemptStatus },
]

type AttemptTableProps = {
  attempts: readonly PaymentHistoryItem[]
  /** The orders that offer their invoice elsewhere on the page. */
  listedOrders: ReadonlySet<string>
  onInvoice: (orderId: string) => Promise<void>
}

/** What bought a plan is in no list of orders, so its invoice is offered here. */
export const AttemptTable = ({ attempts, listedOrders, onInvoice }: AttemptTableProps) => {
  const hasInvoice = ({ orderId, orderStatus, status, refundDue }: PaymentHistoryItem) =>
    status === 'Success' && orderStatus === 'Completed' && !refundDue && !listedOrders.has(orderId)
  const invoice: Column<PaymentHistoryItem> = {
    header: 'Actions',
    isBare: true,
    cell: (item) =>
      hasInvoice(item) && (
        <InvoiceButton orderId={item.orderId} describedBy={descriptionId(item)} onInvoice={onInvoice} />
      ),
  }
  return (
    <Table
      caption="Payments"
      columns={attempts.some(hasInvoice) ? [...columns, invoice] : columns}
      rows={attempts}
      keyOf={({ _id }) => _id}
    />
  )
}
