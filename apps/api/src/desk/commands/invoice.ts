import * as invoices from '@hedgerow/contract/console/invoices'
import type { Command } from 'commander'
import { addInvoiceExport } from '#desk/commands/invoice-export.ts'
import { invoicesRoutes } from '#desk/invoices/invoices.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { sayFacts } from '#desk/tool/print.ts'
import { wholeNumber } from '#sales/invoices/next-number.ts'

export const printDocument = ({ facts }: { facts: readonly { what: string; says: string }[] }): void =>
  sayFacts(facts.map(({ what, says }) => [what, says]))

export const addInvoice = (program: Command): void => {
  // Paper is made in a thread of the shop's, and files for other programs may be several.
  const { invoicePdf: _, bookFile: __, ...calls } = invoices
  const invoice = addCalls(program, {
    name: 'invoice',
    summary: 'invoices and their numbers',
    description: 'Invoices, files of them for other programs, and their numbers.',
    contract: [calls],
    answer: invoicesRoutes,
    finds: { number: (db, typed) => wholeNumber(db, typed, 'invoices') },
    prints: { 'invoice show': printDocument },
  })
  addInvoiceExport(invoice)
}
