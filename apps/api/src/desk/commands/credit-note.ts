import { formatDate } from '@hedgerow/domain/dates'
import { creditNoteNumber } from '@hedgerow/domain/invoices'
import { formatMoney } from '@hedgerow/domain/money'
import type { Command } from 'commander'
import { LISTED, type ListOptions } from '#desk/commands/invoice.ts'
import { addSeries } from '#desk/commands/number-series.ts'
import {
  creditNoteFacts,
  presentCreditNote,
  presentListedNote,
  taxWords,
} from '#desk/presentation/present-invoice.ts'
import { opens, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readCreditNoteNumber } from '#desk/tool/options.ts'
import { addPeriod, givenPeriod } from '#desk/tool/periods.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import {
  type DocumentNumber,
  findCreditNote,
  type ListedCreditNote,
  listCreditNotes,
} from '#sales/invoices/read-invoices.ts'

const row = ({ year, number, snapshot }: ListedCreditNote): string[] => [
  creditNoteNumber(year, number),
  formatDate(new Date(snapshot.refundedAt)),
  snapshot.invoice.number,
  formatMoney(snapshot.netMinor, snapshot.currency),
  formatMoney(snapshot.vatMinor, snapshot.currency),
  formatMoney(snapshot.totalMinor, snapshot.currency),
  taxWords(snapshot),
  snapshot.reason,
]

const list = (options: ListOptions, command: Command) => {
  const period = givenPeriod(options, command)
  const { limit, json } = options
  return withDatabase(async (db) => {
    const found = await listCreditNotes({ db }, period, limit + 1)
    const [notes, hasMore] = [found.slice(0, limit), found.length > limit]
    if (json) return sayJson({ creditNotes: notes.map(presentListedNote), hasMore })
    if (notes.length === 0) return say('There is no credit note.')
    sayTable(['number', 'given back', 'invoice', 'net', 'VAT', 'total', 'tax', 'because'], notes.map(row))
    if (hasMore) say(`These are the newest ${limit}. To see more, raise --limit.`)
  })
}

const show = (wanted: DocumentNumber, { json }: { json?: true }) =>
  withDatabase(async (db) => {
    const note = await findCreditNote({ db }, wanted)
    if (!note) throw new Refusal('There is no credit note with this number. To list them: credit-note list')
    if (json) return sayJson(presentCreditNote(note))
    sayFacts(creditNoteFacts(note))
  })

export const addCreditNote = (program: Command): void => {
  const creditNote = program
    .command('credit-note')
    .summary('credit notes and their numbers')
    .description('Credit notes, one for each refund of an invoiced payment, and their numbers.')
    .helpCommand(false)
  addPeriod(reads(creditNote.command('list')))
    .description('Credit notes, the newest first; of money that went back in a period, if one is named.')
    .option('--limit <count>', 'how many at most', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  opens(creditNote.command('show'))
    .description('All that a credit note says.')
    .argument('<number>', 'like CN-2026-000007, or 7 of the current year', readCreditNoteNumber)
    .addOption(JSON_OPTION)
    .action(show)
  addSeries(creditNote, 'credit-notes')
}
