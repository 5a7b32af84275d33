import { sql } from 'kysely'
import type { Db } from '#database/client.ts'

/** The customer's code, how often their link was followed, and the paid purchases of those whom they referred. */
export const findPartner = (db: Db, customerId: string) =>
  db
    .selectFrom('customers')
    .leftJoin('partner_crossings', 'partner_crossings.customer_id', 'customers.id')
    .select(({ selectFrom }) => [
      'customers.promocode',
      sql<number>`coalesce(partner_crossings.crossings, 0)`.as('crossings'),
      selectFrom('payments')
        .innerJoin('customers as referred', 'referred.id', 'payments.customer_id')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('referred.referred_by', '=', 'customers.id')
        // Only a success that is not to be refunded is ever delivered; the table's checks say so.
        .where('payments.delivered_at', 'is not', null)
        .where('payments.refund_due', '=', false)
        .as('transactions'),
    ])
    .where('customers.id', '=', customerId)
    .executeTakeFirst()

export type PartnerRow = NonNullable<Awaited<ReturnType<typeof findPartner>>>

/** Counts for whoever has the code, if anybody has. */
export const addCrossing = (db: Db, code: string) =>
  db
    .insertInto('partner_crossings')
    .columns(['customer_id', 'crossings'])
    .expression(({ selectFrom }) =>
      selectFrom('customers')
        .select(['id', sql<number>`1`.as('crossings')])
        .where('promocode', '=', code),
    )
    .onConflict((conflict) =>
      conflict.column('customer_id').doUpdateSet({ crossings: sql<number>`partner_crossings.crossings + 1` }),
    )
    .execute()
