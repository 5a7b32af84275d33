import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { PAYMENT_METHODS } from '@hedgerow/domain/payment-methods'
import { CONNECTIONS, DAYS, FEATURES } from '@hedgerow/domain/pricing'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { PaymentId } from '../payments.ts'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

/** What came without belonging to anything here yet: payments, statements, hints. */

export const UnknownPayment = z.object({
  id: z.string(),
  status: z.string(),
  method: z.nullable(z.enum(PAYMENT_METHODS)),
  sum: z.nullable(Sum),
  card: z.nullable(z.string()),
  /** The account that the gateway names, where it is here. */
  customerId: z.nullable(z.string()),
  isGivenBack: z.boolean(),
  firstToldAt: Time,
})

export const listUnknownPayments = operatorEndpoint({
  ...consoleRoutes.listUnknownPayments,
  access: 'operator',
  permission: 'payments.see',
  record: 'reads',
  summary: 'Payments that the gateway reported and that are not known here, for instance after a restore',
  schema: {
    querystring: z.object({ all: z.optional(z.literal('true')) }),
    response: { 200: z.object({ payments: z.array(UnknownPayment), hasMore: z.boolean() }) },
  },
})

const FEATURE_KEYS = FEATURES.map(({ key }) => key) as [string, ...string[]]

export const adoptPayment = operatorEndpoint({
  ...consoleRoutes.adoptPayment,
  access: 'operator',
  permission: 'payments.settle',
  record: {
    changes: 'payment adopt',
    subject: 'paymentId',
    keeps: ['kind', 'customerId', 'orderId', 'planId', 'days', 'connections', 'currency'],
  },
  asksAgain: true,
  summary:
    'Say what an unknown payment was for. The gateway is asked first, and only what it confirms counts',
  schema: {
    params: z.object({ paymentId: PaymentId }),
    body: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('refund'), customerId: z.optional(Uuid) }),
      z.object({ kind: z.literal('order'), customerId: Uuid, orderId: Uuid }),
      z.object({ kind: z.literal('plan'), customerId: Uuid, planId: Uuid }),
      z.object({
        kind: z.literal('choice'),
        customerId: Uuid,
        days: z.number().check(z.int(), z.minimum(DAYS.min), z.maximum(DAYS.max)),
        connections: z.number().check(z.int(), z.minimum(CONNECTIONS.min), z.maximum(CONNECTIONS.max)),
        features: z._default(z.array(z.enum(FEATURE_KEYS)), []),
        currency: z.optional(z.enum(CURRENCY_CODES)),
      }),
    ]),
    response: { 200: z.object({ isNew: z.boolean(), orderId: z.string() }) },
  },
  problems: [404, 409],
})

export const StatementView = z.object({
  id: z.string(),
  isOpen: z.boolean(),
  receivedAt: Time,
  closedAt: z.nullable(Time),
  isAcknowledged: z.boolean(),
  /** Masked: 'A… L…', 'a…@example.org'. */
  name: z.string(),
  email: z.string(),
})

const seesStatements = { access: 'operator', permission: 'payments.see' } as const

export const listStatements = operatorEndpoint({
  ...consoleRoutes.listStatements,
  ...seesStatements,
  record: 'reads',
  summary: 'Cancellations that were sent without logging in',
  schema: {
    querystring: z.object({ all: z.optional(z.literal('true')) }),
    response: { 200: z.object({ statements: z.array(StatementView), hasMore: z.boolean() }) },
  },
})

const ofStatement = z.object({ statementId: Uuid })

export const openStatement = operatorEndpoint({
  ...consoleRoutes.openStatement,
  access: 'operator',
  permission: 'customers.open',
  record: { opens: 'cancellation show', subject: 'statementId' },
  summary: 'A statement, word for word, and the accounts that its address may belong to',
  schema: {
    params: ofStatement,
    response: {
      200: z.extend(StatementView, {
        contract: z.string(),
        message: z.string(),
        customerId: z.nullable(z.string()),
      }),
    },
  },
  problems: [404],
})

export const closeStatement = operatorEndpoint({
  ...consoleRoutes.closeStatement,
  access: 'operator',
  permission: 'payments.cancel',
  record: { changes: 'cancellation close', subject: 'statementId' },
  summary: 'It needs nothing more. Nobody gets a mail',
  schema: { params: ofStatement, response: { 200: z.object({ isChanged: z.boolean() }) } },
  problems: [404],
})

export const compareDay = operatorEndpoint({
  ...consoleRoutes.compareDay,
  access: 'operator',
  permission: 'payments.settle',
  record: { opens: 'reconcile', keeps: ['day', 'skip'] },
  summary: 'Payments that were started on a day (UTC), some at a time, against the gateway’s word of them',
  schema: {
    querystring: z.object({
      day: z.string().check(z.regex(/^20\d\d-\d\d-\d\d$/)),
      skip: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(10_000_000)), 0),
    }),
    response: {
      200: z.object({
        compared: z.int(),
        different: z.array(z.object({ paymentId: z.string(), createdAt: Time, says: z.array(z.string()) })),
        silent: z.int(),
        /** How many to skip next; null at the end of the day. */
        next: z.nullable(z.int()),
      }),
    },
  },
})
