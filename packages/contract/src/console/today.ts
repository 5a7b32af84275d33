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
  'checks',
  'connections',
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
  'webhooks',
  'withdrawals',
] as const
export type AlertList = (typeof ALERT_LISTS)[number]

/** `now`: somebody or something is stopped by it, or it is overdue. */
export const URGENCIES = ['now', 'today', 'later'] as const
export type Urgency = (typeof URGENCIES)[number]

const Revenue = z.object({
  /** The same in pounds, at the rates of the books; null where one of the currencies has none. */
  pounds: z.object({
    today: z.nullable(z.int()),
    yesterday: z.nullable(z.int()),
    weekAgo: z.nullable(z.int()),
  }),
  /** Since midnight in London; yesterday, and the same weekday a week ago, up to this time of the day. */
  today: Sales,
  yesterday: Sales,
  weekAgo: Sales,
  /** Since midnight, Monday and the first, by payment method. */
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
})

export const Today = z.object({
  at: Time,
  /** Null for those who may not see it. */
  revenue: z.nullable(Revenue),
  /** Of the orders since midnight: made, paid, and with connections that were used. */
  orders: z.object({ made: z.int(), paid: z.int(), delivered: z.int(), connected: z.int() }),
  active: z.object({ connections: z.int(), customers: z.int() }),
  nodes: z.array(z.object({ state: z.enum(NODE_STATES), count: z.int() })),
  jobs: z.object({ waiting: z.int(), givenUp: z.int() }),
  /** Open ones, those that were lost in 30 days, and the cards of both. */
  disputes: z.object({ open: z.int(), lost: z.int(), cards: z.int() }),
  /** When a backup was last made; null: never. */
  backedUpAt: z.nullable(Time),
  /** What the shop’s settings allow that they better would not. Empty in the tool, which does not read them: `doctor` does. */
  warnings: z.array(z.string()),
  /** What waits for somebody, the most pressing first, and where it is seen: a list, and what it is filtered by. */
  alerts: z.array(
    z.object({
      name: z.string(),
      count: z.int(),
      what: z.string(),
      /** What is done about it, as a button says it. */
      act: z.string(),
      list: z.enum(ALERT_LISTS),
      filters: z.record(z.string(), z.string()),
      urgency: z.enum(URGENCIES),
      /** When the first of them began to wait, where that is known. */
      since: z.nullable(Time),
      /** Where exactly one waits: its id or name, as its page is called. */
      only: z.nullable(z.string()),
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
  permission: 'revenue.see',
  consequence: 'looks',
  record: 'reads',
  summary:
    'What was sold in the last days, weeks or months, in pounds at the rates of the books, by currency, payment method or plan',
  schema: {
    querystring: z.object({
      step: z._default(z.enum(SALES_STEPS), 'day'),
      by: z._default(z.enum(SALES_PARTS), 'currency'),
    }),
    response: {
      200: z.object({
        /** When each step begins, the oldest first. */
        steps: z.array(Time),
        /**
         * For each part, what was sold in each step, in pence. `key` says which part it is; `place` numbers the plans by their
         * age, from 1, and is 0 for what has none.
         */
        lines: z.array(
          z.object({
            key: z.string(),
            name: z.string(),
            place: z.int(),
            sold: z.array(z.int()),
            counts: z.array(z.int()),
          }),
        ),
        /** Currencies without a rate: what was sold in them is not in the sums. */
        missing: z.array(z.string()),
      }),
    },
  },
})
