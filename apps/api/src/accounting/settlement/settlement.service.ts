import type { GatewayName } from '@hedgerow/domain/gateways'
import { OSS_INVOICE_YEARS } from '@hedgerow/domain/invoices'
import { deleteOperationsBefore, setExplanation } from '#accounting/settlement/operations.queries.ts'
import type { Db } from '#platform/database/client.ts'
import type { SettlementOperationRow } from '#platform/database/tables/settlement.table.ts'
import type { With } from '#platform/dependencies.ts'

export {
  listOperationsBetween,
  listUnexplained,
  measureUnexplained,
} from '#accounting/settlement/operations.queries.ts'
export { listReporting, listRuns } from '#accounting/settlement/runs.queries.ts'

/** Which gateway is meant where none is named: the only one that has reported; undefined where there are several. */
export const onlyOf = (reporting: readonly GatewayName[]): GatewayName | undefined =>
  reporting.length > 1 ? undefined : (reporting[0] ?? 'gate')

/** What was behind a booking that only the gateway knew of: it does not wait any more. Undefined: there is no such operation. */
export const explainOperation = (
  { db }: With<'db'>,
  id: string,
  text: string,
): Promise<SettlementOperationRow | undefined> => setExplanation(db, id, text)

/** Kept for as long as the longest-kept invoices, which they belong to. */
export const deleteOldSettlements = (db: Db): Promise<void> => deleteOperationsBefore(db, OSS_INVOICE_YEARS)
