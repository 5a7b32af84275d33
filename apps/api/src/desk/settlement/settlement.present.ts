import type { BankCredit, SentPayout } from '@hedgerow/domain/bank-payouts'
import { formatMinorOf } from '@hedgerow/domain/exchange'
import type { Sum } from '@hedgerow/domain/settlement'
import type { Bank } from '#accounting/settlement/compare-bank.ts'
import { type Operation, operationOf } from '#accounting/settlement/match-payments.ts'
import { type References, readReferences, totalOf } from '#accounting/settlement/references.ts'
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
  gateway: operation.gateway,
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
  gateway: settlement.gateway,
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

const sumCells = (sum: Sum | undefined): [string, string] =>
  sum ? [formatMinorOf(sum.minor, sum.currency), sum.currency] : ['', '']

const HEADS = [
  'operationId',
  'completedAt',
  'kind',
  'type',
  'status',
  'paymentId',
  'orderId',
  'invoice',
  'refundId',
  'creditNote',
  'charged',
  'chargedCurrency',
  'total',
  'currency',
  'booked',
  'bookedCurrency',
  'fee',
  'method',
  'standing',
  'explanation',
  'gateway',
] as const

const cellsOf = (
  operation: Operation,
  references: References,
): Record<(typeof HEADS)[number], string | null | undefined> => {
  const payment = references.payments.get(operation.paymentId ?? '')
  const refundId = references.refundOf.get(operation.id)
  const [charged, chargedCurrency] = sumCells(operation.initial)
  const [total, currency] = sumCells(totalOf(operation, references))
  const [booked, bookedCurrency] = sumCells(operation.booked)
  return {
    ...{ operationId: operation.id, completedAt: operation.completed_at.toISOString() },
    ...{ kind: operation.kind, type: operation.type, status: operation.status },
    ...{ paymentId: operation.paymentId, orderId: payment?.orderId, invoice: payment?.invoice },
    ...{ refundId, creditNote: references.refunds.get(refundId ?? '')?.creditNote },
    ...{ charged, chargedCurrency, total, currency, booked, bookedCurrency },
    fee: formatMinorOf(operation.feeMinor, operation.booked.currency),
    ...{ method: operation.method, standing: operation.standing, explanation: operation.explanation },
    gateway: operation.gateway,
  }
}

/** Every operation of the period, as a file that ‘settlement import’ reads as well. */
export const printOperationsCsv = async (db: Db, { gateway, from, to }: Settlement): Promise<void> => {
  const operations = (await listOperationsBetween(db, from, to, gateway)).map(operationOf)
  const references = await readReferences(
    db,
    operations.flatMap(({ paymentId }) => paymentId ?? []),
  )
  const rows = operations.map((operation) => {
    const cells = cellsOf(operation, references)
    return HEADS.map((head) => cells[head] ?? '')
  })
  toolRun().stdout.write(sheetText([HEADS, ...rows]))
}
