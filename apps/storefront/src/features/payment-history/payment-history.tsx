import { Button, ButtonLink } from '@hedgerow/ui/button.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { messageOf } from '@hedgerow/web/message-of.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { OrderLists } from '#features/payment-history/order-lists.tsx'
import { PastCancelling } from '#features/payment-history/past-cancelling.tsx'
import { PaymentTable } from '#features/payment-history/payment-table.tsx'
import { orderListQuery, paymentListQuery } from '#shared/purchase-queries.ts'
import { ShowMore } from '#shared/show-more.tsx'

type Loading<T> = {
  data: T[] | undefined
  error: Error | null
  isFetching: boolean
  refetch: () => unknown
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

type PartProps<T> = {
  id: 'orders' | 'payments'
  title: string
  query: Loading<T>
  failed: string
  none: ReactNode
  children: (items: readonly T[]) => ReactNode
  /** Stands below the list, where there is one. */
  note?: ReactNode
}

/** A list as it stands: not loaded, empty, or there. What was loaded once stays, whatever comes. */
const Part = <T,>({ id, title, query, failed, none, children, note }: PartProps<T>) => {
  const {
    data,
    error,
    isFetching,
    refetch,
    hasNextPage,
    isFetchingNextPage,
    isFetchNextPageError,
    fetchNextPage,
  } = query
  const list = useRef<HTMLDivElement>(null)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-4 text-xl">
        {title}
      </h2>
      {!data && error && (
        <Notice kind="problem" title={failed}>
          <p>{messageOf(error)}</p>
          <Button variant="outline" className="mt-3" busy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {data && <div ref={list}>{data.length === 0 ? none : children(data)}</div>}
      {data && (
        <ShowMore
          what={id}
          shown={data.length}
          hasMore={hasNextPage}
          isBusy={isFetchingNextPage}
          error={isFetchNextPageError ? error : null}
          onMore={() => void fetchNextPage()}
          list={list}
          items="tbody tr"
        />
      )}
      {data && data.length > 0 && note}
    </section>
  )
}

const NothingBought = () => (
  <EmptyState title="Nothing bought yet" action={<ButtonLink to="/products">See the prices</ButtonLink>}>
    Your orders and payments will appear here, with their invoices.
  </EmptyState>
)

type PaymentHistoryProps = {
  /** Downloads the invoice of a paid order. */
  onInvoice: (orderId: string) => Promise<void>
  /** Downloads the credit note of a refund, or of a correction. */
  onCreditNote: (id: string) => Promise<void>
  /** Asks about one of these payments, to cancel it. */
  onCancel: (paymentIds: readonly string[]) => void
}

/** The account's orders, and every attempt to pay one. */
export const PaymentHistory = ({ onInvoice, onCreditNote, onCancel }: PaymentHistoryProps) => {
  const queryClient = useQueryClient()
  const orders = useInfiniteQuery(orderListQuery)
  const payments = useInfiniteQuery(paymentListQuery)

  // A payment may come through after its page was closed. The list of orders is kept long, the payments are not, and
  // they show what became of their orders.
  const isOutdated = payments.data?.some(({ orderId, orderStatus }) => {
    const order = orders.data?.find((one) => one.orderId === orderId)
    return order !== undefined && order.status !== orderStatus
  })
  const isOlder = orders.dataUpdatedAt < payments.dataUpdatedAt
  useEffect(() => {
    if (isOutdated && isOlder) void queryClient.invalidateQueries({ queryKey: orderListQuery.queryKey })
  }, [isOutdated, isOlder, queryClient])

  // Both at once: the payments do not move when the orders come.
  if ([orders, payments].some(({ data, error }) => !data && !error)) {
    return <Skeleton label="Loading your orders and payments" lines={12} className="min-h-100" />
  }
  if (orders.data?.length === 0 && payments.data?.length === 0) return <NothingBought />
  return (
    <div className="space-y-10">
      <Part
        id="orders"
        title="Orders"
        query={orders}
        failed="Your orders did not load"
        none={<p className="text-quiet-ink">No orders yet.</p>}
      >
        {(list) => <OrderLists orders={list} hasMore={orders.hasNextPage} onInvoice={onInvoice} />}
      </Part>
      <Part
        id="payments"
        title="Payments"
        query={payments}
        failed="Your payments did not load"
        none={<p className="text-quiet-ink">No payments yet. Each attempt to pay will appear here.</p>}
        note={<PastCancelling payments={payments} onCancel={onCancel} />}
      >
        {(list) => (
          <PaymentTable
            payments={list}
            listedOrders={new Set((orders.data ?? []).map(({ orderId }) => orderId))}
            onInvoice={onInvoice}
            onCreditNote={onCreditNote}
            onCancel={onCancel}
          />
        )}
      </Part>
    </div>
  )
}
