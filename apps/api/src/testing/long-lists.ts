import type { Json } from '@hedgerow/testing/call'
import { sql } from 'kysely'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { aCustomer, type TestCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase } from '#testing/payments.ts'
import { newKey, type TestShop } from '#testing/test-shop.ts'

/** A customer who has ordered so often: the n-th order was made n minutes ago, and costs n more than 3000. */
export const aCustomerWithOrders = async (shop: TestShop, count: number): Promise<TestCustomer> => {
  const customer = await aCustomer(shop)
  await sql`
    insert into orders (id, customer_id, days, connections, options, total_minor, currency, expires_at, created_at)
    select gen_random_uuid(), ${customer.id}, 30, 3, 0, 3000 + n, 'EUR', now() + interval '1 day',
      now() - n * interval '1 minute' from generate_series(1, ${count}::integer) n`.execute(shop.db)
  return customer
}

/** A customer who has tried to pay an order so often: the n-th attempt was made n minutes ago, and was of n more than 3000. */
export const aCustomerWithPayments = async (shop: TestShop, count: number): Promise<TestCustomer> => {
  const customer = await aCustomer(shop)
  const { orderId } = await anOrder(shop, customer)
  await sql`
    insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor,
      charged_currency, status, created_at, ended_at)
    select md5(${customer.id} || n), ${orderId}, ${customer.id}, (array['card', 'open_banking', 'blik'])[1 + n % 3],
      3000 + n, 'EUR', 3000 + n, 'EUR', 'Decline', now() - n * interval '1 minute', now()
    from generate_series(1, ${count}::integer) n`.execute(shop.db)
  return customer
}

/** A customer with connections that end in so many days each, in the order in which they were bought. Null: one never does. */
export const aCustomerWithConnections = async (
  shop: TestShop,
  ends: readonly (number | null)[],
): Promise<TestCustomer> => {
  const { customer, paymentId } = await aPurchase(shop)
  const cipher = createKeyCipher(Buffer.from(shop.env.KEY_ENCRYPTION_KEY ?? '', 'base64'))
  const ids = ends.map(() => crypto.randomUUID())
  await sql`
    with bought as (delete from connections where payment_id = ${paymentId} returning id)
    delete from peers where connection_id in (select id from bought)`.execute(shop.db)
  await sql`
    with address as (
      delete from free_addresses where (node_id, position) in (
        select node_id, position from free_addresses order by node_id, position limit ${ends.length}
      ) returning node_id, position
    ),
    made as (
      insert into connections (id, customer_id, payment_id, ordinal, name, options, filters_on, expires_at)
      select id, ${customer.id}, ${paymentId}, n, 'Hedgerow ' || n, 0, 0, now() + days * interval '1 day'
      from unnest(${ids}::uuid[], ${[...ends]}::numeric[]) with ordinality as one (id, days, n)
    )
    insert into peers (id, connection_id, node_id, position, public_key, private_key_encrypted, preshared_key_encrypted)
    select id, id, node_id, position, public_key, private_key, preshared_key
    from unnest(${ids}::uuid[], ${ids.map(newKey)}::text[], ${ids.map((id) => cipher.encrypt(newKey(), id))}::bytea[],
      ${ids.map((id) => cipher.encrypt(newKey(), id))}::bytea[])
      with ordinality as key (id, public_key, private_key, preshared_key, n)
    join (select node_id, position, row_number() over (order by position) as n from address) as own using (n)`.execute(
    shop.db,
  )
  return customer
}

const NEXT = /^<(?<path>[^>]+)>; rel="next"$/

/** A page of a customer's list, and the address of the next. */
export const pageOf = async (shop: Pick<TestShop, 'call'>, path: string, token: string) => {
  const { status, body, headers, text } = await shop.call('GET', path, { token })
  if (status !== 200) throw new Error(`There is no page: ${text}`)
  return { rows: body as Json[], next: NEXT.exec(headers.get('link') ?? '')?.groups?.path }
}

/** All pages of a customer's list, each as its header leads to it. */
export const pagesOf = async (shop: Pick<TestShop, 'call'>, path: string, token: string) => {
  const pages: Json[][] = []
  for (let at: string | undefined = path; at; ) {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(shop, at, token)
    pages.push(page.rows)
    at = page.next
  }
  return pages
}
