import * as z from 'zod/mini'
import { Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const compareDay = operatorEndpoint({
  ...consoleRoutes.compareDay,
  access: 'operator',
  permission: 'payments.settle',
  consequence: 'opens',
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
