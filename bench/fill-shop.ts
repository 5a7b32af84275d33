import type { Pool } from 'pg'

/** How much of the past a shop can have. */
export const PAST = { customers: 100_000, payments: 1_000_000, connections: 300_000 } as const

const CLOSED_NODE = '00000000-0000-4000-8000-000000000001'

/**
 * Gives a shop a past: customers with about ten payments each over two years, most of them paid, and the connections
 * that the latest of them bought. They live on a node that is full, as a past does.
 */
export const fillShop = async (pool: Pool): Promise<void> => {
  const { customers, payments, connections } = PAST
  const run = (text: string) => pool.query(text)
  await run(`
    insert into customers (id, email, name, promocode, password_hash, confirmed_at)
    select md5('customer' || n)::uuid, 'past' || n || '@bench.example', 'Past', 'PAST' || n, '-', now()
    from generate_series(1, ${customers}) n`)
  await run(`
    insert into orders (id, customer_id, days, connections, options, total_minor, currency, status, created_at,
      updated_at, expires_at)
    select md5('order' || n)::uuid, md5('customer' || (n % ${customers} + 1))::uuid, 30, 3, 2, 3003,
      case n % 2 when 0 then 'EUR' else 'GBP' end, case when n % 10 < 8 then 'Completed' else 'Rejected' end,
      made, made, made + interval '1 day'
    from generate_series(1, ${payments}) n,
      lateral (select now() - interval '1 minute' * n as made) as times`)
  await run(`
    insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency,
      status, gate_code, pan_masked, card_holder, auth_code, gate_updated_at, checks, delivered_at, is_invoiced, created_at,
      ended_at)
    select md5('payment' || n), id, customer_id, 'card', total_minor, currency, total_minor, currency,
      case status when 'Completed' then 'Success' else 'Decline' end, '0', '400000******0077', 'PAST', '123456',
      created_at, 0, case status when 'Completed' then created_at end, status = 'Completed', created_at, created_at
    from generate_series(1, ${payments}) n join orders on orders.id = md5('order' || n)::uuid`)
  await run(`
    insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, is_open, filled_to)
    values ('${CLOSED_NODE}', 'full', '192.0.2.2:51820', 'full', '10.32.0.0/11', 'fd00:1::/64', false, ${connections})`)
  await run(`
    insert into connections (id, customer_id, payment_id, ordinal, name, options, filters_on, expires_at)
    select md5('connection' || n)::uuid, customer_id, payments.id, n % 3 + 1, 'Past ' || n, 2, 2,
      now() + interval '10 days'
    from generate_series(0, ${connections - 1}) n
    join payments on payments.id = md5('payment' || (n / 3 * 10 / 8 + 1))
    where payments.status = 'Success'`)
  await run(`
    insert into peers (id, connection_id, node_id, position, public_key, private_key_encrypted, preshared_key_encrypted,
      revision)
    select id, id, '${CLOSED_NODE}', row_number() over () + 1, 'key', '\\x00', '\\x00', row_number() over ()
    from connections`)
  await run(`
    insert into invoices (order_id, year, number, issued_at, snapshot)
    select order_id, extract(year from created_at)::int,
      row_number() over (partition by extract(year from created_at) order by created_at), created_at,
      jsonb_build_object('paidAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'currency', currency, 'vatRate', 20, 'netMinor', 2503, 'vatMinor', 500, 'totalMinor', amount_minor)
    from payments where status = 'Success'`)
  await run(`
    insert into invoice_counters (year, last) select year, max(number) from invoices group by year
    on conflict (year) do update set last = excluded.last`)
  await run('vacuum analyze')
}
