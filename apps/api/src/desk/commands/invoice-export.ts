import { once } from 'node:events'
import { join, parse } from 'node:path'
import { bookFields, listBookFiles } from '@hedgerow/contract/console/invoices'
import type { Command } from 'commander'
import * as z from 'zod/mini'
import { type ExportFile, exportDocuments } from '#accounting/books/export-documents.ts'
import { accountsOf } from '#accounting/books/export-formats.ts'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import { writeWholeFile } from '#care/backup/write-whole-file.ts'
import { wantedDays } from '#desk/console/periods.ts'
import { asRefusal } from '#desk/tool/as-refusal.ts'
import { inWords } from '#desk/tool/call-commands.ts'
import { opens } from '#desk/tool/classes.ts'
import { addFields } from '#desk/tool/fields.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

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

type Options = { out?: string; force?: boolean }

const run = async ({ out, force = false, ...given }: Options, command: Command) => {
  const asked = () => {
    const query = z.parse(listBookFiles.schema.querystring, given)
    return { ...query, range: wantedDays(query) }
  }
  const { format, range, ...names } = await Promise.try(asked).catch((error) => inWords(command, error, {}))
  return withDatabase(async (db) => {
    let files = 0
    const take = (file: ExportFile) => {
      files += 1
      return out ? toFile(pathOf(out, file.name), file, force) : toOutput(file)
    }
    const accounts = accountsOf(format, names)
    await exportDocuments({ db }, range, { format, accounts }, take).catch((error) => {
      throw error instanceof MissingRate
        ? new Refusal(`Nothing complete was written. ${error.message}`)
        : error
    })
    if (files === 0) throw new Refusal('There is no invoice and no credit note in these days.')
  })
}

/** By hand: it may write several files, named after one, and a call answers with one. */
export const addInvoiceExport = (invoice: Command): void => {
  const leaf = opens(invoice.command('export')).description(
    'Invoices paid and credit notes of money given back in a period, in a file for another program. ' +
      'csv and json: all that is known, with sterling; credit notes are negative. xero: at most 500 documents a file. ' +
      'quickbooks: at most 100, and credit notes apart. summary: one row for each day, currency, country and rate. ' +
      'journal and hledger: double entries of documents, the gateway, partners and deferred income.',
  )
  addFields(leaf, bookFields, true)
  leaf
    .option('--out <file>', 'the file to write; without it the standard output')
    .option('--force', 'replace existing files')
    .action(run)
}
