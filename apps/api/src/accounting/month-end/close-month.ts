import { closesBefore } from '@hedgerow/domain/month-statement'
import { checkMonth, isClosable } from '#accounting/month-end/check-month.ts'
import {
  findClosedMonth,
  findLastClosed,
  insertClosedMonth,
  lockClosing,
} from '#accounting/month-end/closed-months.queries.ts'
import type { Month } from '#accounting/month-end/month.ts'
import { readStatement } from '#accounting/month-end/read-statement.ts'
import type { Db } from '#platform/database/client.ts'
import type { ClosedMonthRow, ProofsOfMonth } from '#platform/database/tables/closed-months.table.ts'
import { inOneState } from '#sales/invoices/documents.ts'

export { findClosedMonth, findLastClosed }

/** Why a month was not closed. */
export type NotClosed =
  | { why: 'not-over' }
  | { why: 'no-rate'; currencies: string[] }
  | { why: 'out-of-order'; next: string }
  /** And no reason was given for closing it all the same. */
  | { why: 'differs'; differing: number; checks: number; waiting: ProofsOfMonth['waiting'] }

export type Closing = { isNew: boolean; closed: ClosedMonthRow } | NotClosed

type Deps = { db: Db; exportDb: Db }

/**
 * Records what a month came to and what was proved of it. Once: whoever comes later gets what was recorded. `reason`: why,
 * although something differs or waits.
 */
export const closeMonth = async (
  { db, exportDb }: Deps,
  month: Month,
  { by, reason, now }: { by: string; reason: string | undefined; now: Date },
): Promise<Closing> => {
  if (now < month.to) return { why: 'not-over' }
  const known = await findClosedMonth(db, month.name)
  if (known) return { isNew: false, closed: known }
  const { statement, checked } = await inOneState(exportDb, async (state) => ({
    statement: await readStatement({ db: state }, month),
    checked: await checkMonth({ db: state }, month, now),
  }))
  if (statement.missing.length > 0) return { why: 'no-rate', currencies: statement.missing }
  const checks = checked.lines.map(({ id, agrees, left, right }) => ({ id, agrees, left, right }))
  const waiting = checked.waiting.map(({ kind, what, count }) => ({ kind, what, count }))
  const isInOrder = isClosable(checked)
  if (!isInOrder && reason === undefined) {
    const differing = checks.filter(({ agrees }) => !agrees).length
    return { why: 'differs', differing, checks: checks.length, waiting }
  }
  return db.transaction().execute(async (trx) => {
    await lockClosing(trx)
    const meanwhile = await findClosedMonth(trx, month.name)
    if (meanwhile) return { isNew: false, closed: meanwhile }
    const next = closesBefore(month.name, await findLastClosed(trx))
    if (next !== undefined) return { why: 'out-of-order', next } as const
    const closed = await insertClosedMonth(trx, {
      ...{ month: month.name, closed_by: by, statement, proofs: { checks, waiting } },
      reason: isInOrder ? null : (reason ?? null),
    })
    return { isNew: true, closed }
  })
}
