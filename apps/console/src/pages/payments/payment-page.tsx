import { methodName } from '@hedgerow/domain/coins'
import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Link, useParams } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { CancelAct, CompareAct, DisputeAct, OverAct, SettleAct } from '#pages/payments/other-acts.tsx'
import { momentsOf } from '#pages/payments/payment-moments.ts'
import { RefundAct, Refunds } from '#pages/payments/refund-acts.tsx'
import { Facts } from '#shared/facts.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { PaymentBadge } from '#shared/payment-words.tsx'
import { Section } from '#shared/section.tsx'
import { Time } from '#shared/time.tsx'
import { Timeline } from '#shared/timeline.tsx'
import { useData } from '#shared/use-data.ts'

type Report = ReplyOf<'getPayment'>

/** What the customer is told now, in the words of their history. */
const seenByCustomer = ({ status, outcome, isRefundDue, deliveredAt }: Report): string => {
  if (status === 'Decline' || status === 'Error') return 'That it was not paid, why, and how to try again.'
  if (status !== 'Success') return 'That the payment is being checked, or what is still to be done.'
  if (isRefundDue) return 'That the money goes back.'
  if (!deliveredAt) return 'That it is paid, and the connections come by mail as soon as there is room.'
  return outcome === 'delivered' ? 'Paid, with the connections in the profile.' : `Paid; ${outcome}.`
}

const Details = ({ payment }: { payment: Report }) => (
  <Facts
    facts={[
      ['Status', <PaymentBadge key="s" status={payment.status} />],
      ['Result', payment.outcome],
      ['For', payment.what],
      [
        'Order',
        <Link key="o" to={`/orders/${payment.order.id}`} className="link">
          {payment.order.status}, {payment.order.id.slice(0, 8)}
        </Link>,
      ],
      [
        'Customer',
        payment.customerId ? (
          <Link key="c" to={`/customers/${payment.customerId}`} className="link">
            The account
          </Link>
        ) : (
          'erased account'
        ),
      ],
      [
        'Payment method',
        `${methodName(payment.method, payment.coins)}, by ${GATEWAY_TITLES[payment.gateway]}`,
      ],
      [
        'Charged',
        payment.rate
          ? `${sumText(payment.charged)}, for ${sumText(payment.total)} at ${payment.rate}`
          : sumText(payment.charged),
      ],
      ['Promocode', payment.promocode && `${payment.promocode}, from ${sumText(payment.price)}`],
      ['Amount received', payment.received && sumText(payment.received)],
      [
        'Received as',
        payment.coins.length > 0 && (
          <ul key="coins">
            {payment.coins.map(({ way, value, rate, id }) => (
              <li key={id} className="wrap-anywhere">
                {`${value} (${way}, at ${rate} ${payment.charged.currency} each), `}
                <span className="font-mono text-sm">{id}</span>
              </li>
            ))}
          </ul>
        ),
      ],
      [
        'Paid too much',
        payment.over &&
          `${sumText(payment.over)}, ${payment.overSettledAt ? 'settled' : 'owed to the customer'}`,
      ],
      ['Refunded', payment.refunded.minor > 0 && sumText(payment.refunded)],
      ['Disputed', payment.disputed.minor > 0 && sumText(payment.disputed)],
      ['Connections', payment.deliveredAt && `${payment.activeConnections} active`],
      ['Invoice', payment.invoice],
      ['Next check', payment.nextCheckAt && <Time key="n" at={payment.nextCheckAt} />],
      ['The customer sees', seenByCustomer(payment)],
      [
        'Payment',
        <span key="i" className="font-mono text-sm">
          {payment.id}
        </span>,
      ],
      [
        'Gateway ID',
        payment.gatewayRef && (
          <span key="gr" className="font-mono text-sm wrap-anywhere">
            {payment.gatewayRef}
          </span>
        ),
      ],
      [
        'Gateway request',
        payment.gatewayRequestId && (
          <span key="g" className="font-mono text-sm">
            {payment.gatewayRequestId}
          </span>
        ),
      ],
    ]}
  />
)

const Disputes = ({ disputes }: Pick<Report, 'disputes'>) => (
  <ul className="divide-y divide-line">
    {disputes.map((dispute) => (
      <li key={dispute.id} className="py-2">
        <Link to={`/disputes?open=${dispute.id}`} className="link">
          {sumText(dispute.sum)}, {dispute.status}
        </Link>{' '}
        {dispute.status === 'open' && !dispute.answeredAt && (
          <>
            – answer by <Time at={dispute.respondBy} />
          </>
        )}
      </li>
    ))}
  </ul>
)

const PaymentPage = () => {
  const { id = '' } = useParams<{ id: string }>()
  const payment = useData(
    'getPayment',
    { params: { paymentId: id } },
    { live: { kinds: ['payment', 'refund'] } },
  )
  const data = payment.data
  return (
    <Page
      title={data ? sumText(data.charged) : 'Payment'}
      name="Payment"
      up={{ to: '/payments', label: 'Payments' }}
      actions={
        data && (
          <>
            <RefundAct payment={data} />
            <CancelAct payment={data} />
            <DisputeAct payment={data} />
            <SettleAct payment={data} />
            <OverAct payment={data} />
            <CompareAct payment={data} />
          </>
        )
      }
    >
      <Loaded query={payment}>
        {(report) => (
          <div className="grid gap-6 lg:grid-cols-2">
            <Section title="Details">
              <Details payment={report} />
            </Section>
            <div className="space-y-6">
              <Section title="Timeline">
                <Timeline moments={momentsOf(report)} />
              </Section>
              {report.refunds.length > 0 && (
                <Section title="Refunds">
                  <Refunds payment={report} />
                </Section>
              )}
              {report.disputes.length > 0 && (
                <Section title="Disputes">
                  <Disputes disputes={report.disputes} />
                </Section>
              )}
              {report.others.length > 0 && (
                <Section title="Other attempts">
                  <ul className="divide-y divide-line">
                    {report.others.map((other) => (
                      <li key={other.id} className="flex flex-wrap gap-x-3 py-2">
                        <Link to={`/payments/${other.id}`} className="link">
                          <Time at={other.createdAt} />
                        </Link>
                        <PaymentBadge status={other.status} />
                      </li>
                    ))}
                  </ul>
                </Section>
              )}
              {report.isUnknown && (
                <Notice kind="warning">
                  The shop does not know what this payment was for. It only goes back.
                </Notice>
              )}
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

export default PaymentPage
