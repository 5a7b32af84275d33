import * as operators from '@hedgerow/contract/console/operators'
import { listSecondPersons } from '@hedgerow/contract/console/second-persons'
import type { Command } from 'commander'
import { operatorsRoutes } from '#desk/operators/operators.routes.ts'
import { secondPersonsList } from '#desk/second-persons/second-persons.routes.ts'
import { addCalls, operatorNamed } from '#desk/tool/call-commands.ts'

export const addOperator = (program: Command): Command =>
  addCalls(program, {
    name: 'operator',
    summary: 'who runs the shop in a browser',
    description: 'Who runs the shop in a browser.',
    // To confirm something by the tool would be to do it: that needs no second person there.
    contract: [operators, { listSecondPersons }],
    answer: (calls, deps) => {
      operatorsRoutes(calls, deps)
      secondPersonsList(calls, deps)
    },
    finds: { operatorId: async (db, name) => (await operatorNamed(db, name)).id },
  })
