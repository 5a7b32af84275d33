import * as connections from '@hedgerow/contract/console/connections'
import type { Command } from 'commander'
import { connectionsRoutes } from '#desk/connections/connections.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { accountIdOf } from '#desk/tool/find-account.ts'

export const addConnection = (program: Command): Command =>
  addCalls(program, {
    name: 'connection',
    summary: 'customers’ connections',
    description: 'The connections that customers have bought. No command shows a key.',
    contract: [connections],
    answer: connectionsRoutes,
    finds: { customerId: accountIdOf },
  })
