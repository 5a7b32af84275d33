import { formatMinorOf } from '@hedgerow/domain/exchange'
import {
  hledgerEntry,
  hledgerHead,
  JOURNAL_ACCOUNTS,
  JOURNAL_REFERENCES,
  type JournalEntry,
} from '@hedgerow/domain/journal'
import { formatMinor } from '@hedgerow/domain/money'
import type { DayRange } from '@hedgerow/domain/periods'
import {
  addToSummary,
  type DailySummary,
  SUMMARY_HEADS,
  summaryRows,
} from '#accounting/books/daily-summary.ts'
import {
  type Accounts,
  CSV_FORMATS,
  type CsvFormat,
  type CsvFormatName,
} from '#accounting/books/export-formats.ts'
import { type ExportLine, presentLine } from '#accounting/books/export-lines.ts'
import { readJournal } from '#accounting/books/journal.ts'
import { readExportLines } from '#accounting/books/read-lines.ts'
import { type CsvRow, moreOfSheet, recordText, sheetText } from '#platform/csv/write-csv.ts'
import type { With } from '#platform/dependencies.ts'
import { inOneState } from '#sales/invoices/documents.ts'

export type ExportFormat = CsvFormatName | 'json' | 'summary' | 'journal' | 'hledger'

type Batches = AsyncGenerator<ExportLine[]>

/** One file. `name`: what tells it from the others of its export; empty for the only one. */
export type ExportFile = { name: string; text: AsyncIterable<string> }
export type TakeFile = (file: ExportFile) => Promise<void>

type Options = { format: ExportFormat; accounts: Accounts }

async function* only(text: string): AsyncGenerator<string> {
  yield text
}

const rowsOf = (format: CsvFormat, lines: readonly ExportLine[], accounts: Accounts): CsvRow[] =>
  lines.flatMap((line) => format.rowsOf(line, accounts))

/** However many there are, in one file that grows batch by batch. */
async function* wholeCsv(format: CsvFormat, batches: Batches, accounts: Accounts): AsyncGenerator<string> {
  yield sheetText([format.heads])
  for await (const lines of batches) yield moreOfSheet(rowsOf(format, lines, accounts))
}

async function* wholeJson(range: DayRange, batches: Batches): AsyncGenerator<string> {
  yield `{"from":"${range.from}","to":"${range.to}","documents":[`
  let before = '\n'
  for await (const lines of batches) {
    yield before + lines.map((line) => JSON.stringify(presentLine(line))).join(',\n')
    before = ',\n'
  }
  yield '\n]}\n'
}

async function* summaryCsv(batches: Batches): AsyncGenerator<string> {
  const summary: DailySummary = new Map()
  for await (const lines of batches) for (const line of lines) addToSummary(summary, line)
  yield sheetText([SUMMARY_HEADS, ...summaryRows(summary)])
}

const JOURNAL_HEADS = [
  'entry',
  'day',
  'what',
  'account',
  'amount',
  'currency',
  'pounds',
  ...JOURNAL_REFERENCES,
]

/** A row for each posting; those of an entry have its number, and their pounds come to nothing. */
async function* journalCsv(entries: AsyncGenerator<JournalEntry>): AsyncGenerator<string> {
  yield sheetText([JOURNAL_HEADS])
  let number = 0
  for await (const { day, what, references, postings } of entries) {
    number += 1
    const ids = JOURNAL_REFERENCES.map((name) => references[name] ?? '')
    const rows = postings.map(({ account, sum, poundsMinor }) => [
      ...[String(number), day, what, JOURNAL_ACCOUNTS[account]],
      ...[formatMinorOf(sum.minor, sum.currency), sum.currency],
      ...[poundsMinor === null ? '' : formatMinor(poundsMinor), ...ids],
    ])
    yield moreOfSheet(rows)
  }
}

async function* hledgerText(entries: AsyncGenerator<JournalEntry>): AsyncGenerator<string> {
  yield hledgerHead()
  for await (const entry of entries) yield hledgerEntry(entry)
}

/** Files of as many documents as the program takes; the only one of its kind has no number. */
const inParts = (format: CsvFormat, accounts: Accounts, kind: string, take: TakeFile) => {
  let waiting: ExportLine[] = []
  let count = 0
  const write = (lines: readonly ExportLine[], isOnly: boolean) => {
    count += 1
    const name = [kind, isOnly ? '' : String(count)].filter(Boolean).join('-')
    return take({ name, text: only(recordText([format.heads, ...rowsOf(format, lines, accounts)])) })
  }
  return {
    add: async (lines: readonly ExportLine[]) => {
      waiting.push(...lines)
      while (waiting.length > format.most) {
        await write(waiting.slice(0, format.most), false)
        waiting = waiting.slice(format.most)
      }
    },
    end: async () => {
      if (waiting.length > 0) await write(waiting, count === 0)
    },
  }
}

const exportParts = async (
  format: CsvFormat,
  batches: Batches,
  accounts: Accounts,
  take: TakeFile,
): Promise<void> => {
  const kinds = format.isApart ? (['invoice', 'credit-note'] as const) : [undefined]
  const parts = kinds.map((kind) => ({
    kind,
    part: inParts(format, accounts, kind ? `${kind}s` : '', take),
  }))
  for await (const lines of batches)
    for (const { kind, part } of parts)
      await part.add(kind ? lines.filter((line) => line.kind === kind) : lines)
  for (const { part } of parts) await part.end()
}

/** What is booked in pounds by the program itself needs none of ours. */
const WANTS_POUNDS = new Set<ExportFormat>(['csv', 'json', 'summary'])

/**
 * Writes the invoices and credit notes of days of London, or a journal of all that was booked, a file after the other. Throws MissingRate where pounds are wanted
 * that cannot be reported; the file that was being written then ends with it.
 */
export const exportDocuments = (
  { db }: With<'db'>,
  range: DayRange,
  { format, accounts }: Options,
  take: TakeFile,
): Promise<void> =>
  inOneState(db, (state) => {
    const batches = readExportLines(state, range, { wantsPounds: WANTS_POUNDS.has(format) })
    switch (format) {
      case 'csv':
        return take({ name: '', text: wholeCsv(CSV_FORMATS.csv, batches, accounts) })
      case 'json':
        return take({ name: '', text: wholeJson(range, batches) })
      case 'journal':
        return take({ name: '', text: journalCsv(readJournal(state, range)) })
      case 'hledger':
        return take({ name: '', text: hledgerText(readJournal(state, range)) })
      case 'summary':
        return take({ name: '', text: summaryCsv(batches) })
      default:
        return exportParts(CSV_FORMATS[format], batches, accounts, take)
    }
  })
