import { dayStart, fillSteps, type HistoryKind, stepsOf } from '@hedgerow/domain/node-history'
import {
  findFirstReport,
  type LastDay,
  listHistory,
  listLastDays,
} from '#network/nodes/node-history.queries.ts'
import type { With } from '#platform/dependencies.ts'

export type { HistoryRow, LastDay } from '#network/nodes/node-history.queries.ts'

/** How a node fared, step by step, gaps among them. */
export const nodeHistory = async ({ db }: With<'db'>, nodeId: string, kind: HistoryKind) => {
  const now = Date.now()
  const rows = await listHistory(db, nodeId, kind, new Date(stepsOf(kind, now)[0] ?? now))
  const since = (await findFirstReport(db, nodeId))?.getTime() ?? now
  return fillSteps(kind, rows, { now, since })
}

/** By node, how its last 24 hours were; all in one query. */
export const lastDays = ({ db }: With<'db'>, nodeId?: string): Promise<Map<string, LastDay>> =>
  listLastDays(db, dayStart(Date.now()), nodeId)
