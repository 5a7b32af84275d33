import { NarrowPage } from '@hedgerow/ui/page/narrow-page.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Link } from 'wouter'
import { InvoiceForm } from '#features/invoices/invoice-form.tsx'

const InvoicePage = () => (
  <NarrowPage
    title="Invoice generator"
    lead="Make a record of a card payment on one page, and download it as a PDF."
  >
    <Notice kind="info" title="This makes a payment record" className="mb-6">
      It shows what you type in, and says so. It has no invoice number, and we do not keep a copy. Invoices
      for the orders you have paid are in{' '}
      <Link to="/profile" className="link">
        your profile
      </Link>
      .
    </Notice>
    <InvoiceForm />
  </NarrowPage>
)

export default InvoicePage
