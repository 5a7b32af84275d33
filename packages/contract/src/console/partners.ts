import * as z from 'zod/mini'
import { Uuid } from '../fields.ts'
import { columnsOf } from './columns.ts'
import { limit, optional, shapeOf, text } from './fields.ts'
import { csvQuery, listQuery, pageOf, Sum, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

const PARTNER_SORTS = ['-transactions', 'transactions', '-crossings', 'crossings'] as const

/** A partner, by the account's number only. */
export const PartnerView = z.object({
  id: z.string(),
  promocode: z.string(),
  level: z.int(),
  percentage: z.number(),
  transactions: z.int(),
  byPromocode: z.int(),
  crossings: z.int(),
})
export type PartnerView = z.infer<typeof PartnerView>

const partnerColumns = columnsOf<PartnerView>([
  { name: 'promocode', title: 'Promocode', kind: 'word' },
  { name: 'level', title: 'Level', kind: 'word' },
  { name: 'percentage', title: 'Share (%)', kind: 'word' },
  { name: 'transactions', title: 'Transactions', kind: 'word', sort: 'transactions' },
  { name: 'byPromocode', title: 'By promocode', kind: 'word' },
  { name: 'crossings', title: 'Crossings', kind: 'word', sort: 'crossings' },
  { name: 'id', title: 'Account', kind: 'id' },
])

const seesPartners = {
  access: 'operator',
  permission: 'partners.see',
  consequence: 'looks',
  record: 'reads',
} as const

export const listConsolePartners = operatorEndpoint({
  ...consoleRoutes.listConsolePartners,
  ...seesPartners,
  command: 'partner list',
  columns: partnerColumns,
  summary: 'Partners who brought somebody, the busiest first',
  schema: { querystring: listQuery(PARTNER_SORTS, {}), response: { 200: pageOf(PartnerView) } },
})

export const exportPartners = operatorEndpoint({
  ...consoleRoutes.exportPartners,
  ...seesPartners,
  command: 'partner list',
  isDownload: true,
  summary: 'The same as a file',
  schema: { querystring: csvQuery(PARTNER_SORTS, {}), response: {} },
})

const Balance = z.object({
  currency: z.string(),
  available: Sum,
  pending: Sum,
  requested: Sum,
  paid: Sum,
  /** What refunds want back and the account does not hold. */
  owing: Sum,
})

const RingView = z.object({
  /** By the same card, or from the same network. */
  tie: z.enum(['card', 'network']),
  name: z.string(),
  partnerId: z.string(),
  promocode: z.string(),
  accounts: z.array(
    z.object({
      /** Null of an account that is deleted. */
      customerId: z.nullable(z.string()),
      isPartner: z.boolean(),
      uncredited: z.int(),
      sums: z.array(z.object({ payments: z.int(), paid: Sum, earned: Sum })),
    }),
  ),
})
export type RingView = z.infer<typeof RingView>

const ofPartner = z.object({ partnerId: Uuid })

const partnerFields = { limit: limit('So many of the newest movements', 50) }

export const getConsolePartner = operatorEndpoint({
  ...consoleRoutes.getConsolePartner,
  ...seesPartners,
  command: 'partner show',
  fields: partnerFields,
  summary: 'A partner with level, balances, the newest movements and rings',
  schema: {
    params: ofPartner,
    querystring: z.object(shapeOf(partnerFields)),
    response: {
      200: z.extend(PartnerView, {
        next: z.nullable(z.object({ level: z.int(), transactions: z.int() })),
        uncredited: z.object({ ownCard: z.int(), smallSpend: z.int() }),
        balances: z.array(Balance),
        movements: z.array(
          z.object({
            id: z.string(),
            at: Time,
            what: z.string(),
            sum: Sum,
            paymentId: z.nullable(z.string()),
            withdrawalId: z.nullable(z.string()),
          }),
        ),
        hasMore: z.boolean(),
        rings: z.array(RingView),
      }),
    },
  },
  problems: [404],
})

const ringsFields = {
  partnerId: optional(text('Partner', Uuid, { hint: 'All partners if left empty' })),
  limit: limit('So many of the rings that paid most', 100),
}

export const listRings = operatorEndpoint({
  ...consoleRoutes.listRings,
  ...seesPartners,
  command: 'partner rings',
  summary:
    'Accounts that credit one partner, or are the partner’s own, and paid by one card or from one network. Networks are remembered for 90 days. A household or an office can be one network',
  fields: ringsFields,
  schema: {
    querystring: z.object(shapeOf(ringsFields)),
    response: { 200: z.object({ rings: z.array(RingView), hasMore: z.boolean() }) },
  },
})
