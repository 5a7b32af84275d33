import * as invoices from '@hedgerow/contract/console/invoices'
import type { Command } from 'commander'
import { invoicesRoutes } from '#desk/invoices/invoices.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addCommission = (program: Command): Command =>
  addCalls(program, {
    name: 'commission',
    summary: 'numbers of commission documents',
    description: 'Numbers of the documents that partners get of what they are paid, one for each withdrawal.',
    contract: [invoices],
    answer: invoicesRoutes,
  })
