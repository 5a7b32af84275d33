import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'
import { METHOD_OPTIONS, PAYMENT_COLUMNS, type Payment, STATUS_OPTIONS } from '#shared/payment-words.tsx'

/** As the tool's `payment list --only` names them. */
const NEEDS = [
  ['no-room', 'paid, and no room'],
  ['other-sum', 'another sum came'],
  ['stuck', 'not ended in time'],
  ['invoice-failing', 'no invoice yet'],
  ['card-testing', 'led to a pause'],
  ['refund-by-hand', 'refund to be sent by hand'],
  ['refund-refused', 'refund was refused'],
  ['refund-stuck', 'refund is stuck'],
] as const

const CURRENCIES = ['EUR', 'GBP', 'PLN'].map((code) => [code, code] as const)

/** Attempts to pay; what it shows stands in the address. */
const PaymentsPage = () => (
  <Page
    title="Payments"
    actions={
      <>
        <Link to="/payments/unknown" className={buttonLook('quiet')}>
          Unknown ones
        </Link>
        <Link to="/payments/comparison" className={buttonLook('quiet')}>
          Compare with the gateway
        </Link>
      </>
    }
  >
    <List<Payment>
      call="listPayments"
      file="/api/v1/payments.csv"
      caption="Payments"
      live={['payment', 'refund']}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/payments/${id}`}
      filters={[
        { name: 'status', label: 'Status', kind: 'choice', options: STATUS_OPTIONS },
        { name: 'method', label: 'Way of paying', kind: 'choice', options: METHOD_OPTIONS },
        { name: 'currency', label: 'Currency', kind: 'choice', options: CURRENCIES },
        { name: 'only', label: 'Needs somebody', kind: 'choice', options: NEEDS },
        { name: 'promocode', label: 'Promocode', kind: 'text' },
        { name: 'since', label: 'From', kind: 'day' },
        { name: 'until', label: 'Before', kind: 'day' },
        { name: 'customerId', label: 'Customer', kind: 'hidden' },
      ]}
      columns={PAYMENT_COLUMNS}
      empty={{ title: 'No payments yet', text: 'They appear here the moment somebody begins to pay.' }}
    />
  </Page>
)

export default PaymentsPage
