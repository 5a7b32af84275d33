import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import { counted } from '@hedgerow/domain/order-description'
import { STATEMENT_LINES, type Sum } from '@hedgerow/domain/settlement'
import type { Bank } from '#accounting/settlement/compare-bank.ts'
import type { Operation } from '#accounting/settlement/match-payments.ts'
import type { SettledCurrency, Settlement } from '#accounting/settlement/settle.ts'
import { say, sayTable } from '#desk/tool/print.ts'

const amount = ({ minor, currency }: Sum): string => `${formatMinorOf(minor, currency)} ${currency}`

type Line = (typeof STATEMENT_LINES)[number]

/** What is always there; of the rest, what has something to tell. */
const ALWAYS: readonly string[] = ['Sales', 'Refunds', 'Fees', 'Payouts', 'Change']
const BALANCES: readonly string[] = ['Opening balance', 'Closing balance']

const sayTotals = (currencies: readonly SettledCurrency[]): void => {
  const cell = (line: Line, one: SettledCurrency) => {
    const minor = one[line[1]]
    return minor === null ? 'not reported' : formatMinorOf(minor, one.currency)
  }
  const isTold = ([, name]: Line) => currencies.some((one) => one[name] !== null)
  const lines = STATEMENT_LINES.filter(
    (line) =>
      ALWAYS.includes(line[0]) ||
      (BALANCES.includes(line[0]) ? isTold(line) : currencies.some((one) => one[line[1]] !== 0)),
  )
  const widths = currencies.map((one) => Math.max(3, ...lines.map((line) => cell(line, one).length)))
  sayTable(
    ['', ...currencies.map(({ currency }, at) => currency.padStart(widths[at] ?? 0))],
    lines.map((line) => [line[0], ...currencies.map((one, at) => cell(line, one).padStart(widths[at] ?? 0))]),
  )
  for (const { currency, isOff, openingMinor, changeMinor, closingMinor } of currencies)
    if (isOff)
      say(
        `The balance in ${currency} should be ${formatMinorOf((openingMinor ?? 0) + changeMinor, currency)} at the end, and the gateway reports ${formatMinorOf(closingMinor ?? 0, currency)}: operations are missing.`,
      )
}

const rowOf = (operation: Operation): string[] => [
  operation.id,
  formatDateTime(operation.completed_at),
  operation.kind,
  amount(operation.initial),
  operation.paymentId ?? '',
]

const TOLD = 200

const sayList = (title: string, heads: readonly string[], rows: readonly string[][]): void => {
  if (rows.length === 0) return
  say('')
  say(title)
  sayTable(heads, rows.slice(0, TOLD))
  if (rows.length > TOLD) say(`… and ${rows.length - TOLD} more: see --json.`)
}

const OPERATION_HEADS = ['operation', 'completed', 'kind', 'amount', 'payment']

const sayDifferences = ({ onlyAtGateway, onlyInShop, differing, explained }: Settlement): void => {
  sayList('Only the gateway knows of:', OPERATION_HEADS, onlyAtGateway.map(rowOf))
  sayList(
    'The gateway’s report lacks:',
    ['what', 'id', 'when', 'amount', 'payment'],
    onlyInShop.map((entry) => [
      ...[entry.kind, entry.id, formatDateTime(entry.at), amount(entry), entry.paymentId],
    ]),
  )
  sayList(
    'In amount or currency differ:',
    ['operation', 'kind', 'at the gateway', 'in the shop', 'payment'],
    differing.map(({ operation, entry }) => [
      ...[operation.id, operation.kind, amount(operation.initial)],
      ...[amount(entry), entry.paymentId],
    ]),
  )
  sayList(
    'Explained:',
    [...OPERATION_HEADS, 'explanation'],
    explained.map((one) => [...rowOf(one), one.explanation ?? '']),
  )
}

const sayBank = ({ totals, statement }: Bank): void => {
  if (totals)
    sayList(
      'Payouts and what the bank received:',
      ['currency', 'paid out', 'received', 'difference'],
      totals.map(({ currency, sentMinor, receivedMinor }) => [
        currency,
        ...[sentMinor, receivedMinor, receivedMinor - sentMinor].map((minor) =>
          formatMinorOf(minor, currency),
        ),
      ]),
    )
  if (!statement) return
  const { received, missing, inTransit, strange } = statement
  say('')
  say(`${counted(received.length, 'payout')} found in the bank’s statement.`)
  for (const [what, payouts] of [
    ['Not in the bank’s statement:', missing],
    ['Paid out shortly before the statement’s end, and not in it yet:', inTransit],
  ] as const)
    sayList(
      what,
      ['operation', 'paid out', 'amount'],
      payouts.map((payout) => [payout.id, formatDateTime(payout.at), amount(payout)]),
    )
  sayList(
    'Credits of the gateway that no payout is behind:',
    ['line', 'day', 'amount', 'description'],
    strange.map((credit) => [
      ...[String(credit.line), credit.day.toISOString().slice(0, 10), amount(credit), credit.description],
    ]),
  )
}

const isAtBank = ({ totals, statement }: Bank): boolean => Boolean(totals ?? statement)

const saySpan = ({ toldUpTo, to, operations }: Settlement): void => {
  if (operations === 0) say('Nothing is known of that period. To fetch it: settlement fetch --help')
  else if (!toldUpTo) say('The beginning of the period has not been fetched or imported.')
  else if (toldUpTo < to) say(`Fetched or imported only up to ${formatDateTime(toldUpTo)}.`)
}

/** `differs`: from the shop or the bank, as the exit code says it. */
export const saySettlement = (settlement: Settlement, bank: Bank, differs: boolean): void => {
  if (settlement.currencies.length > 0) sayTotals(settlement.currencies)
  saySpan(settlement)
  say(`${counted(settlement.matched, 'operation')} of ${settlement.operations} in order.`)
  sayDifferences(settlement)
  sayBank(bank)
  say('')
  if (differs) say('There are differences.')
  else if (settlement.operations > 0)
    say(isAtBank(bank) ? 'The gateway, the shop and the bank agree.' : 'The gateway and the shop agree.')
}
