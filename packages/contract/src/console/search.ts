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
  record: { opens: 'search' },
  summary:
    'Find by an email, an order, a payment, an invoice, a connection, a tunnel address, a promocode or the gateway’s request id. That somebody searched is recorded, not for what',
  schema: {
    querystring: z.object({ words: z.string().check(z.trim(), z.minLength(2), z.maxLength(254)) }),
    response: { 200: z.array(SearchHit) },
  },
})
