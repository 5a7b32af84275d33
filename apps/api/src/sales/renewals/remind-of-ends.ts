import { inSlices, LONG_MS } from '#platform/database/slices.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { markReminded } from '#sales/renewals/reminders.queries.ts'

const CUSTOMERS_AT_ONCE = 200

/** Queues one mail for each customer whose connections end soon; the mark and the mail's job are there together. */
export const remindOfEnds = ({ db }: With<'db'>): Promise<void> =>
  inSlices(
    (rows) =>
      db.transaction().execute(async (trx) => {
        const reminders = await markReminded(trx, rows)
        for (const { customer_id, connection_ids } of reminders)
          await addJob(trx, 'mail-reminder', { customerId: customer_id, connectionIds: connection_ids })
        return reminders.length
      }),
    { rows: CUSTOMERS_AT_ONCE, ms: LONG_MS },
  )
