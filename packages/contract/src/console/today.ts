import { NODE_STATES } from '@hedgerow/domain/nodes'
import * as z from 'zod/mini'
import { Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

/** What was sold and what went back in a time, by currency. */
const Sales = z.array(z.object({ sold: Sum, count: z.int(), back: Sum, refunds: z.int() }))

export const Today = z.object({
  at: Time,
  /** Since midnight in London; yesterday, and the same weekday a week ago, up to this time of the day. */
  today: Sales,
  yesterday: Sales,
  weekAgo: Sales,
  /** Of the orders since midnight: made, paid, and with connections that were used. */
  orders: z.object({ made: z.int(), paid: z.int(), delivered: z.int(), connected: z.int() }),
  active: z.object({ connections: z.int(), customers: z.int() }),
  nodes: z.array(z.object({ state: z.enum(NODE_STATES), count: z.int() })),
  jobs: z.object({ waiting: z.int(), givenUp: z.int() }),
  disputes: z.object({ open: z.int(), lost: z.int() }),
  /** When a backup was last taken by the tool; null: never. */
  backedUpAt: z.nullable(Time),
  /** What waits for somebody, the most pressing first, and the page where it is mended. */
  alerts: z.array(z.object({ name: z.string(), count: z.int(), what: z.string(), page: z.string() })),
})
export type Today = z.infer<typeof Today>

export const getToday = operatorEndpoint({
  ...consoleRoutes.getToday,
  access: 'operator',
  permission: 'shop.see',
  record: 'reads',
  summary: 'How the shop stands, and what waits',
  schema: { response: { 200: Today } },
})

export const SALES_STEPS = ['day', 'week', 'month'] as const
export const SALES_PARTS = ['currency', 'method', 'plan'] as const

export const getSales = operatorEndpoint({
  ...consoleRoutes.getSales,
  access: 'operator',
  permission: 'shop.see',
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
