import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { VAT_TREATMENT_WORDS, VAT_TREATMENTS } from '@hedgerow/domain/vat'
import { COMPANY_ADDRESS_LENGTH, COMPANY_LENGTH, VAT_NUMBER_LENGTH } from '@hedgerow/domain/vat-numbers'
import * as z from 'zod/mini'
import { PdfReply } from '../endpoint.ts'
import { columnsOf } from './columns.ts'
import {
  bodyOf,
  choice,
  choiceOf,
  optional,
  queryTick,
  shapeOf,
  text,
  tick,
  withDefault,
  words,
} from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { periodFields } from './periods.ts'
import { consoleRoutes } from './routes.ts'

const sees = { access: 'operator', permission: 'books.see', consequence: 'looks', record: 'reads' } as const
const opensBooks = { access: 'operator', permission: 'books.open', consequence: 'opens' } as const
const changesBooks = { access: 'operator', permission: 'books.change', consequence: 'books' } as const

const SORTS = ['-issuedAt', 'issuedAt'] as const
/** Of documents whose money came, or went back, on these days. */
const documentFilters = {
  ...periodFields,
  currency: optional(choiceOf('Currency', CURRENCY_CODES)),
  treatment: optional(choiceOf('Tax', VAT_TREATMENTS, (treatment) => VAT_TREATMENT_WORDS[treatment])),
}

const Document = z.object({
  number: z.string(),
  issuedAt: Time,
  /** When the money came, or went back. */
  at: Time,
  net: Sum,
  vat: Sum,
  total: Sum,
  /** 'One Stop Shop, DE, 19%' */
  tax: z.string(),
  /** What the customer was charged, or got back. */
  charged: Sum,
  orderId: z.string(),
  /** Null where the payment is not kept any more. */
  paymentId: z.nullable(z.string()),
  /** The gateway’s; null where none is known. */
  operationId: z.nullable(z.string()),
})

export const InvoiceLine = z.extend(Document, { credited: Sum })
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const CreditNoteLine = z.extend(Document, {
  invoice: z.string(),
  /** Null: of a correction. */
  refundId: z.nullable(z.string()),
  reason: z.string(),
})
export type CreditNoteLine = z.infer<typeof CreditNoteLine>

const documentColumns = (number: string, at: string) =>
  columnsOf<z.infer<typeof Document>>([
    { name: 'number', title: number, kind: 'word' },
    { name: 'at', title: at, kind: 'time' },
    { name: 'issuedAt', title: 'Issued', kind: 'time', sort: 'issuedAt' },
    { name: 'net', title: 'Net', kind: 'sum' },
    { name: 'vat', title: 'VAT', kind: 'sum' },
    { name: 'total', title: 'Total', kind: 'sum' },
    { name: 'tax', title: 'Tax', kind: 'word' },
    { name: 'charged', title: 'Charged', kind: 'sum', isExtra: true },
    { name: 'orderId', title: 'Order', kind: 'id', isExtra: true },
    { name: 'paymentId', title: 'Payment', kind: 'id', isExtra: true },
    { name: 'operationId', title: 'Operation', kind: 'id', isExtra: true },
  ])

const ofInvoices = {
  ...sees,
  command: 'invoice list',
  columns: columnsOf<InvoiceLine>([
    ...documentColumns('Invoice', 'Paid'),
    { name: 'credited', title: 'Credited', kind: 'sum' },
  ]),
} as const

export const listConsoleInvoices = operatorEndpoint({
  ...consoleRoutes.listConsoleInvoices,
  ...ofInvoices,
  summary: 'Invoices, the newest first, without names; of those paid on some days, if these are named',
  fields: documentFilters,
  schema: {
    querystring: listQuery(SORTS, shapeOf(documentFilters)),
    response: { 200: pageOf(InvoiceLine) },
  },
})

export const exportInvoices = operatorEndpoint({
  ...consoleRoutes.exportInvoices,
  ...ofInvoices,
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: csvQuery(SORTS, shapeOf(documentFilters)), response: {} },
})

const ofCreditNotes = {
  ...sees,
  command: 'credit-note list',
  columns: columnsOf<CreditNoteLine>([
    ...documentColumns('Credit note', 'Given back'),
    { name: 'invoice', title: 'Invoice', kind: 'word' },
    { name: 'refundId', title: 'Refund', kind: 'id', isExtra: true },
    { name: 'reason', title: 'Reason', kind: 'word', isExtra: true },
  ]),
} as const

export const listConsoleCreditNotes = operatorEndpoint({
  ...consoleRoutes.listConsoleCreditNotes,
  ...ofCreditNotes,
  summary:
    'Credit notes, the newest first, without names; of money given back on some days, if these are named',
  fields: documentFilters,
  schema: {
    querystring: listQuery(SORTS, shapeOf(documentFilters)),
    response: { 200: pageOf(CreditNoteLine) },
  },
})

export const exportCreditNotes = operatorEndpoint({
  ...consoleRoutes.exportCreditNotes,
  ...ofCreditNotes,
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: csvQuery(SORTS, shapeOf(documentFilters)), response: {} },
})

const ofInvoice = z.object({ number: z.string().check(z.regex(/^\d{4}-\d{6,9}$/)) })
const ofCreditNote = z.object({ number: z.string().check(z.regex(/^CN-\d{4}-\d{6,9}$/)) })

/** All that a document says, a line each: with names and addresses. */
const DocumentReply = z.object({
  facts: z.array(z.object({ what: z.string(), says: z.string() })),
  orderId: z.nullable(z.string()),
  paymentId: z.nullable(z.string()),
})

export const openInvoice = operatorEndpoint({
  ...consoleRoutes.openInvoice,
  ...opensBooks,
  record: { opens: 'invoice show', subject: 'number' },
  summary: 'All that an invoice says, its payment and its credit notes',
  schema: { params: ofInvoice, response: { 200: DocumentReply } },
  problems: [404],
})

export const invoicePdf = operatorEndpoint({
  ...consoleRoutes.invoicePdf,
  ...opensBooks,
  record: { opens: 'invoice show', subject: 'number' },
  isDownload: true,
  summary: 'An invoice as its customer has it',
  schema: { params: ofInvoice, response: { 200: PdfReply } },
  problems: [404],
})

const correctionFields = {
  name: optional(
    text('Name of the buyer', z.string().check(z.trim(), z.minLength(1), z.maxLength(COMPANY_LENGTH))),
  ),
  address: optional(words('Address of the buyer', 1, COMPANY_ADDRESS_LENGTH, { hint: 'A line each' })),
  country: optional(
    text('Country of the sale', z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/)), {
      hint: 'Two letters, like DE. It decides the VAT',
    }),
  ),
  vatNumber: optional(
    text(
      'VAT number of the buyer',
      z.string().check(z.trim(), z.minLength(1), z.maxLength(VAT_NUMBER_LENGTH)),
      {
        hint: 'It is looked up in VIES first',
      },
    ),
  ),
  private: tick('Sold to a private customer', { hint: 'A VAT number on it counts no more' }),
}

/** Empty fields stay as they were. */
export const correctInvoice = operatorEndpoint({
  ...consoleRoutes.correctInvoice,
  ...changesBooks,
  record: { changes: 'invoice correct', subject: 'number', keeps: ['country', 'private'] },
  summary:
    'Put right who an invoice is to, or its tax: a credit note takes it back, an invoice of the same price takes its place, and both are emailed. No money moves. What is left out stays',
  asks: 'Credit this invoice, issue another in its place, and email both?',
  done: 'Corrected',
  fields: correctionFields,
  schema: {
    params: ofInvoice,
    body: bodyOf(correctionFields),
    response: { 200: z.object({ invoice: z.string(), creditNote: z.string() }) },
  },
  problems: [404, 409, 422],
})

export const openCreditNote = operatorEndpoint({
  ...consoleRoutes.openCreditNote,
  ...opensBooks,
  record: { opens: 'credit-note show', subject: 'number' },
  summary: 'All that a credit note says',
  schema: { params: ofCreditNote, response: { 200: DocumentReply } },
  problems: [404],
})

const nextNumber = {
  next: z.string(),
  /** This year's. */
  missing: z.array(z.object({ from: z.string(), to: z.string(), at: Time })),
}
const readsNext = { ...sees, schema: { response: { 200: z.object(nextNumber) } } } as const

export const getNextInvoice = operatorEndpoint({
  ...consoleRoutes.getNextInvoice,
  ...readsNext,
  command: 'invoice next',
  summary: 'The number of the next invoice, and this year’s that are missing because of a restore',
})

export const getNextCreditNote = operatorEndpoint({
  ...consoleRoutes.getNextCreditNote,
  ...readsNext,
  command: 'credit-note next',
  summary: 'The number of the next credit note, and this year’s that are missing because of a restore',
})

export const getNextCommission = operatorEndpoint({
  ...consoleRoutes.getNextCommission,
  ...readsNext,
  command: 'commission next',
  summary: 'The same of the documents that partners get of what they are paid',
})

const numberField = (pattern: RegExp, like: string) => ({
  number: text(
    'Number',
    z.string().check(z.trim(), z.regex(pattern, `A number is written like 120, or ${like}.`)),
    { hint: `120 of this year, or like ${like}` },
  ),
})
const invoiceNumberField = numberField(/^(?:20\d\d-)?\d{1,7}$/, '2026-000120')
const creditNoteNumberField = numberField(/^(?:(?:CN-)?20\d\d-)?\d{1,7}$/i, 'CN-2026-000120')
const commissionNumberField = numberField(/^(?:(?:CM-)?20\d\d-)?\d{1,7}$/i, 'CM-2026-000120')

const setsNext = {
  ...changesBooks,
  asks: 'Were the numbers before it used by the shop that was lost, or may they have been?',
  problems: [409],
} as const
const LEFT_OUT = 'Those before it are left out, and recorded as lost. This cannot be undone'
const setReply = { response: { 200: z.object({ isChanged: z.boolean(), ...nextNumber }) } }

export const setNextInvoice = operatorEndpoint({
  ...consoleRoutes.setNextInvoice,
  ...setsNext,
  record: { changes: 'invoice from', keeps: ['number'] },
  summary: `After a restore: the number of the next invoice. ${LEFT_OUT}`,
  fields: invoiceNumberField,
  schema: { body: bodyOf(invoiceNumberField), ...setReply },
})

export const setNextCreditNote = operatorEndpoint({
  ...consoleRoutes.setNextCreditNote,
  ...setsNext,
  record: { changes: 'credit-note from', keeps: ['number'] },
  summary: `After a restore: the number of the next credit note. ${LEFT_OUT}`,
  fields: creditNoteNumberField,
  schema: { body: bodyOf(creditNoteNumberField), ...setReply },
})

export const setNextCommission = operatorEndpoint({
  ...consoleRoutes.setNextCommission,
  ...setsNext,
  record: { changes: 'commission from', keeps: ['number'] },
  summary: `After a restore: the number of the next commission document. ${LEFT_OUT}`,
  fields: commissionNumberField,
  schema: { body: bodyOf(commissionNumberField), ...setReply },
})

const account = z.string().check(z.regex(/^[A-Za-z0-9][\w .:-]{0,39}$/, 'The code or name of an account.'))

/** What a file for another program is made by. */
export const bookFields = {
  ...periodFields,
  format: withDefault(
    choice('Which file', [
      ['csv', 'All fields (CSV)'],
      ['json', 'All fields (JSON)'],
      ['xero', 'Xero'],
      ['quickbooks', 'QuickBooks'],
      ['summary', 'A line for each day, currency, country and rate (CSV)'],
      ['journal', 'Journal: all that was booked (CSV)'],
      ['hledger', 'Journal: the same for hledger'],
    ]),
    'csv',
  ),
  account: optional(text('The account of sales', account, { hint: 'Xero: 200; QuickBooks, an item: Sales' })),
  ossAccount: optional(
    text('The same for VAT of the One Stop Shop', account, {
      hint: 'Xero: 825; QuickBooks: One Stop Shop VAT',
    }),
  ),
  ossInBox6: queryTick('Have Xero and QuickBooks count the net of the One Stop Shop in box 6'),
}

export const listBookFiles = operatorEndpoint({
  ...consoleRoutes.listBookFiles,
  ...sees,
  summary: 'Which files an export for another program comes to',
  fields: bookFields,
  schema: {
    querystring: bodyOf(bookFields),
    response: { 200: z.array(z.object({ name: z.string(), part: z.int() })) },
  },
  problems: [409],
})

export const bookFile = operatorEndpoint({
  ...consoleRoutes.bookFile,
  ...opensBooks,
  record: { opens: 'invoice export', keeps: ['format', 'from', 'to', 'month', 'quarter', 'part'] },
  isDownload: true,
  summary: 'Invoices paid and credit notes of money given back on some days, for another program',
  schema: {
    querystring: z.object({
      ...shapeOf(bookFields),
      part: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 1),
    }),
    response: {},
  },
  problems: [409],
})
