import { sql } from 'kysely'
import { settledTransactions } from '#catalogue/promocodes/settled-transactions.ts'
import type { Db } from '#platform/database/client.ts'

/** The customer's code, how often their link was followed, and their transactions: all, and those that are settled. */
export const findPartner = (db: Db, customerId: string) =>
  db
    .selectFrom('customers')
    .leftJoin('partners', 'partners.customer_id', 'customers.id')
    .select([
      'customers.promocode',
      sql<number>`coalesce(partners.referral_visits, 0)`.as('referral_visits'),
      sql<number>`coalesce(partners.transactions, 0)`.as('transactions'),
      settledTransactions(sql`customers.id`).as('settled'),
      sql<number>`coalesce(partners.promocode_uses, 0)`.as('promocode_uses'),
    ])
    .where('customers.id', '=', customerId)
    .executeTakeFirst()

export type PartnerRow = NonNullable<Awaited<ReturnType<typeof findPartner>>>

/** Counts for the code's partner, if there is one. The customer first, as wherever both are locked. */
export const addReferralVisit = (db: Db, code: string) =>
  db
    .insertInto('partners')
    .columns(['customer_id', 'referral_visits'])
    .expression(({ selectFrom }) =>
      selectFrom('customers')
        .select(['id', sql<number>`1`.as('referral_visits')])
        .where('promocode', '=', code)
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict
        .column('customer_id')
        .doUpdateSet({ referral_visits: sql<number>`partners.referral_visits + 1` }),
    )
    .execute()
