import { sql, type Updateable } from 'kysely'
import { settledForLevel } from '#catalogue/promocodes/settled-transactions.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { PartnersTable } from '#platform/database/tables/partnership.table.ts'
import type { Order, SortKey } from '#platform/http/keyset.ts'

const codes = (db: Db) =>
  db
    .selectFrom('customers')
    .leftJoin('partners', 'partners.customer_id', 'customers.id')
    .select([
      'customers.id',
      'customers.promocode',
      'partners.promocode_limit',
      'partners.promocode_closed_at',
      settledForLevel(sql`customers.id`).as('settled'),
      sql<number>`coalesce(partners.promocode_uses, 0)`.as('promocode_uses'),
    ])

/** A partner's code as it stands; undefined when there is no such code. */
export const findPromocode = (db: Db, code: string) =>
  codes(db).where('customers.promocode', '=', code).executeTakeFirst()

export type PromocodeRow = NonNullable<Awaited<ReturnType<typeof findPromocode>>>

type PromocodeFilter = { state?: 'open' | 'closed' | 'limited' | undefined }

/** Codes that were used, or that the operator has done something to, in no order. */
export const selectPromocodes = (db: Db, { state }: PromocodeFilter) =>
  codes(db)
    .where(({ eb, or }) =>
      or([
        eb('partners.promocode_uses', '>', 0),
        eb('partners.promocode_limit', 'is not', null),
        eb('partners.promocode_closed_at', 'is not', null),
      ]),
    )
    .$if(state === 'open', (query) => query.where('partners.promocode_closed_at', 'is', null))
    .$if(state === 'closed', (query) => query.where('partners.promocode_closed_at', 'is not', null))
    .$if(state === 'limited', (query) => query.where('partners.promocode_limit', 'is not', null))

export const promocodeOrder = {
  sorts: {
    uses: { by: sql`coalesce(partners.promocode_uses, 0)`, type: 'bigint' },
    promocode: { by: sql`customers.promocode`, type: 'text' },
  },
  id: { by: sql`customers.id`, type: 'uuid' },
} satisfies { sorts: Record<string, SortKey>; id: Order['id'] }

/**
 * How many orders use a code besides those that are credited: their payment is under way, or has succeeded and is not
 * credited yet, or earns the partner nothing. An order counts once, however many attempts it has: only one of them can buy
 * it. Leaves out one order, or one customer's.
 */
export const countUncreditedUses = async (
  db: Db,
  code: string,
  but: { orderId?: string; customerId?: string },
): Promise<number> => {
  // In the words of the index.
  const { rows } = await sql<{ count: number }>`
    select count(distinct order_id)::integer as count from payments
    where promocode = ${code} and (not is_credited or uncredited_because is not null)
      and not refund_due and status not in ('Decline', 'Error') and refunded_minor < charged_minor
      and order_id is distinct from ${but.orderId ?? null}::uuid
      and (${but.customerId ?? null}::uuid is null or customer_id is distinct from ${but.customerId ?? null}::uuid)`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** What the operator says of a partner's code. To be called with the partner locked. */
export const setPromocodeTerms = async (
  trx: Trx,
  partnerId: string,
  terms: Pick<Updateable<PartnersTable>, 'promocode_limit' | 'promocode_closed_at'>,
): Promise<void> => {
  await trx.updateTable('partners').set(terms).where('customer_id', '=', partnerId).execute()
}
