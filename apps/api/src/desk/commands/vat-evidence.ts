import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMoney } from '@hedgerow/domain/money'
import { counted } from '@hedgerow/domain/order-description'
import { type Command, Option } from 'commander'
import { listVatEvidence, type PlacedSale } from '#desk/backoffice/vat-evidence.ts'
import { evidenceCsv, type PresentedSale, presentSale } from '#desk/presentation/present-evidence.ts'
import { opens } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { readDay } from '#desk/tool/periods.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

const WORDS: Readonly<Record<PresentedSale['verdict'], string>> = {
  agrees: 'agrees',
  contradicts: 'CONTRADICTS',
  single: 'one piece only',
  business: 'VAT number',
}

const sayPeople = (sales: readonly PlacedSale[]) => {
  if (sales.length === 0) return say('No sale found that asked for a country.')
  const presented = sales.map(presentSale)
  sayTable(
    [
      'paid',
      'invoice',
      'payment',
      'total',
      'rate',
      'chosen',
      'bank',
      'network',
      'evidence',
      'vat number',
      'standing',
    ],
    presented.map((sale, place) => {
      const { row } = sales[place] as PlacedSale
      return [
        formatDateTime(row.ended_at as Date),
        sale.invoice ?? '',
        sale.payment,
        formatMoney(row.amount_minor, row.currency),
        `${sale.rate}%`,
        row.vat_country ?? '',
        row.bank_country ?? '?',
        row.network_country ?? '?',
        WORDS[sale.verdict],
        sale.vatNumber ?? '',
        sale.vatNumberStanding ?? '',
      ]
    }),
  )
  const count = (verdict: PresentedSale['verdict']) =>
    presented.filter((sale) => sale.verdict === verdict).length
  say(
    `${counted(sales.length, 'sale')}: ${count('agrees')} with pieces that agree, ${count('contradicts')} that contradict, ` +
      `${count('single')} with one piece only, ${count('business')} to businesses.`,
  )
}

type Options = { from?: string; to?: string; contradicting?: true; json?: true; csv?: true }

const list = ({ from, to, contradicting, json, csv }: Options) =>
  withDatabase(async (db) => {
    const all = await listVatEvidence({ db }, { from, to })
    const sales = contradicting ? all.filter(({ verdict }) => verdict === 'contradicts') : all
    if (json) return sayJson({ sales: sales.map(presentSale) })
    if (csv) return void toolRun().stdout.write(evidenceCsv(sales.map(presentSale)))
    sayPeople(sales)
  })

export const addVatEvidence = (program: Command): void => {
  const evidence = program
    .command('vat-evidence')
    .summary('where customers were, for their tax')
    .description('What the country of each sale was determined by (VAT_SCHEME=oss).')
    .helpCommand(false)
  opens(evidence.command('list'))
    .description(
      'Sales with the country that was chosen, that of the card or bank, that of the network, and whether they agree; ' +
        'VAT numbers, and how they stood. In the order in which they were paid.',
    )
    .option('--from <day>', 'paid on this day or later, in London’s time', readDay)
    .option('--to <day>', 'paid on this day or earlier', readDay)
    .option('--contradicting', 'only those whose other pieces name no country that was chosen')
    .addOption(JSON_OPTION)
    .addOption(new Option('--csv', 'for spreadsheets: print comma-separated values').conflicts('json'))
    .action(list)
}
