import {
  exportPromocodes,
  getConsolePromocode,
  listConsolePromocodes,
  type PromocodeView,
  setPromocode,
} from '@hedgerow/contract/console/promocodes'
import { levelFor } from '@hedgerow/domain/partnership'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import {
  closePromocode,
  getPromocodeReport,
  limitPromocode,
  openPromocode,
} from '#desk/backoffice/operate-promocodes.ts'
import { type PartnerFacts, selectPromocodes } from '#desk/backoffice/partner-facts.queries.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import { type ConsoleListDependencies, type ListDefinition, serveList } from '#desk/console/serve-list.ts'
import { Problem } from '#platform/http/problems.ts'

const view = (row: PartnerFacts): PromocodeView => ({
  promocode: row.promocode,
  partnerId: row.id,
  percentage: levelFor(row.transactions).percentage,
  uses: row.promocode_uses,
  limit: row.promocode_limit,
  closedAt: row.promocode_closed_at?.toISOString() ?? null,
})

const promocodes: ListDefinition<
  z.output<typeof listConsolePromocodes.schema.querystring>,
  PartnerFacts,
  PromocodeView
> = {
  query: (db, { state }) => selectPromocodes(db, { state }),
  sorts: {
    uses: { by: sql`coalesce(partners.promocode_uses, 0)`, type: 'bigint' },
    promocode: { by: sql`customers.promocode`, type: 'text' },
  },
  id: { by: sql`customers.id`, type: 'uuid' },
  show: view,
  columns: [
    { name: 'promocode', title: 'Promocode', cell: ({ promocode }) => promocode },
    { name: 'percentage', title: 'Takes off (%)', cell: ({ percentage }) => String(percentage) },
    { name: 'uses', title: 'Uses', cell: ({ uses }) => String(uses) },
    { name: 'limit', title: 'Limit', cell: ({ limit }) => (limit === null ? '' : String(limit)) },
    { name: 'closedAt', title: 'Closed (UTC)', cell: ({ closedAt }) => closedAt ?? '' },
    { name: 'partnerId', title: 'Partner', cell: ({ partnerId }) => partnerId },
  ],
}

/** Partners' codes, which take something off the price. */
export const promocodesRoutes = (app: FastifyInstance, deps: ConsoleListDependencies): void => {
  const endpoints = { list: listConsolePromocodes, file: exportPromocodes, fileName: 'promocodes' }
  serveList(app, deps, endpoints, promocodes)

  implementForOperators(app, deps, getConsolePromocode, async ({ params }) => {
    const report = await getPromocodeReport(deps, params.promocode)
    if (!report) throw new Problem('promocode-not-found')
    return { ...view(report.facts), usesToCome: report.usesToCome }
  })

  implementForOperators(app, deps, setPromocode, async ({ params: { promocode }, body, recordSubject }) => {
    const { limit, isClosed } = body
    const outcomes = [
      limit === undefined ? false : await limitPromocode(deps, promocode, limit),
      isClosed === undefined ? false : await (isClosed ? closePromocode : openPromocode)(deps, promocode),
    ]
    if (outcomes.includes(undefined)) throw new Problem('promocode-not-found')
    recordSubject(promocode.toUpperCase())
    return { isChanged: outcomes.includes(true) }
  })
}
