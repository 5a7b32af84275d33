import * as z from 'zod/mini'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

/** What may have changed, by kind. Whoever hears of one reads it again: the event itself says nothing of it. */
export const LIVE_KINDS = [
  'payment',
  'order',
  'refund',
  'conversation',
  'node',
  'withdrawal',
  'incident',
] as const
export type LiveKind = (typeof LIVE_KINDS)[number]

export const LiveEvent = z.object({ kind: z.enum(LIVE_KINDS), id: z.string() })
export type LiveEvent = z.infer<typeof LiveEvent>

export const live = operatorEndpoint({
  ...consoleRoutes.live,
  access: 'operator',
  permission: 'shop.see',
  consequence: 'looks',
  record: 'reads',
  summary: 'What changes, as it changes: server-sent events, each a kind and an id',
  schema: { response: {} },
})
