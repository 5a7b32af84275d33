import type { Trx } from '#platform/database/client.ts'

/**
 * In a shop that was restored: which of the waits at whose end a second step is lost were stopped after the backup is not
 * known, and a thief may have begun one. A customer who has lost theirs says so again.
 */
export const endEveryWait = (trx: Trx) =>
  trx
    .updateTable('customers')
    .set({ second_step_ends_at: null, way_back_hash: null })
    .where('second_step_ends_at', 'is not', null)
    .execute()
