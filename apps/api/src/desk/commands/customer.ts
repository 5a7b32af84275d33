import * as customers from '@hedgerow/contract/console/customers'
import type { Command } from 'commander'
import { customersRoutes } from '#desk/customers/customers.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { accountIdOf } from '#desk/tool/find-account.ts'

export const addCustomer = (program: Command): Command =>
  addCalls(program, {
    name: 'customer',
    summary: 'customers’ accounts',
    description: 'Customers’ accounts. The audit records who opens one.',
    contract: [customers],
    answer: customersRoutes,
    finds: { customerId: accountIdOf },
  })
