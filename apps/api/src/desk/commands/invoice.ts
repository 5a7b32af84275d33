import { formatDate } from '@hedgerow/domain/dates'
import { invoiceNumber } from '@hedgerow/domain/invoices'
import { formatMoney } from '@hedgerow/domain/money'
import type { Command } from 'commander'
import { addInvoiceExport } from '#desk/commands/invoice-export.ts'
import { addSeries } from '#desk/commands/number-series.ts'
import {
  invoiceFacts,
  presentInvoice,
  presentListedInvoice,
  taxWords,
} from '#desk/presentation/present-invoice.ts'
import { opens, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readInvoiceNumber } from '#desk/tool/options.ts'
import { addPeriod, givenPeriod, type PeriodOptions } from '#desk/tool/periods.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import {
  type DocumentNumber,
  findInvoice,
  type ListedInvoice,
  listInvoices,
} from '#sales/invoices/read-invoices.ts'

export const LISTED = 20

export type ListOptions = PeriodOptions & { limit: number; json?: true }

const row = ({ year, number, snapshot, credited_minor }: ListedInvoice): string[] => [
  invoiceNumber(year, number),
  formatDate(new Date(snapshot.paidAt)),
  formatMoney(snapshot.netMinor, snapshot.currency),
  formatMoney(snapshot.vatMinor, snapshot.currency),
  formatMoney(snapshot.totalMinor, snapshot.currency),
  taxWords(snapshot),
  credited_minor === '0' ? '' : formatMoney(Number(credited_minor), snapshot.currency),
]

const list = (options: ListOptions, command: Command) => {
  const period = givenPeriod(options, command)
  const { limit, json } = options
  return withDatabase(async (db) => {
    const found = await listInvoices({ db }, period, limit + 1)
    const [invoices, hasMore] = [found.slice(0, limit), found.length > limit]
    if (json) return sayJson({ invoices: invoices.map(presentListedInvoice), hasMore })
    if (invoices.length === 0) return say('There is no invoice.')
    sayTable(['number', 'paid', 'net', 'VAT', 'total', 'tax', 'credited'], invoices.map(row))
    if (hasMore) say(`These are the newest ${limit}. To see more, raise --limit.`)
  })
}

const show = (wanted: DocumentNumber, { json }: { json?: true }) =>
  withDatabase(async (db) => {
    const report = await findInvoice({ db }, wanted)
    if (!report) throw new Refusal('There is no invoice with this number. To list them: invoice list')
    if (json) return sayJson(presentInvoice(report))
    sayFacts(invoiceFacts(report))
  })

export const addInvoice = (program: Command): void => {
  const invoice = program
    .command('invoice')
    .summary('invoices and their numbers')
    .description('Invoices, files of them for other programs, and their numbers.')
    .helpCommand(false)
  addPeriod(reads(invoice.command('list')))
    .description('Invoices, the newest first; of those paid in a period, if one is named.')
    .option('--limit <count>', 'how many at most', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(invoice.command('show'))
    .description('All that an invoice says, its payment and its credit notes.')
    .argument('<number>', 'like 2026-000042, or 42 of the current year', readInvoiceNumber)
    .addOption(JSON_OPTION)
    .action(show)
  addInvoiceExport(invoice)
  addSeries(invoice, 'invoices')
}
