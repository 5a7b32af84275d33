import { OSS_INVOICE_YEARS } from '@hedgerow/domain/invoices'
import type { Db } from '#database/client.ts'
import type { SettlementOperationRow } from '#database/tables/settlement.table.ts'
import type { With } from '#dependencies.ts'
import { deleteOperationsBefore, setExplanation } from '#settlement/operations.queries.ts'

export { type Operation, operationOf } from '#settlement/match-payments.ts'
export {
  listOperationsBetween,
  listUnexplained,
  measureUnexplained,
} from '#settlement/operations.queries.ts'
export { listRuns } from '#settlement/runs.queries.ts'

/** What was behind a booking that only the gateway knew of: it waits for nobody then. Undefined: there is no such operation. */
export const explainOperation = (
  { db }: With<'db'>,
  id: string,
  text: string,
): Promise<SettlementOperationRow | undefined> => setExplanation(db, id, text)

/** Kept for as long as the longest-kept invoices, which they belong to. */
export const deleteOldSettlements = (db: Db): Promise<void> => deleteOperationsBefore(db, OSS_INVOICE_YEARS)
