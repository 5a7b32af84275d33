import * as setUp from '@hedgerow/contract/console/set-up'
import type { Command } from 'commander'
import { setUpRoutes } from '#desk/set-up/set-up.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { sayRows } from '#desk/tool/render.ts'

export const addSetUp = (program: Command): Command =>
  addCalls(program, {
    name: 'set-up',
    summary: 'what a shop that was just installed still needs before it sells',
    description: 'To look at everything: doctor.',
    contract: [setUp],
    answer: setUpRoutes,
    prints: { 'set-up': ({ steps }: setUp.SetUp) => sayRows(setUp.getSetUp.columns, steps) },
  })
