import { sql } from 'kysely'
import { settledForLevel } from '#catalogue/promocodes/settled-transactions.ts'
import type { Db } from '#platform/database/client.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'

/** Who a partner is and what came of it; nothing of those who bought. */
const facts = (db: Db) =>
  db
    .selectFrom('customers')
    .leftJoin('partners', 'partners.customer_id', 'customers.id')
    .select([
      'customers.id',
      'customers.email',
      'customers.promocode',
      'partners.promocode_limit',
      'partners.promocode_closed_at',
      sql<number>`coalesce(partners.referral_visits, 0)`.as('referral_visits'),
      sql<number>`coalesce(partners.transactions, 0)`.as('transactions'),
      settledForLevel(sql`customers.id`).as('settled'),
      sql<number>`coalesce(partners.promocode_uses, 0)`.as('promocode_uses'),
    ])

export type PartnerFacts = Awaited<ReturnType<ReturnType<typeof facts>['execute']>>[number]

/** A partner by one of the names that they have. */
export const findPartnerFacts = (
  db: Db,
  by: { id: string } | { email: string } | { promocode: string },
): Promise<PartnerFacts | undefined> =>
  facts(db)
    .$if('id' in by, (query) => query.where('customers.id', '=', 'id' in by ? by.id : ''))
    .$if('email' in by, (query) =>
      query.where('customers.email', '=', 'email' in by ? by.email.toLowerCase() : ''),
    )
    .$if('promocode' in by, (query) =>
      query.where('customers.promocode', '=', 'promocode' in by ? by.promocode.toUpperCase() : ''),
    )
    .executeTakeFirst()

/** Those of whom there is something to say, in no order. */
export const selectPartners = (db: Db) => facts(db).where('partners.customer_id', 'is not', null)

/** What lists are sorted by. */
export const partnerOrder = {
  sorts: {
    transactions: { by: sql`coalesce(partners.transactions, 0)`, type: 'bigint' },
    crossings: { by: sql`coalesce(partners.referral_visits, 0)`, type: 'bigint' },
  },
  id: { by: sql`customers.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }
