import { formatMoney } from '@hedgerow/domain/money'
import type { Command } from 'commander'
import { MissingRate } from '#accounting/books/missing-rate.ts'
import { type OssReturn, readOssReturn } from '#accounting/books/oss-return.ts'
import { ossNotes, ossReturnCsv, presentOssReturn } from '#desk/presentation/present-returns.ts'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { readQuarter } from '#desk/tool/periods.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

const euros = (minor: number) => formatMoney(minor, 'EUR')

const sayReturn = (ossReturn: OssReturn): void => {
  const { quarter, rows, corrections, totals } = ossReturn
  say(`One Stop Shop, ${quarter}, in euro.`)
  say('')
  if (rows.length === 0) say('Nothing was sold that is declared there: a nil return is due all the same.')
  else
    sayTable(
      ['country', 'rate', 'invoices', 'credit notes', 'net', 'VAT'],
      rows.map(({ country, rate, invoices, creditNotes, netMinor, vatMinor }) => [
        country,
        `${rate}%`,
        String(invoices),
        String(creditNotes),
        euros(netMinor),
        euros(vatMinor),
      ]),
    )
  if (corrections.length > 0) {
    say('')
    say('Corrections of earlier quarters:')
    sayTable(
      ['country', 'period', 'credit notes', 'VAT'],
      corrections.map(({ country, period, creditNotes, vatMinor }) => [
        country,
        period,
        String(creditNotes),
        euros(vatMinor),
      ]),
    )
  }
  say('')
  const { netMinor, vatMinor, correctionsMinor, dueMinor } = totals
  say(
    `Net ${euros(netMinor)}, VAT ${euros(vatMinor)}, corrections ${euros(correctionsMinor)}: ${euros(dueMinor)} to pay.`,
  )
  for (const note of ossNotes(ossReturn)) say(note)
}

type Options = { quarter: string; csv?: true; json?: true }

const run = ({ quarter, csv, json }: Options) =>
  withDatabase(async (db) => {
    const ossReturn = await readOssReturn({ db }, quarter).catch((error: unknown) => {
      throw error instanceof MissingRate ? new Refusal(error.message) : error
    })
    if (json) return sayJson(presentOssReturn(ossReturn))
    if (csv) {
      toolRun().stdout.write(ossReturnCsv(ossReturn))
      return
    }
    sayReturn(ossReturn)
  })

export const addOssReturn = (program: Command): void => {
  reads(program.command('oss-return'))
    .summary('what a quarter owes in the One Stop Shop')
    .description(
      'What the sales of a quarter to consumers in EU countries owe there, in euro, by country and rate, less the credit notes ' +
        'on them, and what is to be corrected of earlier quarters. To be typed into the portal: nothing is submitted.',
    )
    .requiredOption('--quarter <quarter>', 'a quarter of the calendar, like 2026-Q4', (text) =>
      readQuarter(text).toUpperCase(),
    )
    .option('--csv', 'the rows and corrections as CSV')
    .addOption(JSON_OPTION)
    .action(run)
}
