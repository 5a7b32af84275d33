import * as z from 'zod/mini'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

/** Where something was found: what it is, what it is called, and the page of the console that is about it. */
export const SearchHit = z.object({
  group: z.string(),
  label: z.string(),
  detail: z.string(),
  to: z.string(),
})
export type SearchHit = z.infer<typeof SearchHit>

export const search = operatorEndpoint({
  ...consoleRoutes.search,
  access: 'operator',
  permission: 'shop.see',
  consequence: 'opens',
  record: { opens: 'search', masks: ['words'] },
  summary:
    'Find by a part of an email or a name, an order, a payment, a sum, an invoice, a connection, a tunnel address, a promocode or the gateway’s request id. Recorded: the beginning of the words (ids, numbers and sums whole) and how much was found. Bounded: people are looked for 120 times an hour at most',
  schema: {
    querystring: z.object({ words: z.string().check(z.trim(), z.minLength(2), z.maxLength(254)) }),
    response: { 200: z.array(SearchHit) },
  },
})
