import { sql } from 'kysely'
import type { Trx } from '#database/client.ts'

/** Whoever has the second step has not lost it. True if somebody had said so. */
export const stopWayBack = async (trx: Trx, customerId: string): Promise<boolean> => {
  const stopped = await trx
    .updateTable('customers')
    .set({ second_step_ends_at: null, way_back_hash: null })
    .where('id', '=', customerId)
    .where('second_step_ends_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return stopped !== undefined
}
