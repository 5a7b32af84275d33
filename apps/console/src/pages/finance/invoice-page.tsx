export { InvoicePage as default } from '#pages/finance/document-page.tsx'
