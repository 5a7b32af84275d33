import * as contract from '@hedgerow/contract/console/today'
import type { Command } from 'commander'
import { commandOfAlert } from '#care/overview/alert-commands.ts'
import { todayRoutes } from '#desk/today/today.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { say } from '#desk/tool/print.ts'
import { sayFields, sayOne } from '#desk/tool/render.ts'

const sayToday = (today: contract.Today): void => {
  const nodes = today.nodes.filter(({ count }) => count > 0).map(({ state, count }) => [state, count])
  sayOne(contract.getToday.columns, { ...today, nodes: Object.fromEntries(nodes) })
  const { sales = [], yesterday, weekAgo } = today.revenue ?? {}
  const alerts = today.alerts.map((one) => ({ alert: one.name, what: one.what, see: commandOfAlert(one) }))
  sayFields({ sales, yesterday, weekAgo, alerts })
  if (sales.length === 0) say('Nothing was sold this month.')
  say(
    alerts.length > 0
      ? 'What each alert means and what to do: docs/incidents.md'
      : 'Nothing is waiting for you.',
  )
}

export const addOverview = (program: Command): Command =>
  addCalls(program, {
    name: 'overview',
    summary: 'how the shop is doing, and what is waiting for you',
    description: '',
    contract: [contract],
    answer: todayRoutes,
    prints: { overview: sayToday },
  })
