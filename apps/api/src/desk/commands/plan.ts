import * as plans from '@hedgerow/contract/console/plans'
import type { Command } from 'commander'
import type * as z from 'zod/mini'
import { plansRoutes } from '#desk/plans/plans.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { say } from '#desk/tool/print.ts'
import { sayFields, sayRows } from '#desk/tool/render.ts'

type Listed = z.output<(typeof plans.listConsolePlans.schema.response)[200]>

/** Their places are the order in which they stand; layers and prices have commands of their own. */
const sayPlans = (listed: Listed): void => {
  if (listed.plans.length === 0) say('There are none.')
  else sayRows(plans.planColumns, listed.plans)
  if (listed.changes.length > 0) sayFields({ toCome: listed.changes })
}

export const addPlan = (program: Command): Command =>
  addCalls(program, {
    name: 'plan',
    summary: 'price plans',
    description:
      'Price plans. What was bought never changes: to change a plan, the old one is retired and a new one takes its place.',
    contract: [plans],
    answer: plansRoutes,
    prints: { 'plan list': sayPlans },
  })
