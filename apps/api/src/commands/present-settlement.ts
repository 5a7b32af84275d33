import type { BankCredit, SentPayout } from '@hedgerow/domain/bank-payouts'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import { stringify } from 'csv-stringify/sync'
import type { Db } from '#database/client.ts'
import type { Bank } from '#settlement/compare-bank.ts'
import { type Operation, operationOf } from '#settlement/match-payments.ts'
import type { Settlement } from '#settlement/settle.ts'
import { listOperationsBetween } from '#settlement/settlement.service.ts'

const presentSum = ({ minor, currency }: { minor: number; currency: string }) => ({
  amount: formatMinorOf(minor, currency),
  currency,
})

export const presentOperation = (operation: Operation) => ({
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

/** A spreadsheet takes what begins so for a formula. */
const disarmed = (text: string | null): string => (text && /^[=+@\t-]/.test(text) ? `'${text}` : (text ?? ''))

const cellsOf = (operation: Operation): Record<string, string> => ({
  operation_id: operation.id,
  completed_at: operation.completed_at.toISOString(),
  kind: operation.kind,
  operation_type: disarmed(operation.type),
  operation_status: operation.status,
  payment_id: disarmed(operation.paymentId),
  amount: formatMinorOf(operation.initial.minor, operation.initial.currency),
  currency: operation.initial.currency,
  balance_amount: formatMinorOf(operation.booked.minor, operation.booked.currency),
  balance_currency: operation.booked.currency,
  fee: formatMinorOf(operation.feeMinor, operation.booked.currency),
  method: disarmed(operation.method),
  standing: operation.standing,
  explanation: disarmed(operation.explanation),
})

/** Every operation of the period, as a file that ‘settlement import’ reads as well. */
export const printOperationsCsv = async (db: Db, { from, to }: Settlement): Promise<void> => {
  const operations = (await listOperationsBetween(db, from, to)).map(operationOf)
  const columns = ['operation_id', 'completed_at', 'kind', 'operation_type', 'operation_status', 'payment_id']
  const sums = ['amount', 'currency', 'balance_amount', 'balance_currency', 'fee', 'method', 'standing']
  process.stdout.write(
    stringify(operations.map(cellsOf), { header: true, columns: [...columns, ...sums, 'explanation'] }),
  )
}
