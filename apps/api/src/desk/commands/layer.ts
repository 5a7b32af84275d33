import * as plans from '@hedgerow/contract/console/plans'
import type { Command } from 'commander'
import { plansRoutes } from '#desk/plans/plans.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addLayer = (program: Command): Command =>
  addCalls(program, {
    name: 'layer',
    summary: 'groups of price plans',
    description: 'The groups that price plans are shown in. Nodes can be reserved for one.',
    contract: [plans],
    answer: plansRoutes,
  })
