import { randomUUID } from 'node:crypto'
import { matchOpen } from '#accounting/settlement/match-payments.ts'
import { listPaymentsOfSales } from '#accounting/settlement/operations.queries.ts'
import {
  addToRun,
  endRun,
  findBrokenOff,
  insertRun,
  putBalances,
} from '#accounting/settlement/runs.queries.ts'
import { type Change, changedCount, storeOperations } from '#accounting/settlement/store-operations.ts'
import type { BookingSource, BookingsPage, Period } from '#money/gateway/booking-source.ts'
import { DataFault } from '#money/gateway/data-fault.ts'
import type { ReportedOperation } from '#money/gateway/reported-operation.ts'
import type { Db } from '#platform/database/client.ts'

/** A million operations at the least: a gateway that has more pages is not counting. */
const MOST_PAGES = 10_000

export type Unreadable = { id: string | undefined; why: string }

export type Fetched = {
  runId: string
  operations: number
  created: number
  same: number
  changes: Change[]
  /** What moves no money, or is another project's. */
  leftOut: number
  unreadable: Unreadable[]
  /** False: the gateway does not tell what was on the balances. */
  hasBalances: boolean
  /** False: the time was over, and the next run goes on. */
  isWhole: boolean
}

type Deps = { db: Db; source: BookingSource }

/** Not ours, but on the balance that the payouts come from: only by how much it changed that. */
const asOthers = (operation: ReportedOperation): ReportedOperation => {
  const { booked = operation.initial, feeMinor = 0 } = operation
  const net = { ...booked, minor: booked.minor - feeMinor }
  const shared = { kind: 'other-shop', paymentId: null, initial: net, booked: net, feeMinor: 0 } as const
  return { ...operation, ...shared, method: undefined, bankCountry: undefined }
}

/**
 * Of an account that other shops use as well: which payment each operation belongs to. The gateway's id of the sale decides, and
 * where the shop has not heard of that yet, our own id, which the sale was given.
 */
const withPayments = async (
  db: Db,
  { gateway }: BookingSource,
  reported: readonly ReportedOperation[],
): Promise<ReportedOperation[]> => {
  const saleIds = [...new Set(reported.flatMap(({ saleId }) => saleId || []))]
  const told = [...new Set(reported.flatMap(({ saleId, paymentId }) => (saleId && paymentId) || []))]
  const payments = saleIds.length > 0 ? await listPaymentsOfSales(db, gateway, saleIds, told) : []
  const bySale = new Map(payments.map(({ id, saleId }) => [saleId, id]))
  const unheard = new Set(payments.flatMap(({ id, saleId }) => (saleId === null ? id : [])))
  return reported.map((operation) => {
    const { saleId, paymentId } = operation
    if (saleId === undefined) return operation
    const ours = bySale.get(saleId) ?? (paymentId !== null && unheard.has(paymentId) ? paymentId : undefined)
    return ours === undefined ? asOthers(operation) : { ...operation, paymentId: ours }
  })
}

/** One page, whole or not at all. Nothing is asked while the transaction is open. */
const storePage = async (
  { db, source }: Deps,
  fetched: Fetched,
  { rows, next }: BookingsPage,
): Promise<void> => {
  const operations = rows.flatMap((one) => (one.kind === 'operation' ? [one.operation] : []))
  const unreadable = rows.flatMap((one) => (one.kind === 'unreadable' ? [{ id: one.id, why: one.why }] : []))
  const leftOut = rows.filter(({ kind }) => kind === 'left-out').length
  const reported = await withPayments(db, source, operations)
  const { created, same, changes } = await db.transaction().execute(async (trx) => {
    const stored = await storeOperations(trx, fetched.runId, source.gateway, reported)
    const counts = {
      ...{ created: stored.created, same: stored.same },
      ...{ changed: changedCount(stored.changes), leftOut: leftOut + unreadable.length },
    }
    await addToRun(trx, fetched.runId, rows.length, counts, next)
    return stored
  })
  fetched.operations += reported.length
  fetched.created += created
  fetched.same += same
  fetched.changes.push(...changes)
  fetched.leftOut += leftOut
  fetched.unreadable.push(...unreadable)
}

const fetchBalances = async ({ db, source }: Deps, period: Period): Promise<boolean> => {
  const balances = await source.balances?.(period)
  if (!balances) return false
  // Of what goes on, the end is not over yet.
  await putBalances(
    db,
    balances.filter(({ at }) => at <= period.from || at.getTime() <= Date.now()),
  )
  return true
}

const startRun = async ({ db, source: { gateway } }: Deps, { from, to }: Period, isDaily: boolean) => {
  const brokenOff = isDaily ? await findBrokenOff(db, gateway, from, to) : undefined
  if (brokenOff) return { id: brokenOff.id, next: brokenOff.next_cursor ?? undefined }
  const id = randomUUID()
  await insertRun(db, { id, kind: 'fetch', gateway, period_from: from, period_to: to, is_daily: isDaily })
  return { id, next: undefined }
}

type Options = {
  /** The shop's own of a whole day: one that broke off is gone on with. */
  isDaily?: boolean
  /** No page is begun after it. */
  until?: number
}

/**
 * Takes in what a gateway booked from the one instant up to the other, page by page, with its balances at both where it tells
 * them. Where it breaks off, what had come is kept, and asking again for the same period completes it. Throws DataFault where the
 * gateway gives no answer that can be used.
 */
export const fetchSettlement = async (
  deps: Deps,
  period: Period,
  { isDaily = false, until = Infinity }: Options = {},
): Promise<Fetched> => {
  const run = await startRun(deps, period, isDaily)
  const fetched: Fetched = {
    ...{ runId: run.id, operations: 0, created: 0, same: 0, changes: [], leftOut: 0 },
    ...{ unreadable: [], hasBalances: false, isWhole: false },
  }
  let after: string | undefined = run.next
  for (let count = 0; count < MOST_PAGES; count++) {
    if (Date.now() > until) return fetched
    const page = await deps.source.page(period, after)
    await storePage(deps, fetched, page)
    after = page.next
    if (after !== undefined) continue
    fetched.hasBalances = await fetchBalances(deps, period)
    await matchOpen(deps.db)
    await endRun(deps.db, run.id)
    return { ...fetched, isWhole: true }
  }
  throw new DataFault('The gateway’s list of what it booked has no last page.')
}
