import { sql } from 'kysely'

export { listBoughtBy } from '#sales/renewals/renewals.queries.ts'

export type Renewed = { id: string; name: string }

/**
 * To be selected beside a row of `orders`: the connections that it is to extend or, once it is delivered, those that it
 * has extended. By the names that they have now; one that is deleted has none.
 */
export const RENEWED = sql<Renewed[]>`(
  select coalesce(json_agg(json_build_object('id', extended.id, 'name', extended.name) order by place), '[]')
  from unnest(orders.renews) with ordinality as chosen (id, place)
  join connections as extended on extended.id = chosen.id and extended.customer_id = orders.customer_id
  where exists (
      select from payments as paying join renewals on renewals.payment_id = paying.id
      where paying.order_id = orders.id and renewals.connection_id = extended.id)
    or not exists (
      select from payments as paying where paying.order_id = orders.id and paying.delivered_at is not null)
)`.as('renew')
