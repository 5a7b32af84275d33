import { GATEWAYS } from '@hedgerow/domain/gateways'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { PAYMENT_METHODS } from '@hedgerow/domain/payment-methods'
import { CONNECTIONS, DAYS, FEATURES } from '@hedgerow/domain/pricing'
import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { PaymentId } from '../payments.ts'
import { bodyOf, queryTick } from './fields.ts'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const UnknownPayment = z.object({
  id: z.string(),
  gateway: z.enum(GATEWAYS),
  status: z.string(),
  method: z.nullable(z.enum(PAYMENT_METHODS)),
  sum: z.nullable(Sum),
  card: z.nullable(z.string()),
  /** The account that the gateway names, where it is here. */
  customerId: z.nullable(z.string()),
  isGivenBack: z.boolean(),
  firstToldAt: Time,
  lastToldAt: Time,
})

const unknownFilters = {
  all: queryTick('All', { hint: 'Those that brought no money or were refunded in full, too' }),
}

export const listUnknownPayments = operatorEndpoint({
  ...consoleRoutes.listUnknownPayments,
  access: 'operator',
  permission: 'payments.see',
  consequence: 'looks',
  record: 'reads',
  command: 'payment unknown',
  summary: 'Payments that the gateway reported and that are not known here, for instance after a restore',
  fields: unknownFilters,
  schema: {
    querystring: bodyOf(unknownFilters),
    response: { 200: z.object({ payments: z.array(UnknownPayment), hasMore: z.boolean() }) },
  },
})

const FEATURE_KEYS = FEATURES.map(({ key }) => key) as [string, ...string[]]

export const adoptPayment = operatorEndpoint({
  ...consoleRoutes.adoptPayment,
  access: 'operator',
  permission: 'payments.settle',
  consequence: 'money',
  record: {
    changes: 'payment adopt',
    subject: 'paymentId',
    keeps: ['kind', 'customerId', 'orderId', 'planId', 'days', 'connections', 'currency'],
  },
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
