import { randomUUID } from 'node:crypto'
import { matchOpen } from '#accounting/settlement/match-payments.ts'
import { balancesIn, readDataOperation, rowsIn } from '#accounting/settlement/read-data-operation.ts'
import {
  addToRun,
  endRun,
  findBrokenOff,
  insertRun,
  putBalances,
} from '#accounting/settlement/runs.queries.ts'
import { type Change, changedCount, storeOperations } from '#accounting/settlement/store-operations.ts'
import { type DataCall, DataFault } from '#money/gateway/gate/data-call.ts'
import type { Db } from '#platform/database/client.ts'

const PAGE = 1_000
/** Ten million operations: a gateway that has more pages is not counting. */
const MOST_PAGES = 10_000

/** Beyond those that come unasked. */
const FIELDS = [
  ...['operation_id', 'project_id', 'payment_id', 'operation_type', 'operation_status', 'account_number'],
  ...['payment_method_type', 'operation_created_at', 'operation_completed_at', 'arn', 'rrn'],
  ...['sum_initial', 'sum_converted', 'fee', 'country_by_bin', 'eci'],
]

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

type Deps = { db: Db; ask: DataCall; projectId: number }

type Period = { from: Date; to: Date }

const inUtc = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ')

const intervalOf = ({ from, to }: Period) => ({ interval: { from: inUtc(from), to: inUtc(to) }, tz: 'UTC' })

/** One page, whole or not at all. Nothing is asked while the transaction is open. */
const storePage = async (
  db: Db,
  fetched: Fetched,
  rows: readonly unknown[],
  projectId: number,
): Promise<void> => {
  const read = rows.map((row) => readDataOperation(row, projectId))
  const reported = read.flatMap((one) => (one.kind === 'operation' ? [one.operation] : []))
  const unreadable = read.flatMap((one) => (one.kind === 'unreadable' ? [{ id: one.id, why: one.why }] : []))
  const leftOut = read.filter(({ kind }) => kind === 'left-out').length
  const { created, same, changes } = await db.transaction().execute(async (trx) => {
    const stored = await storeOperations(trx, fetched.runId, reported)
    const changed = changedCount(stored.changes)
    await addToRun(trx, fetched.runId, rows.length, {
      ...{ created: stored.created, same: stored.same },
      ...{ changed, leftOut: leftOut + unreadable.length },
    })
    return stored
  })
  fetched.operations += reported.length
  fetched.created += created
  fetched.same += same
  fetched.changes.push(...changes)
  fetched.leftOut += leftOut
  fetched.unreadable.push(...unreadable)
}

/** Not every gateway tells them, and nothing hangs on it. */
const fetchBalances = async ({ db, ask }: Deps, period: Period): Promise<boolean> => {
  const balances = balancesIn(await ask('balance/get', intervalOf(period)))
  if (!balances) return false
  const at = (instant: Date, name: 'opening_amount' | 'closing_amount') =>
    balances.map((balance) => ({ currency: balance.currency, at: instant, minor: balance[name] }))
  // Of what goes on, the end is not over yet.
  const isOver = period.to.getTime() <= Date.now()
  await putBalances(db, [
    ...at(period.from, 'opening_amount'),
    ...(isOver ? at(period.to, 'closing_amount') : []),
  ])
  return true
}

const startRun = async (db: Db, { from, to }: Period, isDaily: boolean) => {
  const brokenOff = isDaily ? await findBrokenOff(db, from, to) : undefined
  if (brokenOff) return { id: brokenOff.id, offset: brokenOff.next_offset }
  const id = randomUUID()
  await insertRun(db, { id, kind: 'fetch', period_from: from, period_to: to, is_daily: isDaily })
  return { id, offset: 0 }
}

type Options = {
  /** The shop's own of a whole day: one that broke off is gone on with. */
  isDaily?: boolean
  /** No page is begun after it. */
  until?: number
}

/**
 * Takes in the operations that the gateway completed from the one instant up to the other, page by page, with its balances at
 * both. Where it breaks off, what had come is kept, and asking again for the same period completes it. Throws DataFault where
 * the gateway gives no answer that can be used.
 */
export const fetchSettlement = async (
  deps: Deps,
  period: Period,
  { isDaily = false, until = Infinity }: Options = {},
): Promise<Fetched> => {
  const { db, ask, projectId } = deps
  const run = await startRun(db, period, isDaily)
  const fetched: Fetched = {
    ...{ runId: run.id, operations: 0, created: 0, same: 0, changes: [], leftOut: 0 },
    ...{ unreadable: [], hasBalances: false, isWhole: false },
  }
  let before = ''
  let { offset } = run
  for (let page = 0; page < MOST_PAGES; page++) {
    if (Date.now() > until) return fetched
    const question = { ...intervalOf(period), limit: PAGE, offset, fields: FIELDS }
    const rows = rowsIn(await ask('financial-reporting/operations', question))
    if (!rows) throw new DataFault('The gateway’s Data API answered without a list of operations.')
    if (rows.length > PAGE) throw new DataFault('The gateway’s Data API answered with more than a page.')
    const now = JSON.stringify(rows)
    if (rows.length > 0 && now === before)
      throw new DataFault('The gateway’s Data API answers with the same page again and again.')
    before = now
    await storePage(db, fetched, rows, projectId)
    offset += rows.length
    // A page may be shorter than was asked for: the last is the one without rows.
    if (rows.length > 0) continue
    fetched.hasBalances = await fetchBalances(deps, period)
    await matchOpen(db)
    await endRun(db, run.id)
    return { ...fetched, isWhole: true }
  }
  throw new DataFault('The gateway’s Data API has no last page.')
}
