import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { FEATURES } from '@hedgerow/domain/pricing'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { Link, useLocation } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { sumText } from '#lib/format.ts'
import { Act, type Filled, Mistyped } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { wholeOf } from '#shared/typed.ts'
import { useData } from '#shared/use-data.ts'

type Unknown = ReplyOf<'listUnknownPayments'>['payments'][number]

const KINDS = [
  ['refund', 'Nothing: refund it'],
  ['order', 'An unpaid order of the customer'],
  ['plan', 'A new order for a plan'],
  ['choice', 'A new order from the calculator'],
] as const

const needed = (filled: Filled, name: string, what: string): string => {
  const value = filled[name]
  if (!value) throw new Mistyped(name, `Please enter ${what}.`)
  return value
}

const bodyOf = (filled: Filled) => {
  const { kind } = filled
  if (kind === 'refund') return { kind: 'refund' as const, customerId: filled.customerId || undefined }
  const customerId = needed(filled, 'customerId', 'the customer’s number')
  if (kind === 'order')
    return { kind: 'order' as const, customerId, orderId: needed(filled, 'orderId', 'the order’s number') }
  if (kind === 'plan')
    return { kind: 'plan' as const, customerId, planId: needed(filled, 'planId', 'the plan’s number') }
  return {
    kind: 'choice' as const,
    customerId,
    days: wholeOf('days', filled.days),
    connections: wholeOf('connections', filled.connections),
    features: FEATURES.filter(({ key }) => filled[key] === 'on').map(({ key }) => key),
    currency: undefined,
  }
}

const AdoptAct = ({ payment }: { payment: Unknown }) => {
  const [, navigate] = useLocation()
  return (
    <Act
      label="Say what it was for"
      title={payment.sum ? `What were ${sumText(payment.sum)} for?` : 'What was it for?'}
      may="payments.settle"
      tone="quiet"
      verb="Record"
      fields={[
        { name: 'kind', label: 'Purpose', kind: 'choice', options: KINDS },
        {
          name: 'customerId',
          label: 'Customer ID',
          isOptional: true,
          ...(payment.customerId ? { first: payment.customerId } : {}),
          hint: 'It stands in the address of their page. Needed but for giving it back',
        },
        { name: 'orderId', label: 'Order ID', isOptional: true },
        { name: 'planId', label: 'Plan ID', isOptional: true },
        { name: 'days', label: 'Days', kind: 'number', isOptional: true, hint: 'Of the calculator' },
        { name: 'connections', label: 'Connections', kind: 'number', isOptional: true },
        ...FEATURES.map(({ key, label }) => ({ name: key, label, kind: 'check' as const })),
      ]}
      run={async (filled) => {
        const { isNew } = await api.call('adoptPayment', {
          params: { paymentId: payment.id },
          body: bodyOf(filled),
        })
        navigate(`/payments/${payment.id}`)
        return isNew
      }}
      done={(isNew) =>
        isNew ? 'Recorded. The shop does the rest.' : 'Already recorded: nothing was changed'
      }
      refreshes={['listUnknownPayments', 'getToday']}
    >
      <p>
        The gateway is asked first, and only what it confirms counts. What is delivered, or given back, cannot
        be undone.
      </p>
    </Act>
  )
}

const UnknownPaymentsPage = () => {
  const query = useData('listUnknownPayments', { querystring: {} })
  return (
    <Page
      title="Unknown payments"
      up={{ to: '/payments', label: 'Payments' }}
      lead="Payments that the gateway reported but the shop has no record of, for example after a restore."
    >
      <Loaded query={query}>
        {({ payments }) =>
          payments.length === 0 ? (
            <EmptyState title="No unknown payments">
              The shop has a record of every payment that the gateway reported.
            </EmptyState>
          ) : (
            <Table
              caption="Unknown payments"
              keyOf={({ id }) => id}
              rows={payments}
              columns={[
                { header: 'Payment', isName: true, cell: ({ id }) => id.slice(0, 12) },
                { header: 'Reported', cell: ({ firstToldAt }) => <Time at={firstToldAt} /> },
                { header: 'Status', cell: ({ status, isGivenBack }) => (isGivenBack ? 'refunded' : status) },
                {
                  header: 'By',
                  cell: ({ method, gateway }) =>
                    `${method ? `${METHOD_NAMES[method]}, by ` : ''}${GATEWAY_TITLES[gateway]}`,
                },
                { header: 'Amount', isNumber: true, cell: ({ sum }) => (sum ? <Money of={sum} /> : '–') },
                {
                  header: 'Customer',
                  cell: ({ customerId }) =>
                    customerId ? (
                      <Link to={`/customers/${customerId}`} className="link">
                        {customerId.slice(0, 8)}
                      </Link>
                    ) : (
                      'not here'
                    ),
                },
                {
                  header: 'What can be done',
                  isBare: true,
                  cell: (payment) => <AdoptAct payment={payment} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

export default UnknownPaymentsPage
