import {
  compareSettlement,
  explainBooking,
  fetchConsoleSettlement,
  getSettlementDesk,
  importSettlement,
  MOST_DIFFERENCES,
  type OperationView,
} from '@hedgerow/contract/console/settlement'
import { GATEWAY_TITLES, type GatewayName } from '@hedgerow/domain/gateways'
import { instantsOf } from '@hedgerow/domain/periods'
import { OPERATION_KINDS, type OperationKind } from '@hedgerow/domain/settlement'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { BANK_FIELDS, type BankField, readBankStatement } from '#accounting/settlement/bank-statement.ts'
import { type Bank, compareStatement, compareTotals } from '#accounting/settlement/compare-bank.ts'
import { type Fetched, fetchSettlement } from '#accounting/settlement/fetch-settlement.ts'
import { importReport } from '#accounting/settlement/import-report.ts'
import { type Operation, operationOf } from '#accounting/settlement/match-payments.ts'
import { REPORT_FIELDS, type ReportField } from '#accounting/settlement/read-report.ts'
import { hasDifferences, type Settlement, settleMonth } from '#accounting/settlement/settle.ts'
import {
  explainOperation,
  listReporting,
  listRuns,
  listUnexplained,
  onlyOf,
} from '#accounting/settlement/settlement.service.ts'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { betweenDays, wantedDays } from '#desk/console/periods.ts'
import { refused } from '#desk/console/refused.ts'
import { bytesOf, fileRefused } from '#desk/console/sent-file.ts'
import { bookingSources } from '#money/gateway/adapters.ts'
import { DataFault } from '#money/gateway/data-fault.ts'
import { plainWord } from '#money/gateway/operation-words.ts'
import { readAmountIn, readCurrency } from '#platform/csv/column-values.ts'
import type { SettlementRunRow } from '#platform/database/tables/settlement.table.ts'
import type { With } from '#platform/dependencies.ts'
import { invalidField, Problem } from '#platform/http/problems.ts'

type Deps = With<'db' | 'settings'>

const LISTED = 100
/** A call from a browser is not to take longer; what had come is kept. */
const FETCH_MS = 60_000

const view = (operation: Operation): OperationView => ({
  id: operation.id,
  gateway: operation.gateway,
  kind: operation.kind,
  paymentId: operation.paymentId,
  at: operation.completed_at.toISOString(),
  sum: operation.initial,
  standing: operation.standing,
  explanation: operation.explanation,
  type: operation.type,
  method: operation.method,
  card: operation.pan_masked,
  fee: { minor: operation.feeMinor, currency: operation.booked.currency },
})

const runView = (run: SettlementRunRow) => ({
  id: run.id,
  gateway: run.gateway,
  what: run.kind === 'import' ? `import of ${run.file_name}` : run.is_daily ? 'daily fetch' : 'fetch',
  from: run.period_from.toISOString(),
  to: run.period_to.toISOString(),
  startedAt: run.started_at.toISOString(),
  endedAt: run.ended_at?.toISOString() ?? null,
  new: run.new_count,
  changed: run.changed_count,
  same: run.same_count,
  leftOut: run.left_out_count,
  sha256: run.file_sha256,
})

/** 'NAME=VALUE' lines as pairs. Throws 'invalid'. */
const pairsOf = <K, V>(
  field: string,
  lines: readonly string[],
  read: (name: string, value: string) => readonly [K, V] | undefined,
): Map<K, V> =>
  new Map(
    lines.map((line) => {
      const at = line.indexOf('=')
      const pair = at > 0 ? read(line.slice(0, at).trim(), line.slice(at + 1).trim()) : undefined
      if (!pair) throw invalidField(field, `‘${line}’ cannot be read.`)
      return pair
    }),
  )

const sumsOf = (field: string, lines: readonly string[]) =>
  pairsOf(field, lines, (code, amount) => {
    const currency = readCurrency(code)
    const minor = currency && readAmountIn(amount, currency, '.')
    return currency === undefined || minor === undefined ? undefined : [currency, minor as number]
  })

const first = <T>(items: readonly T[]) => items.slice(0, MOST_DIFFERENCES)

const sourcesFor = ({ settings }: Deps, gateway: GatewayName | undefined) => {
  const all = bookingSources(settings)
  const wanted = gateway ? all.filter((source) => source.gateway === gateway) : all
  if (wanted.length > 0) return wanted
  throw refused(
    gateway && gateway !== 'gate'
      ? `there are no keys of ${GATEWAY_TITLES[gateway]}`
      : 'there is no Data API to ask: DATA_API_URL is not set',
  )
}

const takingInRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  implementForOperators(app, deps, fetchConsoleSettlement, async ({ body, operator }) => {
    const between = instantsOf(wantedDays(body))
    const sources = sourcesFor(deps, body.gateway)
    if (between.begins.getTime() > Date.now()) throw invalidField('from', 'These days have not begun.')
    const options = operator.by === 'shell' ? {} : { until: Date.now() + FETCH_MS }
    const period = { from: between.begins, to: between.ends }
    const all: Fetched[] = []
    const faults: DataFault[] = []
    for (const source of sources)
      try {
        all.push(await fetchSettlement({ db: deps.db, source }, period, options))
      } catch (error) {
        if (!(error instanceof DataFault)) throw error
        // One that is silent holds up no other.
        faults.push(error)
      }
    if (faults.length > 0)
      throw new Problem('gateway-silent', {
        detail: `${faults.map(({ message }) => message).join(' ')} What had come is kept: do the same again.`,
      })
    const sum = (count: (one: Fetched) => number) => all.reduce((total, one) => total + count(one), 0)
    return {
      operations: sum(({ operations }) => operations),
      new: sum(({ created }) => created),
      same: sum(({ same }) => same),
      leftOut: sum(({ leftOut }) => leftOut),
      changed: first(all.flatMap(({ changes }) => changes)),
      unreadable: first(all.flatMap(({ unreadable }) => unreadable)).map(
        ({ id, why }) => `${id ?? 'one without an id'}: ${why}`,
      ),
      isWhole: all.every(({ isWhole }) => isWhole),
      hasBalances: all.some(({ hasBalances }) => hasBalances),
    }
  })

  implementForOperators(app, deps, importSettlement, async ({ body }) => {
    const { file, columns, types, decimal, days, isMinor, fees } = body
    const map = pairsOf('columns', columns, (field, column) =>
      REPORT_FIELDS.includes(field as ReportField) ? [field as ReportField, column] : undefined,
    )
    const words = pairsOf('types', types, (word, kind) =>
      kind === 'none' || OPERATION_KINDS.includes(kind as OperationKind)
        ? [plainWord(word), kind as OperationKind | 'none']
        : undefined,
    )
    const { gate } = deps.settings
    if (!gate) throw refused('reports are the Gate’s, of which nothing is set')
    const sent = { name: file.name, bytes: bytesOf(file) }
    const imported = await importReport(deps, sent, {
      ...{ map, types: words, days, fees, isMinor, projectId: gate.projectId },
      decimal: decimal && (decimal === 'comma' ? ',' : '.'),
    }).catch((error: unknown) => {
      throw fileRefused(error)
    })
    return imported.kind === 'known'
      ? { isNew: false, new: 0, same: imported.run.new_count, changed: [], leftOut: 0 }
      : {
          isNew: true,
          new: imported.created,
          same: imported.same,
          changed: first(imported.changes),
          leftOut: imported.leftOut,
        }
  })
}

type Comparison = z.output<typeof compareSettlement.schema.body>

const bankOf = (settlement: Settlement, body: Comparison): Bank => {
  const { bank, bankFile, bankColumns, bankCurrency, bankText, bankDecimal, bankDays } = body
  const totals = bank.length > 0 ? compareTotals(settlement, sumsOf('bank', bank)) : undefined
  if (!bankFile) return { totals, statement: undefined }
  const map = pairsOf('bankColumns', bankColumns, (field, column) =>
    BANK_FIELDS.includes(field as BankField) ? [field as BankField, column] : undefined,
  )
  try {
    const credits = readBankStatement(bytesOf(bankFile, 'bankFile'), {
      map,
      currency: bankCurrency,
      decimal: bankDecimal && (bankDecimal === 'comma' ? ',' : '.'),
      days: bankDays,
    })
    return { totals, statement: compareStatement(settlement, credits, bankText || undefined) }
  } catch (error) {
    throw fileRefused(error, 'bankFile')
  }
}

const differsAtBank = ({ totals, statement }: Bank): boolean =>
  (totals?.some(({ sentMinor, receivedMinor }) => sentMinor !== receivedMinor) ?? false) ||
  (statement?.missing.length ?? 0) + (statement?.strange.length ?? 0) > 0

const entryView = (entry: Settlement['onlyInShop'][number]) => ({
  kind: entry.kind,
  id: entry.id,
  paymentId: entry.paymentId,
  at: entry.at.toISOString(),
  sum: { minor: entry.minor, currency: entry.currency },
})

const payoutView = ({ id, at, minor, currency }: NonNullable<Bank['statement']>['missing'][number]) => ({
  id,
  at: at.toISOString(),
  sum: { minor, currency },
})

const statementView = ({ statement }: Bank) =>
  statement
    ? {
        received: statement.received.length,
        missing: statement.missing.slice(0, MOST_DIFFERENCES).map(payoutView),
        inTransit: statement.inTransit.slice(0, MOST_DIFFERENCES).map(payoutView),
        strange: statement.strange
          .slice(0, MOST_DIFFERENCES)
          .map(({ line, day, description, minor, currency }) => ({
            line,
            day: day.toISOString().slice(0, 10),
            description,
            sum: { minor, currency },
          })),
      }
    : null

/** What gateways booked on our balances, against what the shop and the bank know. */
export const settlementRoutes = (app: FastifyInstance | LocalCalls, deps: Deps): void => {
  implementForOperators(app, deps, getSettlementDesk, async () => ({
    runs: (await listRuns(deps.db, LISTED)).map(runView),
    open: (await listUnexplained(deps.db, LISTED)).map(operationOf).map(view),
    canFetch: bookingSources(deps.settings).length > 0,
    gateways: await listReporting(deps.db),
  }))

  implementForOperators(app, deps, explainBooking, async ({ params, body }) => {
    if (!(await explainOperation(deps, params.operationId, body.text))) throw new Problem('booking-not-found')
    return {}
  })

  implementForOperators(app, deps, compareSettlement, async ({ body }) => {
    const between = betweenDays(body) ?? instantsOf(body)
    const told = { opening: sumsOf('opening', body.opening), closing: sumsOf('closing', body.closing) }
    const gateway = body.gateway ?? onlyOf(await listReporting(deps.db))
    if (!gateway) throw invalidField('gateway', 'Several gateways have reported: say which.')
    const settlement = await settleMonth(deps, gateway, between.begins, between.ends, told)
    const bank = bankOf(settlement, body)
    return {
      gateway,
      from: settlement.from.toISOString(),
      to: settlement.to.toISOString(),
      toldUpTo: settlement.toldUpTo?.toISOString() ?? null,
      operations: settlement.operations,
      matched: settlement.matched,
      isDifferent: hasDifferences(settlement) || differsAtBank(bank),
      currencies: settlement.currencies,
      onlyAtGateway: first(settlement.onlyAtGateway).map(view),
      onlyInShop: first(settlement.onlyInShop).map(entryView),
      differing: first(settlement.differing).map(({ operation, entry }) => ({
        gateway: view(operation),
        shop: entryView(entry),
      })),
      explained: first(settlement.explained).map(view),
      bankTotals: bank.totals ?? null,
      bankStatement: statementView(bank),
    }
  })

  takingInRoutes(app, deps)
}
