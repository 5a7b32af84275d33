import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { bodyOf, queryTick } from './fields.ts'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { periodFields } from './periods.ts'
import { consoleRoutes } from './routes.ts'

const PlacedSaleView = z.object({
  paidAt: Time,
  invoice: z.nullable(z.string()),
  paymentId: z.string(),
  orderId: z.string(),
  method: z.string(),
  total: Sum,
  charged: Sum,
  /** The gateway’s, of the sale; null until it has told of it. */
  operationId: z.nullable(z.string()),
  /** Null until its invoice is issued. */
  vat: z.nullable(Sum),
  rate: z.number(),
  treatment: z.string(),
  taxedIn: z.nullable(z.string()),
  /** The countries that the customer chose, of the card or bank, and of the network. */
  chosen: z.nullable(z.string()),
  bank: z.nullable(z.string()),
  network: z.nullable(z.string()),
  /** How these agree; 'business' where a VAT number says it. */
  verdict: z.enum(['agrees', 'contradicts', 'single', 'business']),
  vatNumber: z.nullable(z.string()),
  vatNumberStanding: z.nullable(z.string()),
  consultation: z.nullable(z.string()),
  /** As the business named itself, and as VIES names the number's holder. */
  company: z.nullable(z.string()),
  viesName: z.nullable(z.string()),
})
export type PlacedSaleView = z.infer<typeof PlacedSaleView>

const columns = columnsOf<PlacedSaleView>([
  { name: 'paidAt', title: 'Paid', kind: 'time' },
  { name: 'invoice', title: 'Invoice', kind: 'word' },
  { name: 'paymentId', title: 'Payment', kind: 'id' },
  { name: 'orderId', title: 'Order', kind: 'id', isExtra: true },
  { name: 'method', title: 'Method', kind: 'word', isExtra: true },
  { name: 'total', title: 'Total', kind: 'sum' },
  { name: 'charged', title: 'Charged', kind: 'sum', isExtra: true },
  { name: 'operationId', title: 'Operation', kind: 'id', isExtra: true },
  { name: 'vat', title: 'VAT', kind: 'sum', isExtra: true },
  { name: 'rate', title: 'Rate', kind: 'word' },
  { name: 'treatment', title: 'Treatment', kind: 'word', isExtra: true },
  { name: 'taxedIn', title: 'Taxed in', kind: 'word', isExtra: true },
  { name: 'chosen', title: 'Chosen', kind: 'word' },
  { name: 'bank', title: 'Bank', kind: 'word' },
  { name: 'network', title: 'Network', kind: 'word' },
  { name: 'verdict', title: 'Evidence', kind: 'word' },
  { name: 'vatNumber', title: 'VAT number', kind: 'word' },
  { name: 'vatNumberStanding', title: 'Standing', kind: 'word' },
  { name: 'consultation', title: 'Consultation', kind: 'text', isExtra: true },
  { name: 'company', title: 'Business', kind: 'text', isExtra: true },
  { name: 'viesName', title: 'Holder in VIES', kind: 'text', isExtra: true },
])

const fields = {
  ...periodFields,
  contradicting: queryTick('Only those whose other pieces name no country that was chosen'),
}

const opensEvidence = {
  access: 'operator',
  permission: 'books.open',
  consequence: 'opens',
  record: { opens: 'vat-evidence list', keeps: ['from', 'to', 'month', 'quarter', 'contradicting'] },
  fields,
  columns,
} as const

export const listVatEvidence = operatorEndpoint({
  ...consoleRoutes.listVatEvidence,
  ...opensEvidence,
  summary:
    'What the country of each sale was determined by, in the order in which they were paid: what was chosen, card or bank, network, and VAT number',
  schema: { querystring: bodyOf(fields), response: { 200: z.array(PlacedSaleView) } },
})

export const vatEvidenceFile = operatorEndpoint({
  ...consoleRoutes.vatEvidenceFile,
  ...opensEvidence,
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: bodyOf(fields), response: {} },
})
