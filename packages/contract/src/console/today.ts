import { NODE_STATES } from '@hedgerow/domain/nodes'
import { PAYMENT_METHODS } from '@hedgerow/domain/payment-methods'
import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

/** What was sold and what went back in a time, by currency. */
const Sales = z.array(z.object({ sold: Sum, count: z.int(), back: Sum, refunds: z.int() }))

/** Where alerts are seen. */
const ALERT_LISTS = [
  'applications',
  'cancellations',
  'dispute-hints',
  'disputes',
  'jobs',
  'nodes',
  'payments',
  'rates',
  'record-checks',
  'sealed-rows',
  'settlement',
  'sterling-rates',
  'support',
  'unknown-payments',
  'withdrawals',
] as const
export type AlertList = (typeof ALERT_LISTS)[number]

export const Today = z.object({
  at: Time,
  /** Since midnight in London; yesterday, and the same weekday a week ago, up to this time of the day. */
  today: Sales,
  yesterday: Sales,
  weekAgo: Sales,
  /** Since midnight, Monday and the first, by way of paying. */
  sales: z.array(
    z.object({
      period: z.enum(['today', 'week', 'month']),
      method: z.enum(PAYMENT_METHODS),
      sold: Sum,
      count: z.int(),
      back: Sum,
      refunds: z.int(),
    }),
  ),
  /** Of the orders since midnight: made, paid, and with connections that were used. */
  orders: z.object({ made: z.int(), paid: z.int(), delivered: z.int(), connected: z.int() }),
  active: z.object({ connections: z.int(), customers: z.int() }),
  nodes: z.array(z.object({ state: z.enum(NODE_STATES), count: z.int() })),
  jobs: z.object({ waiting: z.int(), givenUp: z.int() }),
  /** Open ones, those that were lost in 30 days, and the cards of both. */
  disputes: z.object({ open: z.int(), lost: z.int(), cards: z.int() }),
  /** When a backup was last taken by the tool; null: never. */
  backedUpAt: z.nullable(Time),
  /** What the shop’s settings allow that they better would not. Empty in the tool, which does not read them: `doctor` does. */
  warnings: z.array(z.string()),
  /** What waits for somebody, the most pressing first, and where it is seen: a list, and what it is filtered by. */
  alerts: z.array(
    z.object({
      name: z.string(),
      count: z.int(),
      what: z.string(),
      list: z.enum(ALERT_LISTS),
      filters: z.record(z.string(), z.string()),
    }),
  ),
})
export type Today = z.infer<typeof Today>

export const getToday = operatorEndpoint({
  ...consoleRoutes.getToday,
  access: 'operator',
  permission: 'shop.see',
  consequence: 'looks',
  record: 'reads',
  command: 'overview',
  columns: columnsOf<Today>([
    { name: 'at', title: 'Now', kind: 'time' },
    { name: 'active', title: 'Active', kind: 'pairs' },
    { name: 'nodes', title: 'Nodes', kind: 'pairs' },
    { name: 'orders', title: 'Orders today', kind: 'pairs' },
    { name: 'disputes', title: 'Disputes, lost in 30 days', kind: 'pairs' },
    { name: 'jobs', title: 'Jobs', kind: 'pairs' },
    { name: 'backedUpAt', title: 'Last backup', kind: 'time' },
  ]),
  summary:
    'How the shop stands, by London’s days: what was sold, connections, nodes and jobs; and what waits for somebody',
  schema: { response: { 200: Today } },
})

export const SALES_STEPS = ['day', 'week', 'month'] as const
export const SALES_PARTS = ['currency', 'method', 'plan'] as const

export const getSales = operatorEndpoint({
  ...consoleRoutes.getSales,
  access: 'operator',
  permission: 'shop.see',
  consequence: 'looks',
  record: 'reads',
  summary:
    'What was sold in the last days, weeks or months, in one currency or by currency, way of paying or plan',
  schema: {
    querystring: z.object({
      step: z._default(z.enum(SALES_STEPS), 'day'),
      by: z._default(z.enum(SALES_PARTS), 'currency'),
    }),
    response: {
      200: z.object({
        /** When each step begins, the oldest first. */
        steps: z.array(Time),
        /** For each part and currency, what was sold in each step, in minor units. */
        lines: z.array(
          z.object({
            name: z.string(),
            currency: z.string(),
            sold: z.array(z.int()),
            counts: z.array(z.int()),
          }),
        ),
      }),
    },
  },
})
