import { basename } from 'node:path'
import { formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { counted } from '@hedgerow/domain/order-description'
import { instantsOf } from '@hedgerow/domain/periods'
import { OPERATION_KINDS, type OperationKind } from '@hedgerow/domain/settlement'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Fetched, fetchSettlement } from '#accounting/settlement/fetch-settlement.ts'
import { importReport } from '#accounting/settlement/import-report.ts'
import { operationOf } from '#accounting/settlement/match-payments.ts'
import { plainWord } from '#accounting/settlement/operation-words.ts'
import { REPORT_FIELDS, type ReportField, type ReportOptions } from '#accounting/settlement/read-report.ts'
import { explainOperation, listRuns, listUnexplained } from '#accounting/settlement/settlement.service.ts'
import { presentRun, sayChanges, sayRuns } from '#desk/commands/present-settlement-run.ts'
import { addSettlementShow } from '#desk/commands/settlement-show.ts'
import { presentOperation } from '#desk/presentation/present-settlement.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { withCsvFaults } from '#desk/tool/csv-faults.ts'
import {
  DECIMAL_OPTION,
  type DecimalWord,
  decimalOf,
  JSON_OPTION,
  readCount,
  readLine,
  readTextOf,
} from '#desk/tool/options.ts'
import { addPeriod, type PeriodOptions, wantedPeriod } from '#desk/tool/periods.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { readNamedFile } from '#desk/tool/read-file.ts'
import { readPairs } from '#desk/tool/read-pairs.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { createDataCall, DataFault } from '#money/gateway/data-call.ts'
import { readDataApi, readGateSettings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

const LISTED = 50
const LONGEST_EXPLANATION = 500

type Json = { json?: true }

const sayFetched = (fetched: Fetched): void => {
  const { operations, created, same, leftOut, changes: changed, unreadable } = fetched
  say(`${counted(operations, 'operation')} fetched: ${created} new, ${same} as before.`)
  sayChanges(changed)
  if (leftOut > 0) say(`Left out, because they move no money or belong to another project: ${leftOut}.`)
  for (const { id, why } of unreadable.slice(0, LISTED))
    say(`Could not be read: ${id ?? 'one without an id'} (${why})`)
  if (!fetched.hasBalances) say('The gateway did not report the balances at the beginning and the end.')
}

const fetch = (options: PeriodOptions & Json, command: Command) => {
  const { begins: from, ends: to } = instantsOf(wantedPeriod(options, command))
  return withDatabase(async (db) => {
    const api = readDataApi(toolRun().env)
    const { projectId } = readGateSettings(toolRun().env)
    if (from.getTime() > Date.now()) throw new Refusal('That period has not begun.')
    try {
      const fetched = await fetchSettlement({ db, ask: createDataCall(api), projectId }, { from, to })
      if (options.json) sayJson(fetched)
      else sayFetched(fetched)
      if (fetched.unreadable.length > 0) toolRun().exitCode = 1
    } catch (error) {
      if (!(error instanceof DataFault)) throw error
      const kept = 'What had come is kept: run the same command again.'
      throw api ? new StartError(`${error.message} ${kept}`) : new Refusal(error.message)
    }
  })
}

type ImportOptions = Json & {
  map?: ReadonlyMap<ReportField, string>
  type?: ReadonlyMap<string, OperationKind | 'none'>
  decimal?: DecimalWord
  days?: 'dmy' | 'mdy'
  minor?: true
  fees?: 'costs' | 'changes'
}

const reportOptions = ({ map, type, decimal, days, minor, fees }: ImportOptions): ReportOptions => ({
  ...{ map: map ?? new Map(), types: type ?? new Map(), days, fees, isMinor: minor ?? false },
  decimal: decimalOf(decimal),
  projectId: readGateSettings(toolRun().env).projectId,
})

const importFile = (path: string, options: ImportOptions) =>
  withDatabase(async (db) => {
    const bytes = await readNamedFile(path)
    const file = { name: basename(path), bytes }
    const imported = await withCsvFaults(
      () => importReport({ db }, file, reportOptions(options)),
      'Nothing was imported.',
    )
    if (imported.kind === 'known') {
      if (options.json) return sayJson({ kind: 'known', run: presentRun(imported.run) })
      return say(`This file was imported before, as ${imported.run.file_name}. Nothing was changed.`)
    }
    if (options.json) return sayJson(imported)
    const { created, same, changes: changed, leftOut } = imported
    say(`${file.name} is imported: ${created} new, ${same} as before.`)
    sayChanges(changed)
    if (leftOut > 0) say(`Left out, because they move no money or belong to another project: ${leftOut}.`)
  })

const list = ({ limit, json }: Json & { limit?: number }) =>
  withDatabase(async (db) => {
    const runs = await listRuns(db, limit ?? LISTED)
    if (json) return sayJson({ runs: runs.map(presentRun) })
    sayRuns(runs)
  })

const open = ({ limit, json }: Json & { limit?: number }) =>
  withDatabase(async (db) => {
    const rows = (await listUnexplained(db, limit ?? LISTED)).map(operationOf)
    if (json) return sayJson({ operations: rows.map(presentOperation) })
    if (rows.length === 0) return say('The shop knows of all that the gateway has reported.')
    sayTable(
      ['operation', 'completed', 'kind', 'amount', 'payment', 'standing'],
      rows.map((operation) => [
        ...[operation.id, formatDateTime(operation.completed_at), operation.kind],
        ...[formatCharged(operation.initial.minor, operation.initial.currency)],
        ...[operation.paymentId ?? '', operation.standing],
      ]),
    )
  })

const explain = (id: string, text: string, { json }: Json) =>
  withDatabase(async (db) => {
    const operation = await explainOperation({ db }, id, text)
    if (!operation) throw new Refusal(`There is no operation ${id}.`)
    if (json) return sayJson({ id, kind: operation.kind, explanation: text })
    say(`The ${operation.kind} ${id} is explained. It no longer counts as a difference.`)
  })

const isField = (field: string): field is ReportField => REPORT_FIELDS.includes(field as ReportField)
const isKind = (kind: string): kind is OperationKind | 'none' =>
  kind === 'none' || OPERATION_KINDS.includes(kind as OperationKind)

const readMap = readPairs((field, name) => {
  if (!isField(field)) throw new InvalidArgumentError(`A field is one of: ${REPORT_FIELDS.join(', ')}.`)
  return [field, name]
})

const readTypes = readPairs((word, kind) => {
  if (!isKind(kind)) throw new InvalidArgumentError(`A kind is one of: ${OPERATION_KINDS.join(', ')}, none.`)
  return [plainWord(word), kind] as const
})

const addImport = (settlement: Command): void => {
  changes(settlement.command('import'))
    .description(
      'Import a file of the gateway’s operations: CSV with a row for each operation, and the columns’ names above. All of it ' +
        'is imported or nothing; the same file again changes nothing. ‘settlement import --help’ lists the fields.',
    )
    .argument('<file>', 'the file, at most 20 MB')
    .option('--map <field=column>', 'the column of a field; may be repeated', readMap)
    .option('--type <word=kind>', 'what a word of the column ‘type’ is; may be repeated', readTypes)
    .addOption(DECIMAL_OPTION)
    .addOption(new Option('--days <order>', 'how 5/11/2026 is read').choices(['dmy', 'mdy']))
    .option('--minor', 'amounts are in minor units: 4517 is 45.17')
    .addOption(
      new Option('--fees <sign>', 'a fee of 1.00 was taken (costs), or −1.00 was (changes)').choices([
        ...['costs', 'changes'],
      ]),
    )
    .addOption(JSON_OPTION)
    .addHelpText(
      'after',
      `\nFields: ${REPORT_FIELDS.join(', ')}.\nKinds: ${OPERATION_KINDS.join(', ')}, none.`,
    )
    .action(importFile)
}

export const addSettlement = (program: Command): void => {
  const settlement = program
    .command('settlement')
    .summary('what the gateway booked, and paid to the bank')
    .description(
      'What the gateway booked on your balance: sales, refunds, chargebacks, fees and payouts, held against what the shop knows.',
    )
    .helpCommand(false)
  addPeriod(changes(settlement.command('fetch')))
    .description(
      'Fetch the operations of a period by the gateway’s Data API. Run it again as often as you like: each operation is kept once.',
    )
    .addOption(JSON_OPTION)
    .action(fetch)
  addImport(settlement)
  addSettlementShow(settlement)
  reads(settlement.command('list'))
    .description('What was fetched and imported, the newest first.')
    .option('--limit <count>', `how many, ${LISTED} by default`, readCount)
    .addOption(JSON_OPTION)
    .action(list)
  reads(settlement.command('open'))
    .description('Bookings of the gateway that the shop does not know of, and that nobody has explained.')
    .option('--limit <count>', `how many, ${LISTED} by default`, readCount)
    .addOption(JSON_OPTION)
    .action(open)
  changes(settlement.command('explain'))
    .description(
      'Say what an operation was that only the gateway knows. It no longer counts as a difference.',
    )
    .argument('<operation>', 'the gateway’s id of it', readLine)
    .argument('<text>', 'what it was, for whoever reads the books', readTextOf(1, LONGEST_EXPLANATION))
    .addOption(JSON_OPTION)
    .action(explain)
}
