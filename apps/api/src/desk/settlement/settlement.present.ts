import type { BankCredit, SentPayout } from '@hedgerow/domain/bank-payouts'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import type { Bank } from '#accounting/settlement/compare-bank.ts'
import { type Operation, operationOf } from '#accounting/settlement/match-payments.ts'
import type { Settlement } from '#accounting/settlement/settle.ts'
import { listOperationsBetween } from '#accounting/settlement/settlement.service.ts'
import { toolRun } from '#desk/tool/run.ts'
import { sheetText } from '#platform/csv/write-csv.ts'
import type { Db } from '#platform/database/client.ts'

const presentSum = ({ minor, currency }: { minor: number; currency: string }) => ({
  amount: formatMinorOf(minor, currency),
  currency,
})

const presentOperation = (operation: Operation) => ({
  operationId: operation.id,
  kind: operation.kind,
  type: operation.type,
  paymentId: operation.paymentId,
  completedAt: operation.completed_at.toISOString(),
  ...presentSum(operation.initial),
  fee: formatMinorOf(operation.feeMinor, operation.booked.currency),
  method: operation.method,
  card: operation.pan_masked,
  standing: operation.standing,
  explanation: operation.explanation,
})

const presentEntry = (entry: Settlement['onlyInShop'][number]) => ({
  kind: entry.kind,
  id: entry.id,
  paymentId: entry.paymentId,
  at: entry.at.toISOString(),
  ...presentSum(entry),
})

const presentPayout = ({ id, at, ...sum }: SentPayout) => ({
  operationId: id,
  at: at.toISOString(),
  ...presentSum(sum),
})

const presentCredit = ({ line, day, description, ...sum }: BankCredit) => ({
  ...{ line, day: day.toISOString().slice(0, 10), description },
  ...presentSum(sum),
})

const presentBank = ({ totals, statement }: Bank) => ({
  totals:
    totals?.map(({ currency, sentMinor, receivedMinor }) => ({
      currency,
      sent: formatMinorOf(sentMinor, currency),
      received: formatMinorOf(receivedMinor, currency),
      difference: formatMinorOf(receivedMinor - sentMinor, currency),
    })) ?? null,
  statement: statement
    ? {
        received: statement.received.map(({ payout, credit }) => ({
          payout: presentPayout(payout),
          credit: presentCredit(credit),
        })),
        missing: statement.missing.map(presentPayout),
        inTransit: statement.inTransit.map(presentPayout),
        strange: statement.strange.map(presentCredit),
      }
    : null,
})

/** Amounts are text, signed as they change the balance. */
export const presentSettlement = (settlement: Settlement, bank: Bank) => ({
  from: settlement.from.toISOString(),
  to: settlement.to.toISOString(),
  toldUpTo: settlement.toldUpTo?.toISOString() ?? null,
  operations: settlement.operations,
  matched: settlement.matched,
  currencies: settlement.currencies.map(({ currency, operations, isOff, ...sums }) => ({
    ...{ currency, operations, isOff },
    ...Object.fromEntries(
      Object.entries(sums).map(([name, minor]) => [
        name.replace(/Minor$/, ''),
        minor === null ? null : formatMinorOf(minor, currency),
      ]),
    ),
  })),
  payouts: settlement.payouts.map(presentOperation),
  onlyAtGateway: settlement.onlyAtGateway.map(presentOperation),
  onlyInShop: settlement.onlyInShop.map(presentEntry),
  differing: settlement.differing.map(({ operation, entry }) => ({
    gateway: presentOperation(operation),
    shop: presentEntry(entry),
  })),
  explained: settlement.explained.map(presentOperation),
  bank: presentBank(bank),
})

/** Titles that ‘settlement import’ knows, and what stands below them. */
const COLUMNS: readonly [string, (operation: Operation) => string][] = [
  ['operation_id', ({ id }) => id],
  ['completed_at', ({ completed_at }) => completed_at.toISOString()],
  ['kind', ({ kind }) => kind],
  ['operation_type', ({ type }) => type ?? ''],
  ['operation_status', ({ status }) => status],
  ['payment_id', ({ paymentId }) => paymentId ?? ''],
  ['amount', ({ initial }) => formatMinorOf(initial.minor, initial.currency)],
  ['currency', ({ initial }) => initial.currency],
  ['balance_amount', ({ booked }) => formatMinorOf(booked.minor, booked.currency)],
  ['balance_currency', ({ booked }) => booked.currency],
  ['fee', ({ feeMinor, booked }) => formatMinorOf(feeMinor, booked.currency)],
  ['method', ({ method }) => method ?? ''],
  ['standing', ({ standing }) => standing],
  ['explanation', ({ explanation }) => explanation ?? ''],
]

/** Every operation of the period, as a file that ‘settlement import’ reads as well. */
export const printOperationsCsv = async (db: Db, { from, to }: Settlement): Promise<void> => {
  const operations = (await listOperationsBetween(db, from, to)).map(operationOf)
  const rows = operations.map((operation) => COLUMNS.map(([, cell]) => cell(operation)))
  toolRun().stdout.write(sheetText([COLUMNS.map(([title]) => title), ...rows]))
}
