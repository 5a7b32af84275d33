import { sql } from 'kysely'
import type { TestCustomer } from '#testing/customers.ts'
import type { TestShop } from '#testing/test-shop.ts'

/** Whether the gateway has been asked about a payment that was due, and when it is due again is set. */
export const wasChecked = async ({ db }: Pick<TestShop, 'db'>, paymentId: string): Promise<boolean> => {
  const { rows } = await sql`select from payments where id = ${paymentId} and next_check_at > now()`.execute(
    db,
  )
  return rows.length === 1
}

/** Attempts to pay of which the gateway has reported no end, and is due to be asked. Returns their ids. */
export const addDueChecks = async (
  { db }: Pick<TestShop, 'db'>,
  { id }: Pick<TestCustomer, 'id'>,
  count: number,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into orders (id, customer_id, days, connections, options, total_minor, currency, expires_at)
      select gen_random_uuid(), ${id}::uuid, 30, 3, 0, 3000, 'EUR', now() + interval '1 day'
      from generate_series(1, ${count}::int) returning *
    )
    insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency,
      status, next_check_at, checks)
    select replace(gen_random_uuid()::text, '-', ''), id, customer_id, 'card', total_minor, currency, total_minor, currency,
      'processing', now(), 3
    from made returning id`.execute(db)
  return rows.map((row) => row.id)
}
