import { BLIK_CURRENCY } from '@hedgerow/domain/exchange'
import { GATEWAYS } from '@hedgerow/domain/gateways'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { ORDER_STATUSES } from '@hedgerow/domain/order-status'
import { METHOD_NAMES, PAYMENT_METHODS } from '@hedgerow/domain/payment-methods'
import { PAYMENT_STATUSES, paymentStatusWords } from '@hedgerow/domain/payment-status'
import { REFUND_CAUSES } from '@hedgerow/domain/refund-presets'
import { REFUND_STATUSES } from '@hedgerow/domain/refund-status'
import * as z from 'zod/mini'
import { Cancellation } from '../cancellations.ts'
import { Uuid } from '../fields.ts'
import { PaymentId } from '../payments.ts'
import { columnsOf } from './columns.ts'
import { DisputeView } from './disputes.ts'
import {
  bodyOf,
  choice,
  choiceOf,
  moment,
  optional,
  querySum,
  queryTick,
  shapeOf,
  sum,
  text,
  tick,
} from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-createdAt', 'createdAt'] as const

const paymentFilters = {
  status: optional(choiceOf('Status', PAYMENT_STATUSES, paymentStatusWords)),
  method: optional(choiceOf('Payment method', PAYMENT_METHODS, (method) => METHOD_NAMES[method])),
  currency: optional(choiceOf('Currency', [...CURRENCY_CODES, BLIK_CURRENCY])),
  only: optional(
    choice('Needs attention', [
      ['no-room', 'paid, no free address'],
      ['other-sum', 'amount differs'],
      ['stuck', 'not finished in time'],
      ['invoice-failing', 'no invoice yet'],
      ['card-testing', 'caused a pause'],
      ['cancelled-often', 'cancelled repeatedly'],
      ['refund-by-hand', 'refund to send by hand'],
      ['refund-refused', 'refund refused'],
      ['refund-stuck', 'refund stuck'],
    ]),
  ),
  promocode: optional(text('Promocode', z.string().check(z.maxLength(40)))),
  least: optional(querySum('Least sum')),
  most: optional(querySum('Largest sum')),
  since: optional(moment('From')),
  until: optional(moment('Before')),
  customerId: optional(text('Customer', Uuid)),
}

export const ListedPayment = z.object({
  id: z.string(),
  createdAt: Time,
  status: z.enum(PAYMENT_STATUSES),
  method: z.enum(PAYMENT_METHODS),
  /** Who carries it. */
  gateway: z.enum(GATEWAYS),
  charged: Sum,
  /** What came of it, in a word or two: 'delivered', 'disputed'. */
  outcome: z.string(),
  what: z.string(),
  code: z.nullable(z.string()),
  invoice: z.nullable(z.string()),
  customerId: z.nullable(z.string()),
  orderId: z.string(),
  /** In the order’s currency. */
  total: Sum,
  /** The gateway’s, of the sale; null until it has told of it. */
  operationId: z.nullable(z.string()),
})
export type ListedPayment = z.infer<typeof ListedPayment>

const paymentColumns = columnsOf<ListedPayment>([
  { name: 'id', title: 'Payment', kind: 'id' },
  { name: 'createdAt', title: 'Started', kind: 'time', sort: 'createdAt' },
  { name: 'charged', title: 'Charged', kind: 'sum' },
  { name: 'status', title: 'Status', kind: 'word' },
  { name: 'method', title: 'Payment method', kind: 'word' },
  { name: 'outcome', title: 'Outcome', kind: 'word' },
  { name: 'what', title: 'For', kind: 'text' },
  { name: 'invoice', title: 'Invoice', kind: 'word', isExtra: true },
  { name: 'gateway', title: 'Gateway', kind: 'word', isExtra: true },
  { name: 'code', title: 'Code', kind: 'word', isExtra: true },
  { name: 'customerId', title: 'Customer', kind: 'id', isExtra: true },
  { name: 'total', title: 'Total', kind: 'sum', isExtra: true },
  { name: 'orderId', title: 'Order', kind: 'id', isExtra: true },
  { name: 'operationId', title: 'Operation', kind: 'id', isExtra: true },
])

const reads = {
  access: 'operator',
  permission: 'payments.see',
  consequence: 'looks',
  record: 'reads',
} as const
const lists = { ...reads, command: 'payment list', columns: paymentColumns } as const

export const listPayments = operatorEndpoint({
  ...consoleRoutes.listPayments,
  ...lists,
  summary: 'Attempts to pay, the newest first',
  fields: paymentFilters,
  schema: {
    querystring: listQuery(SORTS, shapeOf(paymentFilters)),
    response: { 200: pageOf(ListedPayment) },
  },
})

export const exportPayments = operatorEndpoint({
  ...consoleRoutes.exportPayments,
  ...lists,
  // One by one they are for anyone who helps a customer; all at once they are what the shop earns.
  permission: 'revenue.see',
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, shapeOf(paymentFilters)), response: {} },
})

const Coins = z.object({ way: z.string(), value: z.string(), rate: z.string(), id: z.string() })

export const RefundView = z.object({
  id: z.string(),
  sum: Sum,
  reason: z.string(),
  /** The operator who asked for it; null: none did, or by the tool. */
  by: z.nullable(z.string()),
  isByHand: z.boolean(),
  status: z.enum(REFUND_STATUSES),
  code: z.nullable(z.string()),
  createdAt: Time,
  endedAt: z.nullable(Time),
  /** It was refused, and nothing is owed for it any more. */
  isClosed: z.boolean(),
  /** By when it has to be sent, while it is owed. */
  dueBy: z.nullable(Time),
  /** Of one that its customer has to claim: since when a claim waits to be paid, and the page where that is done. */
  claim: z.nullable(z.object({ at: z.nullable(Time), page: z.nullable(z.string()) })),
  /** The card network's (ARN), by which the card holder's bank finds it. */
  reference: z.nullable(z.string()),
})

export const PaymentReport = z.extend(ListedPayment, {
  gatewayStatus: z.nullable(z.string()),
  gatewayRequestId: z.nullable(z.string()),
  /** The gateway’s own id for the payment, where that is not the shop’s. */
  gatewayRef: z.nullable(z.string()),
  price: Sum,
  rate: z.nullable(z.string()),
  promocode: z.nullable(z.string()),
  received: z.nullable(Sum),
  /** What came beyond the sum that was asked for; and when it was settled with the customer. */
  over: z.nullable(Sum),
  overSettledAt: z.nullable(Time),
  /** What a payment in bitcoin came as. */
  coins: z.array(Coins),
  refunded: Sum,
  disputed: Sum,
  /** What could still be refunded. */
  left: Sum,
  /** What is refunded most often, as of now; null: nothing is left. */
  presets: z.nullable(z.object({ all: Sum, unused: Sum, half: Sum })),
  endedAt: z.nullable(Time),
  nextCheckAt: z.nullable(Time),
  deliveredAt: z.nullable(Time),
  invoicedAt: z.nullable(Time),
  cancelledAt: z.nullable(Time),
  /** What was to be refunded for it. */
  cancelled: z.nullable(Sum),
  isRefundDue: z.boolean(),
  isUnknown: z.boolean(),
  activeConnections: z.int(),
  order: z.object({ id: z.string(), status: z.enum(ORDER_STATUSES) }),
  /** How it came to where it is, the oldest first: each time that the shop learnt something. */
  steps: z.array(
    z.object({
      at: Time,
      status: z.string(),
      gatewayStatus: z.nullable(z.string()),
      code: z.nullable(z.string()),
    }),
  ),
  refunds: z.array(RefundView),
  creditNotes: z.array(z.object({ number: z.string(), at: Time })),
  disputes: z.array(DisputeView),
  /** Other attempts to pay the same order. */
  others: z.array(ListedPayment),
})
export type PaymentReport = z.infer<typeof PaymentReport>

const ofPayment = z.object({ paymentId: PaymentId })

export const getPayment = operatorEndpoint({
  ...consoleRoutes.getPayment,
  ...reads,
  command: 'payment show',
  summary: 'A payment and all that came of it; whose it is, by the account’s id only',
  schema: { params: ofPayment, response: { 200: PaymentReport } },
  problems: [404],
})

const refundFields = {
  amountMinor: optional(
    sum('Amount', { hint: 'In the currency that was charged. Leave empty for all that is left' }),
  ),
  because: optional(
    choiceOf(
      'Reason',
      Object.keys(REFUND_CAUSES) as (keyof typeof REFUND_CAUSES)[],
      (cause) => REFUND_CAUSES[cause],
    ),
  ),
  isAgain: tick('The same sum once more is meant'),
}

const answersRefund = { response: { 200: z.object({ isNew: z.boolean(), refund: RefundView }) } } as const

export const refundPayment = operatorEndpoint({
  ...consoleRoutes.refundPayment,
  access: 'operator',
  permission: 'payments.refund',
  consequence: 'money',
  record: { changes: 'refund', subject: 'paymentId', keeps: ['amountMinor', 'because', 'isAgain'] },
  summary:
    'Refund a payment, whole or in part, once: a repeat says what came of the first. Large ones ask again',
  asks: 'Refund this payment? This cannot be undone.',
  fields: refundFields,
  done: 'The shop sends it to the gateway, unless it has to be sent by hand',
  schema: { params: ofPayment, body: bodyOf(refundFields), ...answersRefund },
  problems: [409],
})

const resolutionFields = {
  as: choice('It is so that', [
    ['sent', 'I have sent it another way'],
    ['failed', 'The gateway will never make it'],
    ['dropped', 'It is no longer owed'],
  ]),
}

export const resolveConsoleRefund = operatorEndpoint({
  ...consoleRoutes.resolveConsoleRefund,
  access: 'operator',
  permission: 'payments.refund',
  consequence: 'money',
  record: { changes: 'refund resolve', subject: 'paymentId', keeps: ['refundId', 'as'] },
  summary: 'Record what became of a refund: sent another way, failed for good, or no longer owed',
  asks: 'Have you looked in the gateway’s dashboard? The customer gets a mail if it was sent. This cannot be undone.',
  fields: resolutionFields,
  schema: {
    params: z.object({ paymentId: PaymentId, refundId: Uuid }),
    body: bodyOf(resolutionFields),
    ...answersRefund,
  },
  problems: [409],
})

const isLateAllowed = 'As a favour, although the 14 days are over'
const cancelFields = {
  askedAt: optional(moment('When the customer asked', { hint: 'Now if left empty' })),
  isLateAllowed: tick(isLateAllowed),
}
const cancelQuestion = { askedAt: cancelFields.askedAt, isLateAllowed: queryTick(isLateAllowed) }

const ForeseenCancellation = z.omit(Cancellation, { asksPassword: true })

export const previewConsoleCancel = operatorEndpoint({
  ...consoleRoutes.previewConsoleCancel,
  ...reads,
  permission: 'payments.cancel',
  summary: 'What cancelling a purchase would give back and end, or did',
  schema: {
    params: ofPayment,
    querystring: bodyOf(cancelQuestion),
    response: { 200: ForeseenCancellation },
  },
  problems: [409],
})

export const cancelConsolePayment = operatorEndpoint({
  ...consoleRoutes.cancelConsolePayment,
  access: 'operator',
  permission: 'payments.cancel',
  consequence: 'money',
  record: { changes: 'payment cancel', subject: 'paymentId', keeps: ['askedAt', 'isLateAllowed'] },
  summary:
    'Cancel a purchase for a customer who asked for it: what it bought ends, what was not used goes back',
  asks: 'Cancel this purchase for the customer? This cannot be undone.',
  fields: cancelFields,
  done: 'The customer gets a mail',
  schema: {
    params: ofPayment,
    body: bodyOf(cancelFields),
    response: { 200: z.object({ isNew: z.boolean(), cancellation: ForeseenCancellation }) },
  },
  problems: [409],
})

const overFields = {
  as: choice('It', [
    ['returned', 'has gone back to the customer'],
    ['kept', 'stays here: the customer agreed'],
  ]),
}

const settleFields = {
  as: choice('It ended as', [
    ['paid', 'Paid: exactly the sum that was due has arrived'],
    ['decline', 'Declined'],
    ['error', 'Failed'],
  ]),
  isAlthough: tick('Although the gateway says that it is under way'),
}

export const settleConsolePayment = operatorEndpoint({
  ...consoleRoutes.settleConsolePayment,
  access: 'operator',
  permission: 'payments.settle',
  consequence: 'money',
  record: { changes: 'payment settle', subject: 'paymentId', keeps: ['as', 'isAlthough'] },
  summary:
    'End a payment that does not end by itself. The gateway is asked first, and its answer counts. A later success still counts',
  asks: 'Did this payment end so? If it was paid, what it bought is delivered, or the money goes back if the order was paid another way.',
  fields: settleFields,
  schema: {
    params: ofPayment,
    body: bodyOf(settleFields),
    response: {
      200: z.object({
        outcome: z.enum(['settled', 'by-the-gateway']),
        status: z.enum(PAYMENT_STATUSES),
        /** It buys nothing. */
        isRefundDue: z.boolean(),
      }),
    },
  },
  problems: [409],
})

export const settleOverpayment = operatorEndpoint({
  ...consoleRoutes.settleOverpayment,
  access: 'operator',
  permission: 'payments.refund',
  consequence: 'money',
  record: { changes: 'payment over', subject: 'paymentId', keeps: ['as'] },
  summary: 'Record what became of the money that came beyond the sum that was due',
  asks: 'Is it settled? The shop sends nothing, and stops telling you of it.',
  fields: overFields,
  schema: {
    params: ofPayment,
    body: bodyOf(overFields),
    response: { 200: z.object({ isNew: z.boolean() }) },
  },
  problems: [404],
})

export const comparePayment = operatorEndpoint({
  ...consoleRoutes.comparePayment,
  access: 'operator',
  // The gateway is asked: nothing for somebody who only looks.
  permission: 'payments.refund',
  consequence: 'opens',
  record: { opens: 'reconcile', subject: 'paymentId' },
  summary: 'Ask the gateway how a payment stands there, and say what differs. Nothing is changed',
  schema: {
    params: ofPayment,
    response: {
      200: z.object({
        /** Null: the gateway gave no answer. */
        differences: z.nullable(z.array(z.object({ what: z.string(), here: z.string(), there: z.string() }))),
      }),
    },
  },
  problems: [404],
})
