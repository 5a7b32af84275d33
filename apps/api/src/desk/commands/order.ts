import * as orders from '@hedgerow/contract/console/orders'
import type { Command } from 'commander'
import { ordersRoutes } from '#desk/orders/orders.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { accountIdOf } from '#desk/tool/find-account.ts'

export const addOrder = (program: Command): Command =>
  addCalls(program, {
    name: 'order',
    summary: 'what customers ordered',
    description: 'What customers have ordered, paid or not.',
    contract: [orders],
    answer: ordersRoutes,
    finds: { customerId: accountIdOf },
  })
