import type { With } from '#dependencies.ts'
import { addJob } from '#queue/add-job.ts'
import { markReminded } from '#renewals/reminders.queries.ts'

/** Queues one mail for each customer whose connections end soon; the mark and the mail's job are there together. */
export const remindOfEnds = async ({ db }: With<'db'>): Promise<void> => {
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      const reminders = await markReminded(trx)
      for (const { customer_id, connection_ids } of reminders) {
        await addJob(trx, 'mail-reminder', { customerId: customer_id, connectionIds: connection_ids })
      }
      return reminders.length
    })
    if (count === 0) return
  }
}
