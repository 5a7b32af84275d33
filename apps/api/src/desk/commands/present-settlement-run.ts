import { formatDateTime } from '@hedgerow/domain/dates'
import { counted } from '@hedgerow/domain/order-description'
import { type Change, changedCount } from '#accounting/settlement/store-operations.ts'
import { say, sayTable } from '#desk/tool/print.ts'
import type { SettlementRunRow } from '#platform/database/tables/settlement.table.ts'

const TOLD = 50

/** What the gateway now says otherwise than before. */
export const sayChanges = (changes: readonly Change[]): void => {
  if (changes.length === 0) return
  sayTable(
    ['operation', 'what', 'before', 'now'],
    changes.slice(0, TOLD).map(({ id, what, before, after }) => [id, what, before, after]),
  )
  say(`The gateway has changed ${counted(changedCount(changes), 'operation')} that it had reported before.`)
}

export const presentRun = (run: SettlementRunRow) => ({
  id: run.id,
  kind: run.kind,
  from: run.period_from.toISOString(),
  to: run.period_to.toISOString(),
  file: run.file_name,
  sha256: run.file_sha256,
  startedAt: run.started_at.toISOString(),
  endedAt: run.ended_at?.toISOString() ?? null,
  isDaily: run.is_daily,
  new: run.new_count,
  changed: run.changed_count,
  same: run.same_count,
  leftOut: run.left_out_count,
})

const whatOf = ({ kind, is_daily, file_name }: SettlementRunRow): string =>
  kind === 'import' ? `import ${file_name}` : is_daily ? 'daily fetch' : 'fetch'

export const sayRuns = (runs: readonly SettlementRunRow[]): void => {
  if (runs.length === 0) {
    say('Nothing has been fetched or imported. To begin: settlement fetch --help')
    return
  }
  sayTable(
    ['started', 'what', 'from', 'to', 'new', 'changed', 'as before', 'left out', 'ended'],
    runs.map((run) => [
      ...[formatDateTime(run.started_at), whatOf(run)],
      ...[formatDateTime(run.period_from), formatDateTime(run.period_to)],
      ...[run.new_count, run.changed_count, run.same_count, run.left_out_count].map(String),
      run.ended_at ? formatDateTime(run.ended_at) : 'broke off, or goes on',
    ]),
  )
}
