import { formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { formatMinor } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import type { Command } from 'commander'
import type { Sales } from '#care/overview/overview.ts'
import { getOverviewReport, type Overview } from '#care/overview/overview.ts'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

const presentSales = (sales: Sales) => ({
  currency: sales.currency,
  method: sales.method,
  count: sales.count,
  amount: formatMinor(sales.minor),
  refunds: sales.refunds,
  refunded: formatMinor(sales.refunded_minor),
})

const present = ({ at, sales, active, nodes, disputes, jobs, alerts }: Overview) => ({
  at: at.toISOString(),
  sales: sales.map(({ period, from, sums }) => ({
    period,
    from: from.toISOString(),
    sums: sums.map(presentSales),
  })),
  active,
  nodes: Object.fromEntries(nodes.map(({ state, count }) => [state, count])),
  disputes,
  jobs,
  alerts: alerts.map(({ name, count, what, see }) => ({ name, count, what, see })),
})

const PERIODS = { today: 'today', week: 'this week', month: 'this month' } as const

const salesRows = ({ sales }: Overview): string[][] =>
  sales.flatMap(({ period, sums }) =>
    sums.map(({ method, currency, count, minor, refunds, refunded_minor }) => [
      PERIODS[period],
      METHOD_NAMES[method],
      String(count),
      formatCharged(minor, currency),
      refunds === 0 ? '' : `${formatCharged(refunded_minor, currency)} in ${refunds}`,
    ]),
  )

const nodesText = ({ nodes }: Overview): string =>
  nodes
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state}`)
    .join(', ') || 'none'

const sayOverview = (overview: Overview): void => {
  const rows = salesRows(overview)
  if (rows.length === 0) say('Nothing was sold this month.')
  else sayTable(['sold', 'method', 'count', 'amount', 'refunded'], rows)
  say('')
  const { at, active, disputes, jobs, alerts } = overview
  sayFacts([
    ['Now', `${formatDateTime(at)} in London`],
    ['Connections', `${active.connections} active, belonging to ${counted(active.customers, 'customer')}`],
    ['Nodes', nodesText(overview)],
    [
      'Disputes',
      `${disputes.open} open, ${disputes.lost} lost in 30 days, of ${counted(disputes.cards, 'card')}`,
    ],
    ['Jobs', `${jobs.waiting} waiting, ${jobs.givenUp} given up`],
  ])
  say('')
  if (alerts.length === 0) {
    say('Nothing is waiting for you.')
    return
  }
  sayTable(
    ['alert', 'what', 'see'],
    alerts.map(({ name, what, see }) => [name, what, see]),
  )
  say('What each alert means and what to do: docs/incidents.md')
}

const run = ({ json }: { json?: true }) =>
  withDatabase(async (db) => {
    const overview = await getOverviewReport({ db }, new Date())
    return json ? sayJson(present(overview)) : sayOverview(overview)
  })

export const addOverview = (program: Command): void => {
  reads(program.command('overview'))
    .summary('how the shop is doing, and what is waiting for you')
    .description(
      'Sales today, this week (from Monday) and this month, by London time; connections, nodes and jobs; and what is waiting for you.',
    )
    .addOption(JSON_OPTION)
    .action(run)
}
