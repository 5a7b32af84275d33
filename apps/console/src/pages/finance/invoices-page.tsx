import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { DOCUMENT_FILTERS, documentColumns } from '#pages/finance/document-list.tsx'
import { List } from '#shared/list.tsx'
import type { ListColumn } from '#shared/list-columns.tsx'
import { Money } from '#shared/money.tsx'
import { Page } from '#shared/page.tsx'

type Invoice = ReplyOf<'listConsoleInvoices'>['rows'][number]

const COLUMNS: readonly ListColumn<Invoice>[] = [
  ...(documentColumns('Paid') as ListColumn<Invoice>[]),
  {
    name: 'credited',
    title: 'Credited',
    isNumber: true,
    cell: ({ creditedMinor, currency }) =>
      creditedMinor > 0 ? <Money of={{ minor: creditedMinor, currency }} /> : '–',
  },
]

const InvoicesPage = () => (
  <Page
    title="Invoices"
    actions={
      <Link to="/finance/credit-notes" className={buttonLook('outline')}>
        Credit notes
      </Link>
    }
  >
    <List<Invoice>
      call="listConsoleInvoices"
      file="/api/v1/invoices.csv"
      caption="Invoices"
      keyOf={({ number }) => number}
      linkOf={({ number }) => `/finance/invoices/${number}`}
      filters={DOCUMENT_FILTERS}
      empty={{ title: 'No invoice yet', text: 'Each paid order gets one within seconds.' }}
      columns={COLUMNS}
    />
  </Page>
)

export default InvoicesPage
