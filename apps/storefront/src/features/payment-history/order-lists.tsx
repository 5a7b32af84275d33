import type { Order } from '@hedgerow/contract/orders'
import { ChevronDown } from '@hedgerow/ui/icons.tsx'
import type { ComponentProps } from 'react'
import { OrderTable } from '#features/payment-history/order-table.tsx'

/** Newest first. An order that was not paid is old once its price holds no longer, or another one was made after it. */
const isOldUnpaid = ({ status, expiresAt }: Order, position: number) =>
  status !== 'Completed' && (position > 0 || new Date(expiresAt).getTime() < Date.now())

type OrderListsProps = Omit<ComponentProps<typeof OrderTable>, 'caption'> & {
  /** There are older ones, not loaded yet. */
  hasMore: boolean
}

const countOf = (unpaid: number) => (unpaid === 1 ? '1 unpaid order' : `${unpaid} unpaid orders`)

/** What was bought and what may still be, and below, folded away, what was left unpaid. */
export const OrderLists = ({ orders, hasMore, onInvoice }: OrderListsProps) => {
  const unpaid = orders.filter(isOldUnpaid)
  const shown = orders.filter((order) => !unpaid.includes(order))
  return (
    <>
      {shown.length > 0 && <OrderTable caption="Orders" orders={shown} onInvoice={onInvoice} />}
      {unpaid.length > 0 && (
        <details className="group mt-3">
          <summary className="flex min-h-11 list-none items-center gap-2 rounded-field py-2 font-medium text-quiet-ink hover:text-hedge [&::-webkit-details-marker]:hidden">
            <ChevronDown className="size-5 shrink-0 transition-transform group-open:rotate-180" />
            <span>{hasMore ? 'Unpaid orders' : countOf(unpaid.length)}</span>
          </summary>
          <div className="mt-2">
            <OrderTable caption="Unpaid orders" orders={unpaid} onInvoice={onInvoice} />
          </div>
        </details>
      )}
    </>
  )
}
