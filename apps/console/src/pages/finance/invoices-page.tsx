import { type InvoiceLine, listConsoleInvoices } from '@hedgerow/contract/console/invoices'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link } from 'wouter'
import { DOCUMENT_FILTERS } from '#pages/finance/document-filters.ts'
import { columnsFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

const COLUMNS = columnsFor<InvoiceLine>(listConsoleInvoices.columns, {
  credited: ({ credited }) => (credited.minor === 0 ? '–' : undefined),
})

const InvoicesPage = () => (
  <Page
    title="Invoices"
    actions={
      <Link to="/finance/credit-notes" className={buttonLook('outline')}>
        Credit notes
      </Link>
    }
  >
    <List<InvoiceLine>
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
