import { DISPUTE_STATUSES, DISPUTE_VATS } from '@hedgerow/domain/dispute-status'
import { SCHEMES } from '@hedgerow/domain/scheme-programmes'
import * as z from 'zod/mini'
import { PdfReply } from '../endpoint.ts'
import { Uuid } from '../fields.ts'
import { PaymentId } from '../payments.ts'
import { columnsOf } from './columns.ts'
import { bodyOf, choice, day, optional, shapeOf, sum, text, tick, withDefault } from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const DisputeView = z.object({
  id: z.string(),
  paymentId: z.string(),
  sum: Sum,
  status: z.enum(DISPUTE_STATUSES),
  phase: z.int(),
  /** A code of the card's scheme, or the gateway's word. */
  reason: z.nullable(z.string()),
  reasonWords: z.nullable(z.string()),
  group: z.nullable(z.string()),
  openedAt: Time,
  respondBy: Time,
  answeredAt: z.nullable(Time),
  endedAt: z.nullable(Time),
  reversedAt: z.nullable(Time),
  gateway: z.nullable(z.string()),
  haveConnectionsEnded: z.boolean(),
  vat: z.nullable(z.enum(DISPUTE_VATS)),
  customerId: z.nullable(z.string()),
  card: z.nullable(z.string()),
  orderId: z.string(),
  invoice: z.nullable(z.string()),
  total: Sum,
  /** The gateway’s, of the sale; null until it has told of it. */
  operationId: z.nullable(z.string()),
})
export type DisputeView = z.infer<typeof DisputeView>

const disputeColumns = columnsOf<DisputeView>([
  { name: 'id', title: 'Dispute', kind: 'id' },
  { name: 'sum', title: 'Charged back', kind: 'sum' },
  { name: 'status', title: 'Status', kind: 'word' },
  { name: 'reason', title: 'Reason', kind: 'word' },
  { name: 'reasonWords', title: 'In words', kind: 'text' },
  { name: 'group', title: 'Group', kind: 'word', isExtra: true },
  { name: 'openedAt', title: 'Opened', kind: 'time', sort: 'openedAt' },
  { name: 'respondBy', title: 'Answer by', kind: 'time', sort: 'respondBy' },
  { name: 'answeredAt', title: 'Answered', kind: 'time', isExtra: true },
  { name: 'endedAt', title: 'Ended', kind: 'time', isExtra: true },
  { name: 'reversedAt', title: 'Reversed', kind: 'time', isExtra: true },
  { name: 'paymentId', title: 'Payment', kind: 'id' },
  { name: 'customerId', title: 'Customer', kind: 'id', isExtra: true },
  { name: 'card', title: 'Card', kind: 'word' },
  { name: 'phase', title: 'Phase', kind: 'word', isExtra: true },
  { name: 'gateway', title: 'At the gateway', kind: 'text', isExtra: true },
  { name: 'haveConnectionsEnded', title: 'Connections ended', kind: 'yes', isExtra: true },
  { name: 'vat', title: 'VAT', kind: 'word', isExtra: true },
  { name: 'total', title: 'Total', kind: 'sum', isExtra: true },
  { name: 'orderId', title: 'Order', kind: 'id', isExtra: true },
  { name: 'invoice', title: 'Invoice', kind: 'word', isExtra: true },
  { name: 'operationId', title: 'Operation', kind: 'id', isExtra: true },
])

const disputeFilters = {
  status: optional(
    choice('Status', [
      ['open', 'Open'],
      ['won', 'Won'],
      ['lost', 'Lost'],
      ['reversed', 'Reversed'],
    ]),
  ),
}
const DISPUTE_SORTS = ['respondBy', '-openedAt'] as const
const seesDisputes = {
  access: 'operator',
  permission: 'disputes.see',
  consequence: 'looks',
  record: 'reads',
  columns: disputeColumns,
} as const

export const listDisputes = operatorEndpoint({
  ...consoleRoutes.listDisputes,
  ...seesDisputes,
  command: 'dispute list',
  summary: 'Disputes, those that want an answer first',
  fields: disputeFilters,
  schema: {
    querystring: listQuery(DISPUTE_SORTS, shapeOf(disputeFilters)),
    response: { 200: pageOf(DisputeView) },
  },
})

export const exportDisputes = operatorEndpoint({
  ...consoleRoutes.exportDisputes,
  command: 'dispute list',
  ...seesDisputes,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(DISPUTE_SORTS, shapeOf(disputeFilters)), response: {} },
})

const ofDispute = z.object({ disputeId: Uuid })

export const getDispute = operatorEndpoint({
  ...consoleRoutes.getDispute,
  ...seesDisputes,
  command: 'dispute show',
  summary: 'One dispute',
  schema: { params: ofDispute, response: { 200: DisputeView } },
  problems: [404],
})

const changesDispute = {
  access: 'operator',
  permission: 'disputes.change',
  consequence: 'money',
  columns: disputeColumns,
} as const
const answersDispute = { response: { 200: z.object({ isNew: z.boolean(), dispute: DisputeView }) } } as const

const openFields = {
  amountMinor: optional(
    sum('Amount', { hint: 'In the currency that was charged. Leave empty for all that is left' }),
  ),
  reason: optional(
    text('Reason', z.string().check(z.regex(/^[\w.-]{1,20}$/, 'A code like 10.4.')), {
      hint: 'The card network’s code, like 10.4',
    }),
  ),
  respondBy: optional(
    day('Answer by', { hint: 'The last day. The fourth business day from today if left empty' }),
  ),
  endConnections: tick('End the connections at once', {
    hint: 'They do not come back if the dispute is won',
  }),
  isAgain: tick('Reopen a dispute that was won'),
}

export const openDispute = operatorEndpoint({
  ...consoleRoutes.openDispute,
  ...changesDispute,
  record: { changes: 'dispute open', subject: 'paymentId', keeps: ['amountMinor', 'reason', 'isAgain'] },
  summary: 'Record that a payment is disputed, once: a repeat says how it stands',
  fields: openFields,
  schema: { params: z.object({ paymentId: PaymentId }), body: bodyOf(openFields), ...answersDispute },
  problems: [409],
})

export const winDispute = operatorEndpoint({
  ...consoleRoutes.winDispute,
  ...changesDispute,
  record: { changes: 'dispute won', subject: 'disputeId' },
  summary: 'Record that a dispute was won: the gateway has given the money back. What has ended stays ended',
  asks: 'Has the gateway given the money back to you, for good or for now?',
  schema: { params: ofDispute, ...answersDispute },
  problems: [409],
})

const lossFields = {
  vat: withDefault(
    choice('In the books', [
      ['credit-note', 'A credit note for the invoice'],
      ['bad-debt', 'A bad debt: the invoice and its VAT stay as they are'],
    ]),
    'credit-note',
  ),
  connections: optional(
    choice('Its connections', [
      ['end', 'End; they do anyway if all of the payment is lost'],
      ['keep', 'Stay, although the money is gone'],
    ]),
  ),
}

export const loseDispute = operatorEndpoint({
  ...consoleRoutes.loseDispute,
  ...changesDispute,
  record: { changes: 'dispute lost', subject: 'disputeId', keeps: ['vat', 'connections'] },
  summary: 'Record that a dispute was lost: the money is booked as given back, and the customer gets a mail',
  asks: 'Is the money gone for good? This cannot be undone.',
  fields: lossFields,
  schema: { params: ofDispute, body: bodyOf(lossFields), ...answersDispute },
  problems: [409],
})

export const reverseDispute = operatorEndpoint({
  ...consoleRoutes.reverseDispute,
  ...changesDispute,
  record: { changes: 'dispute reversed', subject: 'disputeId' },
  summary:
    'Record that a lost dispute was decided for you after all: the money is booked as come back, the partner is credited again, and a new invoice is emailed where the loss had a credit note. What has ended stays ended',
  asks: 'Has the gateway given the lost money back to you, for good? This cannot be undone.',
  schema: { params: ofDispute, ...answersDispute },
  problems: [409],
})

export const answerDispute = operatorEndpoint({
  ...consoleRoutes.answerDispute,
  ...changesDispute,
  record: { changes: 'dispute answered', subject: 'disputeId' },
  summary: 'Record that the gateway has your answer',
  done: 'You are not reminded of it again',
  schema: { params: ofDispute, ...answersDispute },
  problems: [409],
})

export const disputeEvidence = operatorEndpoint({
  ...consoleRoutes.disputeEvidence,
  access: 'operator',
  permission: 'disputes.change',
  consequence: 'exports',
  record: { opens: 'dispute evidence', subject: 'disputeId' },
  isDownload: true,
  summary:
    'All that the shop holds of a disputed purchase, as one PDF for the gateway. No traffic, which nobody keeps',
  done: 'It is about a person: send it to the gateway only, then delete it',
  schema: { params: ofDispute, response: { 200: PdfReply } },
  problems: [404],
})

export const listDisputeHints = operatorEndpoint({
  ...consoleRoutes.listDisputeHints,
  access: 'operator',
  permission: 'disputes.see',
  consequence: 'looks',
  record: 'reads',
  command: 'dispute hints',
  summary: 'What was only hinted at, and chargebacks that could not be recorded',
  schema: {
    response: {
      200: z.object({
        hints: z.array(z.object({ paymentId: z.nullable(z.string()), lastToldAt: Time })),
        unfiled: z.array(
          z.object({
            gatewayId: z.string(),
            paymentId: z.nullable(z.string()),
            why: z.string(),
            toldAt: Time,
          }),
        ),
        canFetch: z.boolean(),
      }),
    },
  },
})

export const listSchemeMonths = operatorEndpoint({
  ...consoleRoutes.listSchemeMonths,
  access: 'operator',
  permission: 'disputes.see',
  consequence: 'looks',
  record: 'reads',
  command: 'dispute ratios',
  summary:
    'Disputes of the last twelve months as Visa and Mastercard count them, against the limits of their programmes. What the schemes count is their own: issuers’ reports of fraud are only estimated',
  schema: {
    response: {
      200: z.object({
        months: z.array(
          z.object({
            month: z.string(),
            scheme: z.enum(SCHEMES),
            disputes: z.int(),
            won: z.int(),
            counted: z.int(),
            over: z.int(),
            /** In per cent, to two decimals; null where there were no payments to count over. */
            ratio: z.nullable(z.string()),
            limit: z.string(),
            standing: z.enum(['below', 'near', 'over']),
          }),
        ),
      }),
    },
  },
})

const fetchFields = {
  from: optional(day('From', { hint: 'Half a year back if left empty' })),
  to: optional(day('To', { hint: 'The last day. Now if left empty' })),
}

export const fetchConsoleDisputes = operatorEndpoint({
  ...consoleRoutes.fetchConsoleDisputes,
  access: 'operator',
  permission: 'disputes.change',
  consequence: 'stays',
  record: { changes: 'dispute fetch' },
  summary: 'Ask the gateway for chargebacks now',
  fields: fetchFields,
  schema: {
    body: bodyOf(fetchFields),
    response: {
      200: z.object({ new: z.int(), changed: z.int(), known: z.int(), unfiled: z.int() }),
    },
  },
  problems: [409, 502],
})

export const checkDisputeHints = operatorEndpoint({
  ...consoleRoutes.checkDisputeHints,
  access: 'operator',
  permission: 'disputes.change',
  consequence: 'settles',
  record: { changes: 'dispute checked' },
  summary: 'Record that you have looked at the gateway’s dashboard: what was only hinted at waits no longer',
  asks: 'Have you looked at the gateway’s dashboard?',
  done: 'What was only hinted at waits no longer',
  schema: { response: { 200: z.object({ checked: z.int() }) } },
})
