import { exportPayments, listPayments } from '@hedgerow/contract/console/payments'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'
import { type Payment, PaymentBadge } from '#shared/payment-words.tsx'

/** Attempts to pay; what it shows stands in the address. */
const PaymentsPage = () => (
  <Page
    title="Payments"
    actions={
      <>
        <Link to="/payments/unknown" className={buttonLook('quiet')}>
          Unknown payments
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
      mayFile={exportPayments.permission}
      caption="Payments"
      live={['payment', 'refund']}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/payments/${id}`}
      filters={filtersFor(listPayments.fields)}
      columns={columnsFor<Payment>(listPayments.columns, {
        status: ({ status }) => <PaymentBadge status={status} />,
        method: ({ method }) => METHOD_NAMES[method],
      })}
      empty={{ title: 'No payments yet', text: 'Payments appear here as soon as a customer starts to pay.' }}
    />
  </Page>
)

export default PaymentsPage
