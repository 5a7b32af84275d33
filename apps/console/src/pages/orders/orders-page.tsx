import { exportOrders, listConsoleOrders } from '@hedgerow/contract/console/orders'
import type { ReplyOf } from '#lib/api.ts'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { OrderBadge } from '#shared/order-badge.tsx'
import { Page } from '#shared/page.tsx'

type Order = ReplyOf<'listConsoleOrders'>['rows'][number]

const OrdersPage = () => (
  <Page title="Orders">
    <List<Order>
      call="listConsoleOrders"
      file="/api/v1/orders.csv"
      mayFile={exportOrders.permission}
      caption="Orders"
      live={['payment']}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/orders/${id}`}
      filters={filtersFor(listConsoleOrders.fields)}
      columns={columnsFor<Order>(listConsoleOrders.columns, {
        status: ({ status }) => <OrderBadge status={status} />,
      })}
      empty={{ title: 'No orders yet' }}
    />
  </Page>
)

export default OrdersPage
