import * as operators from '@hedgerow/contract/console/operators'
import type { Command } from 'commander'
import { operatorsRoutes } from '#desk/operators/operators.routes.ts'
import { addCalls, operatorNamed } from '#desk/tool/call-commands.ts'

export const addOperator = (program: Command): Command =>
  addCalls(program, {
    name: 'operator',
    summary: 'who runs the shop in a browser',
    description: 'Who runs the shop in a browser.',
    contract: [operators],
    answer: operatorsRoutes,
    finds: { operatorId: async (db, name) => (await operatorNamed(db, name)).id },
  })
