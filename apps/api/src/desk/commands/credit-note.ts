import * as invoices from '@hedgerow/contract/console/invoices'
import type { Command } from 'commander'
import { printDocument } from '#desk/commands/invoice.ts'
import { invoicesRoutes } from '#desk/invoices/invoices.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { wholeNumber } from '#sales/invoices/next-number.ts'

export const addCreditNote = (program: Command): Command =>
  addCalls(program, {
    name: 'credit-note',
    summary: 'credit notes and their numbers',
    description: 'Credit notes, one for each refund of an invoiced payment, and their numbers.',
    contract: [invoices],
    answer: invoicesRoutes,
    finds: { number: (db, typed) => wholeNumber(db, typed, 'credit-notes') },
    prints: { 'credit-note show': printDocument },
  })
