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
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { type PartnerFacts, partnerOrder, selectPartners } from '#desk/partners/partner-facts.queries.ts'
import { getPartnerReport, listRings, type Ring } from '#desk/partners/partner-reports.ts'
import { whatOf } from '#desk/partners/transfer-words.ts'
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

const levelOf = ({ settled }: PartnerFacts) => {
  const { level, percentage } = levelFor(settled)
  return { level, percentage }
}

const nextOf = ({ settled }: PartnerFacts) => {
  const next = levelAfter(settled)
  return next ? { level: next.level, transactions: next.transactions } : null
}

const balanceView = ({ currency, ...row }: BalanceRow) => ({
  currency,
  available: { minor: Number(row.available_minor), currency },
  pending: { minor: Number(row.pending_minor), currency },
  requested: { minor: Number(row.requested_minor), currency },
  paid: { minor: Number(row.paid_minor), currency },
  owing: { minor: row.owing_minor, currency },
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
  ...partnerOrder,
  show: view,
  columns: fileColumns(listConsolePartners.columns),
}

const RINGS_SHOWN = 100

/** Who brings customers, and what they earned. */
export const partnersRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  const endpoints = { list: listConsolePartners, file: exportPartners, fileName: 'partners' }
  serveList(app, deps, endpoints, partners)

  implementForOperators(app, deps, getConsolePartner, async ({ params: { partnerId }, query: { limit } }) => {
    const report = await getPartnerReport(deps, partnerId, limit)
    if (!report) throw new Problem('partner-not-found')
    const { facts, balances, transfers, uncredited } = report
    return {
      ...view(facts),
      next: nextOf(facts),
      uncredited,
      balances: balances.map(balanceView),
      movements: transfers.slice(0, limit).map(movementView),
      hasMore: transfers.length > limit,
      rings: (await listRings(deps, RINGS_SHOWN, partnerId)).map(ringView),
    }
  })

  implementForOperators(app, deps, listRingsEndpoint, async ({ query: { partnerId, limit } }) => {
    const found = await listRings(deps, limit + 1, partnerId)
    return { rings: found.slice(0, limit).map(ringView), hasMore: found.length > limit }
  })
}
