import { londonPeriods } from '@hedgerow/domain/dates'
import { NODE_STATES, type NodeState } from '@hedgerow/domain/nodes'
import { type Alert, listAlerts } from '#care/overview/alerts.ts'
import { countActive, countDisputes, type Sales, sumSales } from '#care/overview/sales.queries.ts'
import { listNodeReports, stateOf } from '#network/nodes/nodes.service.ts'
import type { With } from '#platform/dependencies.ts'
import { countJobs } from '#platform/queue/list-queue.ts'

export type { Sales } from '#care/overview/sales.queries.ts'

export type Overview = {
  at: Date
  sales: readonly { period: 'today' | 'week' | 'month'; from: Date; sums: Sales[] }[]
  active: { connections: number; customers: number }
  nodes: { state: NodeState; count: number }[]
  /** Open ones, those that were lost in 30 days, and the cards of both. */
  disputes: { open: number; lost: number; cards: number }
  jobs: { waiting: number; givenUp: number }
  alerts: Alert[]
}

/** How the shop stands. The days are London's: the shop is British, and so is its till. */
export const getOverviewReport = async ({ db }: With<'db'>, at: Date): Promise<Overview> => {
  const periods = londonPeriods(at)
  const states = (await listNodeReports({ db })).map(stateOf)
  const sales = []
  for (const period of ['today', 'week', 'month'] as const)
    sales.push({ period, from: periods[period], sums: await sumSales(db, periods[period], at) })
  return {
    at,
    sales,
    active: await countActive(db),
    nodes: NODE_STATES.map((state) => ({ state, count: states.filter((one) => one === state).length })),
    disputes: await countDisputes(db),
    jobs: await countJobs(db),
    alerts: await listAlerts(db),
  }
}

/** What was sold from one time up to another. */
export const sumSalesBetween = ({ db }: With<'db'>, from: Date, to: Date): Promise<Sales[]> =>
  sumSales(db, from, to)
