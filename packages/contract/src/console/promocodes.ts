import * as z from 'zod/mini'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-uses', 'uses', 'promocode', '-promocode'] as const

const filters = { state: z.optional(z.enum(['open', 'closed', 'limited'])) }

export const PromocodeView = z.object({
  promocode: z.string(),
  partnerId: z.string(),
  /** Taken off the price. */
  percentage: z.number(),
  uses: z.int(),
  limit: z.nullable(z.int()),
  closedAt: z.nullable(Time),
})
export type PromocodeView = z.infer<typeof PromocodeView>

const reads = { access: 'operator', permission: 'promocodes.see', record: 'reads' } as const

export const listConsolePromocodes = operatorEndpoint({
  ...consoleRoutes.listConsolePromocodes,
  ...reads,
  summary: 'Promocodes that were used, limited or closed',
  schema: { querystring: listQuery(SORTS, filters), response: { 200: pageOf(PromocodeView) } },
})

export const exportPromocodes = operatorEndpoint({
  ...consoleRoutes.exportPromocodes,
  ...reads,
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: csvQuery(SORTS, filters), response: {} },
})

const ofCode = z.object({ promocode: z.string().check(z.regex(/^[A-Za-z0-9]{1,32}$/)) })

export const getConsolePromocode = operatorEndpoint({
  ...consoleRoutes.getConsolePromocode,
  ...reads,
  summary: 'One promocode, used or not',
  schema: {
    params: ofCode,
    response: { 200: z.extend(PromocodeView, { usesToCome: z.int() }) },
  },
  problems: [404],
})

export const setPromocode = operatorEndpoint({
  ...consoleRoutes.setPromocode,
  access: 'operator',
  permission: 'promocodes.change',
  record: { changes: 'promocode set', subject: 'promocode', keeps: ['limit', 'isClosed'] },
  summary: 'Set how often a promocode may be used in all, or close it, or open it again',
  schema: {
    params: ofCode,
    body: z.object({
      /** Past uses included; null: any number of times. */
      limit: z.optional(z.nullable(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)))),
      isClosed: z.optional(z.boolean()),
    }),
    response: { 200: z.object({ isChanged: z.boolean() }) },
  },
  problems: [404],
})
