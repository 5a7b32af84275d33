import type { CurrencyCode } from '@hedgerow/domain/money'
import { sql } from 'kysely'
import { ORDER_OF_PAYMENT, PAYMENT_OF_BOUGHT } from '#network/connections/by-key.ts'

type LastBought = {
  days: number
  currency: CurrencyCode
  plan: { _id: string; connections: number } | null
}

/** Beside a row of `connections`: how days of it were bought last, by a payment that stands. A plan only while it is sold. */
export const LAST_BOUGHT = sql<LastBought | null>`(
  select json_build_object('days', orders.days, 'currency', orders.currency,
    'plan', (select json_build_object('_id', id, 'connections', plans.connections) from plans
      where plans.id = orders.plan_id and retired_at is null))
  from (
    select connections.payment_id, connections.created_at as at
    union all select payment_id, created_at from renewals where connection_id = connections.id
  ) as bought
  ${PAYMENT_OF_BOUGHT} ${ORDER_OF_PAYMENT}
  where orders.days is not null and payments.cancelled_at is null and refunded_minor < charged_minor
  order by at desc limit 1
)`.as('last_bought')
