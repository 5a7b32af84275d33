import { formatDateTime } from '@hedgerow/domain/dates'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import { counted } from '@hedgerow/domain/order-description'
import type { Sum } from '@hedgerow/domain/settlement'
import { say, sayTable } from '#cli/print.ts'
import type { Bank } from '#settlement/compare-bank.ts'
import type { Operation } from '#settlement/match-payments.ts'
import { hasDifferences, type SettledCurrency, type Settlement } from '#settlement/settle.ts'

const amount = ({ minor, currency }: Sum): string => `${formatMinorOf(minor, currency)} ${currency}`

type Line = readonly [string, (of: SettledCurrency) => number | null]

const LINES: readonly Line[] = [
  ['Opening balance', ({ openingMinor }) => openingMinor],
  ['Sales', ({ salesMinor }) => salesMinor],
  ['Refunds', ({ refundsMinor }) => refundsMinor],
  ['Chargebacks', ({ chargebacksMinor }) => chargebacksMinor],
  ['Representments', ({ representmentsMinor }) => representmentsMinor],
  ['Fees', ({ feesMinor }) => feesMinor],
  ['Corrections', ({ correctionsMinor }) => correctionsMinor],
  ['Exchanges', ({ exchangesMinor }) => exchangesMinor],
  ['Payouts', ({ payoutsMinor }) => payoutsMinor],
  ['Change', ({ changeMinor }) => changeMinor],
  ['Closing balance', ({ closingMinor }) => closingMinor],
]

/** What is always there; of the rest, what has something to tell. */
const ALWAYS = ['Sales', 'Refunds', 'Fees', 'Payouts', 'Change']

const sayTotals = (currencies: readonly SettledCurrency[]): void => {
  const cell = (line: Line, one: SettledCurrency) => {
    const minor = line[1](one)
    return minor === null ? 'not reported' : formatMinorOf(minor, one.currency)
  }
  const lines = LINES.filter(
    (line) => ALWAYS.includes(line[0]) || currencies.some((one) => (line[1](one) ?? 0) !== 0),
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

const saySpan = ({ toldUpTo, to, operations }: Settlement): void => {
  if (operations === 0) say('Nothing is known of that period. To fetch it: settlement fetch --help')
  else if (!toldUpTo) say('The beginning of the period has not been fetched or imported.')
  else if (toldUpTo < to) say(`Fetched or imported only up to ${formatDateTime(toldUpTo)}.`)
}

export const saySettlement = (settlement: Settlement, bank: Bank): void => {
  if (settlement.currencies.length > 0) sayTotals(settlement.currencies)
  saySpan(settlement)
  say(`${counted(settlement.matched, 'operation')} of ${settlement.operations} in order.`)
  sayDifferences(settlement)
  sayBank(bank)
  say('')
  say(hasDifferences(settlement) ? 'There are differences.' : 'The gateway and the shop agree.')
}
