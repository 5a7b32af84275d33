import { correctInvoice } from '@hedgerow/contract/console/invoices'
import { buttonLook } from '@hedgerow/ui/button-look.ts'
import { Link, useParams } from 'wouter'
import { api, type ReplyOf } from '#lib/api.ts'
import { CallAct } from '#shared/call-act.tsx'
import { Facts } from '#shared/facts.tsx'
import { Page } from '#shared/page.tsx'
import { Personal } from '#shared/personal.tsx'
import { Section } from '#shared/section.tsx'
import { useMay } from '#shared/session.tsx'

type Document = ReplyOf<'openInvoice'>

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A document with all that it says: names and addresses, so that it is shown when asked for. */
const DocumentPage = ({ kind }: { kind: 'invoice' | 'credit-note' }) => {
  const { number = '' } = useParams<{ number: string }>()
  const may = useMay()
  const isInvoice = kind === 'invoice'
  const read = (): Promise<Document> =>
    api.call(isInvoice ? 'openInvoice' : 'openCreditNote', { params: { number } })
  return (
    <Page
      title={`${isInvoice ? 'Invoice' : 'Credit note'} ${number}`}
      up={
        isInvoice
          ? { to: '/finance/invoices', label: 'Invoices' }
          : { to: '/finance/credit-notes', label: 'Credit notes' }
      }
      actions={
        isInvoice &&
        may('books.open') && (
          <a href={`/api/v1/invoices/${number}/pdf`} download className={buttonLook('outline')}>
            Save as PDF
          </a>
        )
      }
    >
      <Section title="Contents">
        <Personal
          masked={<p>It names the buyer, and their address where they gave one.</p>}
          may="books.open"
          label="Open"
          read={read}
        >
          {({ facts, orderId, paymentId }) => (
            <>
              <Facts facts={facts.map(({ what, says }) => [upperFirst(what), says] as const)} />
              <p className="mt-4 flex flex-wrap gap-4">
                {paymentId && (
                  <Link to={`/payments/${paymentId}`} className="link">
                    Payment
                  </Link>
                )}
                {orderId && (
                  <Link to={`/orders/${orderId}`} className="link">
                    Order
                  </Link>
                )}
              </p>
            </>
          )}
        </Personal>
        {isInvoice && (
          <CallAct
            call="correctInvoice"
            endpoint={correctInvoice}
            label="Correct"
            params={{ number }}
            says={({ invoice, creditNote }: ReplyOf<'correctInvoice'>) =>
              `Invoice ${invoice} takes its place, and ${creditNote} takes it back. Both are emailed`
            }
            refreshes={['listConsoleInvoices', 'listConsoleCreditNotes']}
          />
        )}
      </Section>
    </Page>
  )
}

export const InvoicePage = () => <DocumentPage kind="invoice" />
export const CreditNotePage = () => <DocumentPage kind="credit-note" />
