export { CreditNotePage as default } from '#pages/finance/document-page.tsx'
