import {
  exportPartners,
  getConsolePartner,
  listConsolePartners,
  listRings as listRingsEndpoint,
  type PartnerView,
  type RingView,
} from '@hedgerow/contract/console/partners'
import { levelAfter, levelFor } from '@hedgerow/domain/partnership'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { getPartnerReport, listRings, type Ring } from '#desk/backoffice/operate-partners.ts'
import { type PartnerFacts, selectPartners } from '#desk/backoffice/partner-facts.queries.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { whatOf } from '#desk/presentation/present-transfer.ts'
import type { BalanceRow } from '#partners/partnership/partnership.service.ts'
import type { ListedTransfer } from '#partners/partnership/statement.ts'
import { Problem } from '#platform/http/problems.ts'

const view = (row: PartnerFacts): PartnerView => ({
  id: row.id,
  promocode: row.promocode,
  ...levelOf(row),
  transactions: row.transactions,
  byPromocode: row.promocode_uses,
  crossings: row.referral_visits,
})

const levelOf = ({ transactions }: PartnerFacts) => {
  const { level, percentage } = levelFor(transactions)
  return { level, percentage }
}

const nextOf = ({ transactions }: PartnerFacts) => {
  const next = levelAfter(transactions)
  return next ? { level: next.level, transactions: next.transactions } : null
}

const balanceView = (row: BalanceRow) => ({
  currency: row.currency,
  pendingMinor: Number(row.pending_minor),
  availableMinor: Number(row.available_minor),
  requestedMinor: Number(row.requested_minor),
  paidMinor: Number(row.paid_minor),
  owingMinor: row.owing_minor,
})

const movementView = (row: ListedTransfer) => ({
  id: row.id,
  at: row.created_at.toISOString(),
  what: whatOf(row),
  sum: { minor: row.amount_minor, currency: row.currency },
  paymentId: row.payment_id,
  withdrawalId: row.withdrawal_id,
})

const ringView = ({ tie, name, partner, accounts }: Ring): RingView => ({
  tie,
  name,
  partnerId: partner.id,
  promocode: partner.promocode,
  accounts: accounts.map(({ id, email, isPartner, uncredited, sums }) => ({
    customerId: email === null ? null : id,
    isPartner,
    uncredited,
    sums: sums.map(({ currency, payments, paidMinor, earnedMinor }) => ({
      payments,
      paid: { minor: paidMinor, currency },
      earned: { minor: earnedMinor, currency },
    })),
  })),
})

const partners: ListDefinition<
  z.output<typeof listConsolePartners.schema.querystring>,
  PartnerFacts,
  PartnerView
> = {
  query: (db) => selectPartners(db),
  sorts: {
    transactions: { by: sql`coalesce(partners.transactions, 0)`, type: 'bigint' },
    crossings: { by: sql`coalesce(partners.referral_visits, 0)`, type: 'bigint' },
  },
  id: { by: sql`customers.id`, type: 'uuid' },
  show: view,
  columns: [
    { name: 'promocode', title: 'Promocode', cell: ({ promocode }) => promocode },
    { name: 'level', title: 'Level', cell: ({ level }) => String(level) },
    { name: 'percentage', title: 'Share (%)', cell: ({ percentage }) => String(percentage) },
    { name: 'transactions', title: 'Transactions', cell: ({ transactions }) => String(transactions) },
    { name: 'byPromocode', title: 'By promocode', cell: ({ byPromocode }) => String(byPromocode) },
    { name: 'crossings', title: 'Crossings', cell: ({ crossings }) => String(crossings) },
    { name: 'id', title: 'Account', cell: ({ id }) => id },
  ],
}

/** Newest movements that a partner's page shows, and rings of all partners. */
const LATEST = 50
const RINGS = 100

/** Who brings customers, and what they earned. */
export const partnersRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  const endpoints = { list: listConsolePartners, file: exportPartners, fileName: 'partners' }
  serveList(app, deps, endpoints, partners)

  implementForOperators(app, deps, getConsolePartner, async ({ params: { partnerId } }) => {
    const report = await getPartnerReport(deps, partnerId, LATEST)
    if (!report) throw new Problem('partner-not-found')
    const { facts, balances, transfers, uncredited } = report
    return {
      ...view(facts),
      next: nextOf(facts),
      uncredited,
      balances: balances.map(balanceView),
      movements: transfers.slice(0, LATEST).map(movementView),
      hasMore: transfers.length > LATEST,
      rings: (await listRings(deps, RINGS, partnerId)).map(ringView),
    }
  })

  implementForOperators(app, deps, listRingsEndpoint, async () => {
    const found = await listRings(deps, RINGS + 1)
    return { rings: found.slice(0, RINGS).map(ringView), hasMore: found.length > RINGS }
  })
}
