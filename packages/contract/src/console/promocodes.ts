import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { bodyOf, choice, number, optional, shapeOf } from './fields.ts'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const SORTS = ['-uses', 'uses', 'promocode', '-promocode'] as const

const filters = {
  state: optional(
    choice('Status', [
      ['open', 'Open'],
      ['closed', 'Closed'],
      ['limited', 'With a limit'],
    ]),
  ),
}

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

const PromocodeReport = z.extend(PromocodeView, {
  /** Under way: they are not credited yet. */
  usesToCome: z.int(),
})
export type PromocodeReport = z.infer<typeof PromocodeReport>

const columns = columnsOf<PromocodeView>([
  { name: 'promocode', title: 'Promocode', kind: 'word', sort: 'promocode' },
  { name: 'percentage', title: 'Discount (%)', kind: 'word' },
  { name: 'uses', title: 'Uses', kind: 'word', sort: 'uses' },
  { name: 'limit', title: 'Limit', kind: 'word' },
  { name: 'closedAt', title: 'Closed', kind: 'time' },
  { name: 'partnerId', title: 'Partner', kind: 'id' },
])
const reportColumns = [
  ...columns,
  ...columnsOf<PromocodeReport>([{ name: 'usesToCome', title: 'Under way', kind: 'word' }]),
]

const reads = {
  access: 'operator',
  permission: 'promocodes.see',
  consequence: 'looks',
  record: 'reads',
} as const

export const listConsolePromocodes = operatorEndpoint({
  ...consoleRoutes.listConsolePromocodes,
  ...reads,
  command: 'promocode list',
  summary: 'Promocodes that were used, limited or closed, the most used first',
  fields: filters,
  columns,
  schema: { querystring: listQuery(SORTS, shapeOf(filters)), response: { 200: pageOf(PromocodeView) } },
})

export const exportPromocodes = operatorEndpoint({
  ...consoleRoutes.exportPromocodes,
  ...reads,
  command: 'promocode list',
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: csvQuery(SORTS, shapeOf(filters)), response: {} },
})

const ofCode = z.object({ promocode: z.string().check(z.regex(/^[A-Za-z0-9]{1,32}$/)) })

export const getConsolePromocode = operatorEndpoint({
  ...consoleRoutes.getConsolePromocode,
  ...reads,
  command: 'promocode show',
  summary: 'One promocode, used or not',
  columns: reportColumns,
  schema: { params: ofCode, response: { 200: PromocodeReport } },
  problems: [404],
})

const changes = {
  access: 'operator',
  permission: 'promocodes.change',
  consequence: 'publishes',
  columns: reportColumns,
} as const
const answers = {
  response: { 200: z.object({ isNew: z.boolean(), promocode: PromocodeReport }) },
} as const
const limitFields = { limit: number('Uses in all', 0, 1_000_000, { hint: 'Past uses included' }) }

export const limitPromocode = operatorEndpoint({
  ...consoleRoutes.limitPromocode,
  ...changes,
  record: { changes: 'promocode limit', subject: 'promocode', keeps: ['limit'] },
  summary: 'Set how often a promocode may be used in all',
  fields: limitFields,
  schema: { params: ofCode, body: bodyOf(limitFields), ...answers },
  problems: [404],
})

export const unlimitPromocode = operatorEndpoint({
  ...consoleRoutes.unlimitPromocode,
  ...changes,
  record: { changes: 'promocode unlimit', subject: 'promocode' },
  summary: 'Let a promocode be used without a limit',
  schema: { params: ofCode, ...answers },
  problems: [404],
})

export const closePromocode = operatorEndpoint({
  ...consoleRoutes.closePromocode,
  ...changes,
  record: { changes: 'promocode close', subject: 'promocode' },
  summary:
    'Close a promocode: it cannot be used from now on. Customers with unpaid orders must remove it before they can pay. Payments under way continue. You can open it again at any time',
  schema: { params: ofCode, ...answers },
  problems: [404],
})

export const openPromocode = operatorEndpoint({
  ...consoleRoutes.openPromocode,
  ...changes,
  record: { changes: 'promocode open', subject: 'promocode' },
  summary: 'Open a closed promocode again',
  schema: { params: ofCode, ...answers },
  problems: [404],
})
