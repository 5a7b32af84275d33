import type { Order } from '@hedgerow/contract/orders'
import { describeOrder } from '@hedgerow/domain/order-description'
import type { OrderStatus } from '@hedgerow/domain/order-status'
import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { type Column, Table } from '@hedgerow/ui/table.tsx'
import { DiscountLine } from '#features/payment-history/discount-line.tsx'
import { InvoiceButton } from '#features/payment-history/invoice-button.tsx'
import { formatAmount } from '#shared/format-amount.ts'
import { Time } from '#shared/time.tsx'

const TONES: Record<OrderStatus, BadgeTone> = { New: 'quiet', Completed: 'good', Rejected: 'bad' }

const descriptionId = ({ orderId }: Order) => `order-${orderId}`

/** A declined order can be paid again, as long as its price holds. */
const isPayable = ({ status, expiresAt }: Order) =>
  status !== 'Completed' && new Date(expiresAt).getTime() > Date.now()

const columns = (onInvoice: (orderId: string) => Promise<void>): Column<Order>[] => [
  {
    header: 'Date',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { header: 'What for', cell: (order) => <span id={descriptionId(order)}>{describeOrder(order)}</span> },
  {
    header: 'Total',
    cell: ({ total, discount, promocode, currency }) => (
      <>
        <span>{formatAmount(total, currency.code)}</span>
        <DiscountLine discount={discount} promocode={promocode} currency={currency} />
      </>
    ),
    isNumber: true,
  },
  { header: 'Status', cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge> },
  {
    header: 'Actions',
    isBare: true,
    cell: (order) => {
      if (order.status === 'Completed')
        return (
          <InvoiceButton orderId={order.orderId} describedBy={descriptionId(order)} onInvoice={onInvoice} />
        )
      return isPayable(order) ? (
        <ButtonLink to={`/checkout/${order.orderId}`} aria-describedby={descriptionId(order)}>
          Pay
        </ButtonLink>
      ) : null
    },
  },
]

type OrderTableProps = {
  caption: string
  orders: readonly Order[]
  onInvoice: (orderId: string) => Promise<void>
}

export const OrderTable = ({ caption, orders, onInvoice }: OrderTableProps) => (
  <Table caption={caption} columns={columns(onInvoice)} rows={orders} keyOf={({ orderId }) => orderId} />
)
