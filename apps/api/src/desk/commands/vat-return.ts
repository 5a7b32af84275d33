import { formatMoney } from '@hedgerow/domain/money'
import type { VatBoxes, VatReturnRow } from '@hedgerow/domain/vat-return'
import type { Command } from 'commander'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import { readVatReturn, type VatReturn } from '#accounting/books/vat-return.ts'
import {
  noteWords,
  presentBoxes,
  presentVatReturn,
  VAT_BOX_WORDS,
  vatReturnCsv,
} from '#desk/presentation/present-returns.ts'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { addPeriod, type PeriodOptions, wantedPeriod } from '#desk/tool/periods.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

type Options = PeriodOptions & { ossInBox6?: true; csv?: true; json?: true }

const pounds = (minor: number) => formatMoney(minor, 'GBP')

const rowOf = ({ treatment, country, rate, invoices, creditNotes, netMinor, vatMinor }: VatReturnRow) => [
  treatment,
  country ?? '',
  `${rate}%`,
  String(invoices.count),
  pounds(invoices.netMinor),
  pounds(invoices.vatMinor),
  String(creditNotes.count),
  pounds(creditNotes.netMinor),
  pounds(creditNotes.vatMinor),
  pounds(netMinor),
  pounds(vatMinor),
]

const sayReturn = ({ from, to, rows, totals, boxes, notes }: VatReturn): void => {
  say(`VAT of ${from} to ${to}, in pounds.`)
  say('')
  if (rows.length === 0) say('There is no invoice and no credit note in these days.')
  else {
    const total = { treatment: 'total', country: null, ...totals }
    const [, , , ...sums] = rowOf({ ...total, treatment: 'uk', rate: 0 })
    sayTable(
      ['tax', 'country', 'rate', 'invoices', 'net', 'VAT', 'credit notes', 'net', 'VAT', 'net', 'VAT'],
      [...rows.map(rowOf), ['total', '', '', ...sums]],
    )
  }
  say('')
  const told = presentBoxes(boxes)
  sayTable(
    ['box', 'what', 'HMRC’s name', '£'],
    (Object.keys(VAT_BOX_WORDS) as (keyof VatBoxes)[]).map((name, at) => [
      String(at + 1),
      VAT_BOX_WORDS[name],
      name,
      told[name] ?? 'from the accounts',
    ]),
  )
  for (const note of notes) {
    say('')
    say(noteWords(note))
  }
}

const run = (options: Options, command: Command) => {
  const range = wantedPeriod(options, command)
  const { ossInBox6, csv, json } = options
  return withDatabase(async (db) => {
    const vatReturn = await readVatReturn({ db }, range, { isOssInBox6: ossInBox6 }).catch(
      (error: unknown) => {
        throw error instanceof MissingRate ? new Refusal(error.message) : error
      },
    )
    if (json) return sayJson(presentVatReturn(vatReturn))
    if (csv) {
      toolRun().stdout.write(vatReturnCsv(vatReturn))
      return
    }
    sayReturn(vatReturn)
  })
}

export const addVatReturn = (program: Command): void => {
  addPeriod(reads(program.command('vat-return')))
    .summary('what a period owes in VAT')
    .description(
      'What the invoices paid and the credit notes of money given back in a period owe, in pounds, by tax, country and rate, ' +
        'and the boxes of HMRC’s return as far as the shop knows them. Nothing is submitted.',
    )
    .option('--oss-in-box-6', 'count the net of what is declared in the One Stop Shop in box 6')
    .option('--csv', 'the rows as CSV')
    .addOption(JSON_OPTION)
    .action(run)
}
