import { once } from 'node:events'
import { join, parse } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  EXPORT_FORMATS,
  type ExportFile,
  type ExportFormat,
  exportDocuments,
} from '#accounting/books/export-documents.ts'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import { writeWholeFile } from '#care/backup/write-whole-file.ts'
import { asRefusal } from '#desk/tool/as-refusal.ts'
import { opens } from '#desk/tool/classes.ts'
import { addPeriod, type PeriodOptions, wantedPeriod } from '#desk/tool/periods.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

type Options = PeriodOptions & {
  format: ExportFormat
  out?: string
  force?: boolean
  account?: string
  ossAccount?: string
}

/** 'books.csv' and a file's name → 'books-2.csv', 'books-credit-notes.csv'. */
const pathOf = (out: string, name: string): string => {
  const { dir, name: stem, ext } = parse(placeOf(out))
  return join(dir, `${stem}${name ? `-${name}` : ''}${ext}`)
}

async function* bytesOf(text: AsyncIterable<string>) {
  for await (const chunk of text) yield Buffer.from(chunk)
}

const toFile = async (path: string, { text }: ExportFile, isForced: boolean): Promise<void> => {
  const { bytes } = await asRefusal(
    writeWholeFile(path, { mayReplace: isForced }, (sink) => sink(bytesOf(text))),
  )
  say(`Written: ${path} (${bytes} bytes).`)
}

const toOutput = async ({ name, text }: ExportFile): Promise<void> => {
  // What comes apart would be mixed up in one stream.
  if (name)
    throw new Refusal(
      'This makes several files. Say where with --out FILE: their names are made from that one.',
    )
  for await (const chunk of text) if (!toolRun().stdout.write(chunk)) await once(toolRun().stdout, 'drain')
}

/** Xero books on accounts by their codes, QuickBooks on items by their names. */
const USUAL_ACCOUNTS = {
  xero: { sales: '200', oss: '825' },
  quickbooks: { sales: 'Sales', oss: 'One Stop Shop VAT' },
} as const

const run = (options: Options, command: Command) => {
  const range = wantedPeriod(options, command)
  const { format, out, force = false } = options
  const usual = USUAL_ACCOUNTS[format === 'quickbooks' ? 'quickbooks' : 'xero']
  const accounts = { sales: options.account ?? usual.sales, oss: options.ossAccount ?? usual.oss }
  return withDatabase(async (db) => {
    let files = 0
    const take = (file: ExportFile) => {
      files += 1
      return out ? toFile(pathOf(out, file.name), file, force) : toOutput(file)
    }
    try {
      await exportDocuments({ db }, range, { format, accounts }, take)
    } catch (error) {
      throw error instanceof MissingRate
        ? new Refusal(`Nothing complete was written. ${error.message}`)
        : error
    }
    if (files === 0) throw new Refusal('There is no invoice and no credit note in these days.')
  })
}

const readAccount = (text: string): string => {
  if (!/^[A-Za-z0-9][A-Za-z0-9 .:_-]{0,39}$/.test(text))
    throw new InvalidArgumentError('Expected the code or name of an account.')
  return text
}

export const addInvoiceExport = (invoice: Command): void => {
  addPeriod(opens(invoice.command('export')))
    .description(
      'Invoices paid and credit notes of money given back in a period, in a file for another program. ' +
        'csv and json: all that is known, with sterling; credit notes are negative. xero: at most 500 documents a file. ' +
        'quickbooks: at most 100, and credit notes apart. summary: one row for each day, currency, country and rate.',
    )
    .addOption(new Option('--format <format>', 'which file').choices([...EXPORT_FORMATS]).default('csv'))
    .option('--out <file>', 'the file to write; without it the standard output')
    .option('--force', 'replace existing files')
    .option(
      '--account <code>',
      'the account of sales (xero, 200) or their item (quickbooks, Sales)',
      readAccount,
    )
    .option(
      '--oss-account <code>',
      'the same for VAT of the One Stop Shop (xero, 825; quickbooks, One Stop Shop VAT)',
      readAccount,
    )
    .action(run)
}
