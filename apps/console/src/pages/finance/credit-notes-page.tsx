import { Link } from 'wouter'
import type { ReplyOf } from '#lib/api.ts'
import { DOCUMENT_FILTERS, documentColumns } from '#pages/finance/document-list.tsx'
import { List } from '#shared/list.tsx'
import type { ListColumn } from '#shared/list-columns.tsx'
import { Page } from '#shared/page.tsx'

type Note = ReplyOf<'listConsoleCreditNotes'>['rows'][number]

const COLUMNS: readonly ListColumn<Note>[] = [
  ...(documentColumns('Given back') as ListColumn<Note>[]),
  {
    name: 'invoice',
    title: 'Invoice',
    cell: ({ invoice }) => (
      <Link to={`/finance/invoices/${invoice}`} className="link">
        {invoice}
      </Link>
    ),
  },
  { name: 'reason', title: 'Because', isExtra: true, cell: ({ reason }) => reason },
]

const CreditNotesPage = () => (
  <Page title="Credit notes" up={{ to: '/finance/invoices', label: 'Invoices' }}>
    <List<Note>
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
