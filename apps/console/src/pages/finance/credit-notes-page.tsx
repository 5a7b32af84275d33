import { type CreditNoteLine, listConsoleCreditNotes } from '@hedgerow/contract/console/invoices'
import { Link } from 'wouter'
import { DOCUMENT_FILTERS } from '#pages/finance/document-filters.ts'
import { columnsFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

const COLUMNS = columnsFor<CreditNoteLine>(listConsoleCreditNotes.columns, {
  invoice: ({ invoice }) => (
    <Link to={`/finance/invoices/${invoice}`} className="link">
      {invoice}
    </Link>
  ),
})

const CreditNotesPage = () => (
  <Page title="Credit notes" up={{ to: '/finance/invoices', label: 'Invoices' }}>
    <List<CreditNoteLine>
      call="listConsoleCreditNotes"
      file="/api/v1/credit-notes.csv"
      caption="Credit notes"
      keyOf={({ number }) => number}
      linkOf={({ number }) => `/finance/credit-notes/${number}`}
      filters={DOCUMENT_FILTERS}
      empty={{ title: 'No credit note yet', text: 'Each refund of an invoiced payment gets one.' }}
      columns={COLUMNS}
    />
  </Page>
)

export default CreditNotesPage
