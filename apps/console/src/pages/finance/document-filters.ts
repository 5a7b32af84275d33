import { listConsoleInvoices } from '@hedgerow/contract/console/invoices'
import { filtersFor } from '#shared/call-list.tsx'

const { month: _, quarter: __, ...fields } = listConsoleInvoices.fields

/** Days are those of London, sent as they are: a month is named by its days. */
export const DOCUMENT_FILTERS = filtersFor(fields)
