import { ORDER_STATUSES } from '@hedgerow/domain/order-status'
import { PAYMENT_METHODS } from '@hedgerow/domain/payment-methods'
import { PAYMENT_STATUSES } from '@hedgerow/domain/payment-status'
import { REFUND_STATUSES, REFUND_VERDICTS } from '@hedgerow/domain/refund-status'
import * as z from 'zod/mini'
import { Cancellation } from '../cancellations.ts'
import { Uuid } from '../fields.ts'
import { PaymentId } from '../payments.ts'
import { DisputeView } from './disputes.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-createdAt', 'createdAt'] as const

const minor = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000))

const between = {
  since: z.optional(z.iso.datetime()),
  until: z.optional(z.iso.datetime()),
  customerId: z.optional(Uuid),
}

const paymentFilters = {
  ...between,
  status: z.optional(z.enum(PAYMENT_STATUSES)),
  method: z.optional(z.enum(PAYMENT_METHODS)),
  currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/))),
  /** Only those that need somebody, for this reason: the words of the tool's `payment list --only`. */
  only: z.optional(z.string().check(z.maxLength(40))),
  promocode: z.optional(z.string().check(z.maxLength(40))),
  least: z.optional(minor),
  most: z.optional(minor),
}

export const ListedPayment = z.object({
  id: z.string(),
  createdAt: Time,
  status: z.enum(PAYMENT_STATUSES),
  method: z.enum(PAYMENT_METHODS),
  charged: Sum,
  /** What came of it, in a word or two: 'delivered', 'disputed'. */
  outcome: z.string(),
  what: z.string(),
  code: z.nullable(z.string()),
  invoice: z.nullable(z.string()),
  customerId: z.nullable(z.string()),
})
export type ListedPayment = z.infer<typeof ListedPayment>

const reads = { access: 'operator', permission: 'payments.see', record: 'reads' } as const

export const listPayments = operatorEndpoint({
  ...consoleRoutes.listPayments,
  ...reads,
  summary: 'Attempts to pay',
  schema: { querystring: listQuery(SORTS, paymentFilters), response: { 200: pageOf(ListedPayment) } },
})

export const exportPayments = operatorEndpoint({
  ...consoleRoutes.exportPayments,
  ...reads,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, paymentFilters), response: {} },
})

export const RefundView = z.object({
  id: z.string(),
  sum: Sum,
  reason: z.string(),
  isByHand: z.boolean(),
  status: z.enum(REFUND_STATUSES),
  code: z.nullable(z.string()),
  createdAt: Time,
  endedAt: z.nullable(Time),
  /** It was refused, and nothing is owed for it any more. */
  isClosed: z.boolean(),
})

export const PaymentReport = z.extend(ListedPayment, {
  gatewayStatus: z.nullable(z.string()),
  gatewayRequestId: z.nullable(z.string()),
  price: Sum,
  total: Sum,
  rate: z.nullable(z.string()),
  promocode: z.nullable(z.string()),
  received: z.nullable(Sum),
  refunded: Sum,
  disputed: Sum,
  /** What could still be refunded. */
  left: Sum,
  endedAt: z.nullable(Time),
  nextCheckAt: z.nullable(Time),
  deliveredAt: z.nullable(Time),
  invoicedAt: z.nullable(Time),
  cancelledAt: z.nullable(Time),
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
  summary: 'A payment and all that came of it; whose it is, by the account’s id only',
  schema: { params: ofPayment, response: { 200: PaymentReport } },
  problems: [404],
})

export const RefundRequest = z.object({
  /** In minor units; all that is left if left out. */
  amountMinor: z.optional(
    z.int().check(z.minimum(1, 'The smallest refund is 0.01.'), z.maximum(1_000_000_000)),
  ),
  /** The same sum was refunded before, and is meant once more. */
  isAgain: z._default(z.boolean(), false),
})

export const refundPayment = operatorEndpoint({
  ...consoleRoutes.refundPayment,
  access: 'operator',
  permission: 'payments.refund',
  record: { changes: 'refund', subject: 'paymentId', keeps: ['amountMinor', 'isAgain'] },
  summary:
    'Refund a payment, whole or in part, once: a repeat says what came of the first. Large ones ask again',
  schema: {
    params: ofPayment,
    body: RefundRequest,
    response: { 200: z.object({ outcome: z.enum(['recorded', 'known']), refund: RefundView }) },
  },
  problems: [409],
})

export const sayOfConsoleRefund = operatorEndpoint({
  ...consoleRoutes.sayOfConsoleRefund,
  access: 'operator',
  permission: 'payments.refund',
  record: { changes: 'refund', subject: 'paymentId', keeps: ['refundId', 'verdict'] },
  asksAgain: true,
  summary: 'Say what became of a refund: sent another way, failed for good, or no longer owed',
  schema: {
    params: z.object({ paymentId: PaymentId, refundId: Uuid }),
    body: z.object({ verdict: z.enum(REFUND_VERDICTS) }),
    response: { 200: z.object({}) },
  },
  problems: [409],
})

const CancelRequest = z.object({
  /** When the customer asked; now if left out. */
  toldAt: z.optional(z.iso.datetime()),
  /** As a favour, although its 14 days are over. */
  isLateAllowed: z._default(z.boolean(), false),
})

/** The same in a query string. */
const CancelQuestion = z.object({
  toldAt: CancelRequest.shape.toldAt,
  isLateAllowed: z.optional(z.literal('true')),
})

export const previewConsoleCancel = operatorEndpoint({
  ...consoleRoutes.previewConsoleCancel,
  ...reads,
  permission: 'payments.cancel',
  summary: 'What cancelling a purchase would give back and end',
  schema: { params: ofPayment, querystring: CancelQuestion, response: { 200: z.nullable(Cancellation) } },
  problems: [409],
})

export const cancelConsolePayment = operatorEndpoint({
  ...consoleRoutes.cancelConsolePayment,
  access: 'operator',
  permission: 'payments.cancel',
  record: { changes: 'payment cancel', subject: 'paymentId', keeps: ['toldAt', 'isLateAllowed'] },
  asksAgain: true,
  summary:
    'Cancel a purchase for a customer who asked for it: what it bought ends, what was not used goes back',
  schema: { params: ofPayment, body: CancelRequest, response: { 200: z.object({ isNew: z.boolean() }) } },
  problems: [409],
})

export const SETTLED_AS = ['paid', 'decline', 'error'] as const

export const settleConsolePayment = operatorEndpoint({
  ...consoleRoutes.settleConsolePayment,
  access: 'operator',
  permission: 'payments.settle',
  record: { changes: 'payment settle', subject: 'paymentId', keeps: ['as', 'isAlthough'] },
  asksAgain: true,
  summary: 'End a payment that does not end by itself. The gateway is asked first, and its answer counts',
  schema: {
    params: ofPayment,
    body: z.object({ as: z.enum(SETTLED_AS), isAlthough: z._default(z.boolean(), false) }),
    response: {
      200: z.object({ outcome: z.enum(['settled', 'by-the-gateway']), status: z.enum(PAYMENT_STATUSES) }),
    },
  },
  problems: [409],
})

export const comparePayment = operatorEndpoint({
  ...consoleRoutes.comparePayment,
  access: 'operator',
  // The gateway is asked: nothing for somebody who only looks.
  permission: 'payments.refund',
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
