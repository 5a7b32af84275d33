import type { GatewayName } from '@hedgerow/domain/gateways'
import { type Matched, matchSettlement, type SettlementOperation } from '@hedgerow/domain/settlement'
import { listOfPayments, listOpen, setStanding } from '#accounting/settlement/operations.queries.ts'
import { type DatedEntry, listEntriesOf } from '#accounting/settlement/shop-entries.queries.ts'
import { askAbout } from '#money/gateway/status-checks.ts'
import type { Db } from '#platform/database/client.ts'
import type { SettlementOperationRow } from '#platform/database/tables/settlement.table.ts'

export type Operation = SettlementOperation & Omit<SettlementOperationRow, 'kind'>

export const operationOf = (row: SettlementOperationRow): Operation => ({
  ...row,
  paymentId: row.payment_id,
  initial: { minor: Number(row.initial_minor), currency: row.initial_currency },
  booked: { minor: Number(row.booked_minor), currency: row.booked_currency },
  feeMinor: Number(row.fee_minor),
})

const AT_ONCE = 2_000

export const inChunks = <T>(items: readonly T[], size = AT_ONCE): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** Payments with all that a gateway and the shop have of them, whenever it was; and operations that name no payment. */
export const matchPayments = async (
  db: Db,
  gateway: GatewayName,
  paymentIds: readonly string[],
  strays: readonly Operation[] = [],
): Promise<Matched<Operation, DatedEntry>> => {
  const result: Matched<Operation, DatedEntry> = matchSettlement(strays, [])
  for (const ids of inChunks(paymentIds)) {
    const operations = (await listOfPayments(db, ids, gateway)).map(operationOf)
    const part = matchSettlement(operations, await listEntriesOf(db, ids, gateway))
    for (const name of ['matched', 'onlyAtGateway', 'onlyInShop', 'differing'] as const)
      (result[name] as unknown[]).push(...part[name])
  }
  return result
}

const idsOf = (operations: readonly { id: string }[]) => operations.map(({ id }) => id)

/** So many at once, or a report that misses a whole day would keep payments that customers wait for. */
const MOST_ASKED = 500

/**
 * Looks again at what only the gateway knows: the shop may have heard of it since. Else the gateway is asked how the payment
 * stands: a callback was lost. Bounded in memory: so many at a time, in the order of their ids.
 */
export const matchOpen = async (db: Db): Promise<void> => {
  const toAsk = new Set<string>()
  for (let after = ''; ; ) {
    const open = await listOpen(db, after, AT_ONCE)
    const last = open.at(-1)
    if (!last) return askAbout(db, [...toAsk].slice(0, MOST_ASKED))
    after = last.id
    for (const [gateway, rows] of Map.groupBy(open, (row) => row.gateway)) {
      const ids = [...new Set(rows.flatMap(({ payment_id }) => payment_id ?? []))]
      const { matched, onlyAtGateway, differing } = await matchPayments(db, gateway, ids)
      await setStanding(db, idsOf(matched), 'known')
      await setStanding(db, idsOf(onlyAtGateway), 'unknown')
      const others = differing.map(({ operation }) => operation)
      await setStanding(db, idsOf(others), 'differs')
      for (const { payment_id, explanation } of [...onlyAtGateway, ...others])
        if (payment_id !== null && explanation === null) toAsk.add(payment_id)
    }
  }
}
