import { GATEWAYS, type GatewayName } from '@hedgerow/domain/gateways'
import { instantsOf } from '@hedgerow/domain/periods'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { BANK_FIELDS, type BankField, readBankStatement } from '#accounting/settlement/bank-statement.ts'
import { type Bank, compareStatement, compareTotals } from '#accounting/settlement/compare-bank.ts'
import { hasDifferences, type Settlement, settleMonth } from '#accounting/settlement/settle.ts'
import { listReporting, onlyOf } from '#accounting/settlement/settlement.service.ts'
import { saySettlement } from '#desk/commands/say-settlement.ts'
import { presentSettlement, printOperationsCsv } from '#desk/settlement/settlement.present.ts'
import { reads } from '#desk/tool/classes.ts'
import { withCsvFaults } from '#desk/tool/csv-faults.ts'
import { JSON_OPTION, readLine } from '#desk/tool/options.ts'
import { addPeriod, type PeriodOptions, wantedPeriod } from '#desk/tool/periods.ts'
import { sayJson } from '#desk/tool/print.ts'
import { readNamedFile } from '#desk/tool/read-file.ts'
import { readPairs, readSums } from '#desk/tool/read-pairs.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { readCurrency } from '#platform/csv/column-values.ts'

type Sums = ReadonlyMap<string, number>

type Options = PeriodOptions & {
  gateway?: GatewayName
  opening?: Sums
  closing?: Sums
  bank?: Sums
  bankFile?: string
  bankMap?: ReadonlyMap<BankField, string>
  bankCurrency?: string
  bankText?: string
  json?: true
  csv?: true
}

/** Differences are no failure of the command, but a timer that runs it wants to hear of them. */
const DIFFERS = 1

const readBank = async (settlement: Settlement, options: Options): Promise<Bank> => {
  const { bank, bankFile, bankMap, bankCurrency, bankText } = options
  const totals = bank && compareTotals(settlement, bank)
  if (bankFile === undefined) return { totals, statement: undefined }
  const bytes = await readNamedFile(bankFile)
  const credits = await withCsvFaults(() =>
    readBankStatement(bytes, { map: bankMap ?? new Map(), currency: bankCurrency }),
  )
  return { totals, statement: compareStatement(settlement, credits, bankText) }
}

const differsAtBank = ({ totals, statement }: Bank): boolean =>
  (totals?.some(({ sentMinor, receivedMinor }) => sentMinor !== receivedMinor) ?? false) ||
  (statement?.missing.length ?? 0) + (statement?.strange.length ?? 0) > 0

const show = (options: Options, command: Command) => {
  const { begins: from, ends: to } = instantsOf(wantedPeriod(options, command))
  return withDatabase(async (db) => {
    const told = { opening: options.opening ?? new Map(), closing: options.closing ?? new Map() }
    const gateway = options.gateway ?? onlyOf(await listReporting(db))
    if (!gateway) return command.error('error: several gateways have reported: say which by --gateway')
    const settlement = await settleMonth({ db }, gateway, from, to, told)
    const bank = await readBank(settlement, options)
    const differs = hasDifferences(settlement) || differsAtBank(bank)
    if (options.csv) await printOperationsCsv(db, settlement)
    else if (options.json) sayJson(presentSettlement(settlement, bank))
    else saySettlement(settlement, bank, differs)
    if (differs) toolRun().exitCode = DIFFERS
  })
}

const isField = (field: string): field is BankField => BANK_FIELDS.includes(field as BankField)

const readMap = readPairs((field, name) => {
  if (!isField(field)) throw new InvalidArgumentError(`A field is one of: ${BANK_FIELDS.join(', ')}.`)
  return [field, name] as const
})

const currencyOf = (text: string): string => {
  const currency = readCurrency(text)
  if (currency === undefined) throw new InvalidArgumentError('A currency has three letters, like EUR.')
  return currency
}

/** No call of the contract: it takes a statement of the bank beside balances, prints a sheet, and writes its operations as CSV. */
export const addSettlementShow = (settlement: Command): void => {
  addPeriod(reads(settlement.command('show')))
    .description(
      'What a gateway booked in a period, by currency, and everything in which it differs from the shop or the bank. Nothing ' +
        'is changed. Exit code 0: no difference; 1: differences.',
    )
    .addOption(
      new Option('--gateway <gateway>', 'whose bookings; left out: the only one that has reported').choices(
        GATEWAYS,
      ),
    )
    .option('--opening <sum>', 'the balance at the beginning, like EUR=123.45; may be repeated', readSums)
    .option('--closing <sum>', 'the balance at the end; may be repeated', readSums)
    .option(
      '--bank <sum>',
      'what your bank received from the gateway, like EUR=123.45; may be repeated',
      readSums,
    )
    .option('--bank-file <file>', 'your bank’s statement as CSV: payouts are looked for in it one by one')
    .option('--bank-map <field=column>', `the statement’s column of ${BANK_FIELDS.join(', ')}`, readMap)
    .option('--bank-currency <currency>', 'of a statement without a column for it', currencyOf)
    .option('--bank-text <text>', 'what the gateway’s credits have in their description', readLine)
    .addOption(JSON_OPTION)
    .option('--csv', 'for programs: the operations of the period as CSV')
    .action(show)
}
