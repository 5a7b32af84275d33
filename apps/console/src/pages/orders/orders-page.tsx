import { ORDER_STATUSES } from '@hedgerow/domain/order-status'
import type { ReplyOf } from '#lib/api.ts'
import { List } from '#shared/list.tsx'
import { Money } from '#shared/money.tsx'
import { OrderBadge } from '#shared/order-badge.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'

type Order = ReplyOf<'listConsoleOrders'>['rows'][number]

const OrdersPage = () => (
  <Page title="Orders">
    <List<Order>
      call="listConsoleOrders"
      file="/api/v1/orders.csv"
      caption="Orders"
      live={['payment']}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/orders/${id}`}
      filters={[
        { name: 'status', label: 'Status', kind: 'choice', options: ORDER_STATUSES.map((one) => [one, one]) },
        { name: 'since', label: 'From', kind: 'day' },
        { name: 'until', label: 'Before', kind: 'day' },
        { name: 'customerId', label: 'Customer', kind: 'hidden' },
      ]}
      columns={[
        {
          name: 'createdAt',
          title: 'Made',
          sort: 'createdAt',
          isName: true,
          cell: ({ createdAt }) => <Time at={createdAt} />,
        },
        { name: 'what', title: 'For', cell: ({ what }) => what },
        { name: 'total', title: 'Sum', isNumber: true, cell: ({ total }) => <Money of={total} /> },
        {
          name: 'status',
          title: 'Status',
          cell: ({ status }) => <OrderBadge status={status} />,
        },
        { name: 'payments', title: 'Attempts to pay', isNumber: true, cell: ({ payments }) => payments },
        { name: 'promocode', title: 'Promocode', cell: ({ promocode }) => promocode ?? '–', isExtra: true },
      ]}
      empty={{ title: 'No orders yet' }}
    />
  </Page>
)

export default OrdersPage
