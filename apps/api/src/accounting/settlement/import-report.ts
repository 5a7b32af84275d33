import { hash, randomUUID } from 'node:crypto'
import { inChunks, matchOpen } from '#accounting/settlement/match-payments.ts'
import { lockOperations } from '#accounting/settlement/operations.queries.ts'
import { type Report, type ReportOptions, readReport } from '#accounting/settlement/read-report.ts'
import { addToRun, endRun, findRunOfFile, insertRun } from '#accounting/settlement/runs.queries.ts'
import {
  type Change,
  changedCount,
  type Stored,
  storeOperations,
} from '#accounting/settlement/store-operations.ts'
import { CsvFault } from '#platform/csv/read-csv.ts'
import type { SettlementRunRow } from '#platform/database/tables/settlement.table.ts'
import type { With } from '#platform/dependencies.ts'

export type Imported =
  | ({ kind: 'imported'; runId: string; changes: Change[] } & Pick<Report, 'leftOut'> &
      Omit<Stored, 'changes'>)
  /** The same file was imported before. */
  | { kind: 'known'; run: SettlementRunRow }

const AT_ONCE = 1_000

const periodOf = ({ operations }: Report) => {
  const times = operations.map(({ completedAt }) => completedAt.getTime())
  // Not by spreading: a file may have more rows than a function takes.
  const from = times.reduce((least, time) => Math.min(least, time), Infinity)
  const to = times.reduce((most, time) => Math.max(most, time), -Infinity)
  return { period_from: new Date(from), period_to: new Date(to + 1) }
}

/**
 * Takes in a file of the gateway's operations, all of it or nothing. The same file again changes nothing. Throws CsvFault
 * where anything in it cannot be read.
 */
export const importReport = async (
  { db }: With<'db'>,
  file: { name: string; bytes: Buffer },
  options: ReportOptions,
): Promise<Imported> => {
  const sha256 = hash('sha256', file.bytes)
  const known = await findRunOfFile(db, sha256)
  if (known) return { kind: 'known', run: known }
  const report = readReport(file.bytes, options)
  if (report.operations.length === 0) throw new CsvFault(['There is no operation in the file.'])
  const runId = randomUUID()
  return db.transaction().execute(async (trx): Promise<Imported> => {
    await lockOperations(trx)
    const meanwhile = await findRunOfFile(trx, sha256)
    if (meanwhile) return { kind: 'known', run: meanwhile }
    const name = file.name.slice(0, 200)
    await insertRun(trx, {
      id: runId,
      kind: 'import',
      gateway: 'gate',
      ...periodOf(report),
      file_name: name,
      file_sha256: sha256,
    })
    const all: Stored = { created: 0, same: 0, changes: [] }
    for (const operations of inChunks(report.operations, AT_ONCE)) {
      const { created, same, changes } = await storeOperations(trx, runId, 'gate', operations)
      all.created += created
      all.same += same
      for (const change of changes) all.changes.push(change)
    }
    const { created, same, changes } = all
    const { leftOut, rows } = report
    await addToRun(trx, runId, rows, { created, same, changed: changedCount(changes), leftOut })
    await matchOpen(trx)
    await endRun(trx, runId)
    return { kind: 'imported', runId, created, same, changes, leftOut }
  })
}
