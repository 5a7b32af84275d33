import { Table } from '@hedgerow/ui/table.tsx'
import { Link, useParams } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { OrderBadge } from '#shared/order-badge.tsx'
import { Page } from '#shared/page.tsx'
import { PaymentBadge } from '#shared/payment-words.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

const locationText = ({ name, isChosen, insteadOf }: NonNullable<ReplyOf<'getConsoleOrder'>['location']>) => {
  if (insteadOf) return `${name}; ${insteadOf} was chosen but had no room`
  return `${name}, ${isChosen ? 'as chosen' : 'chosen by the shop'}`
}

const OrderPage = () => {
  const { id = '' } = useParams<{ id: string }>()
  const order = useData('getConsoleOrder', { params: { orderId: id } }, { live: { kinds: ['payment'] } })
  return (
    <Page title={order.data?.what ?? 'Order'} name="Order" up={{ to: '/orders', label: 'Orders' }}>
      <Loaded query={order}>
        {(data) => (
          <div className="space-y-6">
            <Section title="Details">
              <Facts
                facts={[
                  ['Status', <OrderBadge key="s" status={data.status} />],
                  ['Total', sumText(data.total)],
                  ['Before promocode', data.promocode && `${sumText(data.price)}, ${data.promocode}`],
                  ['Options', data.features.join(', ')],
                  ['Location', data.location && locationText(data.location)],
                  ['Created', <Time key="m" at={data.createdAt} />],
                  ['Payable until', <Time key="p" at={data.payableUntil} />],
                  [
                    'Customer',
                    data.customerId ? (
                      <Link key="c" to={`/customers/${data.customerId}`} className="link">
                        The account
                      </Link>
                    ) : (
                      'erased account'
                    ),
                  ],
                  [
                    'Order',
                    <span key="i" className="font-mono text-sm">
                      {data.id}
                    </span>,
                  ],
                ]}
              />
            </Section>
            <Section title="Payment attempts" isBare={data.attempts.length > 0}>
              {data.attempts.length === 0 ? (
                <p className="text-quiet-ink">None yet.</p>
              ) : (
                <Table
                  caption="Payment attempts"
                  keyOf={({ id: paymentId }) => paymentId}
                  rows={data.attempts}
                  columns={[
                    {
                      header: 'Started',
                      isName: true,
                      cell: (payment) => (
                        <Link to={`/payments/${payment.id}`} className="link">
                          <Time at={payment.createdAt} />
                        </Link>
                      ),
                    },
                    { header: 'Status', cell: ({ status }) => <PaymentBadge status={status} /> },
                    { header: 'Amount', isNumber: true, cell: ({ charged }) => <Money of={charged} /> },
                    { header: 'Outcome', cell: ({ outcome }) => outcome || '–' },
                  ]}
                />
              )}
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default OrderPage
