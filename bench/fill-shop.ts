import type { Pool } from 'pg'

export type Past = { customers: number; payments: number; connections: number }

/** How much of the past a shop has where nothing else is said. */
export const PAST: Past = { customers: 100_000, payments: 1_000_000, connections: 300_000 }

const PEERS_A_NODE = 10_000
const PAST_DAYS = 700

/**
 * For building indexes; a shop's own settings are for small questions. No trigger or reference is looked at: what is put in
 * is whole.
 */
const FILLING = `set synchronous_commit = off; set maintenance_work_mem = '512MB'; set work_mem = '128MB';
  set session_replication_role = replica`

type Lane = { tables: string[]; inserts: string[] }

/** A few payments would all be of today otherwise. */
const MADE = (payments: number) => `now() - interval '${PAST_DAYS} days' * (n::float8 / ${payments})`
const SUCCEEDED = 'n % 10 < 8'
const CURRENCY = "case n % 2 when 0 then 'EUR' else 'GBP' end"
const ORDER_ID = "md5('order' || n)::uuid"
const nodeId = (n: string) => `md5('past node' || ${n})::uuid`
const customerId = (n: string, customers: number) => `md5('customer' || (${n}) % ${customers} + 1)::uuid`

const moneyOf = ({ customers, payments }: Past): Lane => ({
  tables: ['payments', 'payment_steps', 'invoices'],
  inserts: [
    `insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency,
        status, gate_code, pan_masked, card_holder, auth_code, gate_updated_at, checks, delivered_at, is_invoiced,
        created_at, ended_at)
      select md5('payment' || n), ${ORDER_ID}, ${customerId('n', customers)}, 'card', 3003, ${CURRENCY}, 3003, ${CURRENCY},
        case when ${SUCCEEDED} then 'Success' else 'Decline' end, '0', '400000******0077', 'PAST', '123456',
        made, 0, case when ${SUCCEEDED} then made end, ${SUCCEEDED}, made, made
      from (select n, ${MADE(payments)} as made from generate_series(1, ${payments}) n) as past`,
    `insert into payment_steps (payment_id, status, at)
      select md5('payment' || n), case when ${SUCCEEDED} then 'Success' else 'Decline' end, ${MADE(payments)}
      from generate_series(1, ${payments}) n`,
    `insert into invoices (order_id, year, number, issued_at, snapshot)
      select ${ORDER_ID}, year, row_number() over (partition by year order by n desc), made,
        jsonb_build_object('paidAt', to_char(made at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'currency', ${CURRENCY}, 'vatRate', 20, 'netMinor', 2503, 'vatMinor', 500, 'totalMinor', 3003)
      from (select n, ${MADE(payments)} as made, extract(year from ${MADE(payments)})::int as year
        from generate_series(1, ${payments}) n where ${SUCCEEDED}) as past`,
    `insert into invoice_counters (year, last) select year, max(number) from invoices group by year
      on conflict (year) do update set last = excluded.last`,
  ],
})

/** Each payment that succeeded had three connections; those of the latest are still there. */
const PAYMENT_OF_CONNECTION = '(10 + n / 24 * 10 + n / 3 % 8)'

const goodsOf = ({ customers, payments, connections }: Past): Lane => ({
  tables: ['customers', 'sessions', 'orders', 'nodes', 'connections', 'peers'],
  inserts: [
    `insert into customers (id, email, name, first_name, last_name, promocode, password_hash, confirmed_at)
      select md5('customer' || n)::uuid, 'past' || n || '@bench.example', 'Past', 'Ada',
        translate(substr(md5('surname' || n), 1, 9), '0123456789', 'ghijklmnop'), 'PAST' || n, '-', now()
      from generate_series(1, ${customers}) n`,
    `insert into sessions (token_hash, customer_id, expires_at, last_used_at)
      select decode(md5('session' || n), 'hex'), md5('customer' || n)::uuid,
        now() + interval '30 days' * ((n + 1)::float8 / ${customers}), now()
      from generate_series(1, ${customers}) n`,
    `insert into orders (id, customer_id, days, connections, options, total_minor, currency, status, created_at,
        updated_at, expires_at)
      select ${ORDER_ID}, ${customerId('n', customers)}, 30, 3, 2, 3003, ${CURRENCY},
        case when ${SUCCEEDED} then 'Completed' else 'Rejected' end, made, made, made + interval '1 day'
      from (select n, ${MADE(payments)} as made from generate_series(1, ${payments}) n) as past`,
    `insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, is_open, filled_to, revision, load)
      select ${nodeId('n')}, 'past ' || n, '192.0.2.2:51820', 'past ' || n, '10.32.0.0/11', 'fd00:1::/64', false,
        ${PEERS_A_NODE + 1}, ${PEERS_A_NODE}, ${PEERS_A_NODE}
      from generate_series(0, ${Math.floor((connections - 1) / PEERS_A_NODE)}) n`,
    `insert into connections (id, customer_id, payment_id, ordinal, name, options, filters_on, expires_at, created_at,
        reminded_days)
      select md5('connection' || n)::uuid, ${customerId(PAYMENT_OF_CONNECTION, customers)},
        md5('payment' || ${PAYMENT_OF_CONNECTION}), n % 3 + 1, 'Past ' || n, 2, 2,
        now() + left_of_it, now() + left_of_it - interval '30 days', case when left_of_it < interval '3 days' then 0 end
      from (select n, interval '30 days' * ((n + 1)::float8 / ${connections}) as left_of_it
        from generate_series(0, ${connections - 1}) n) as past`,
    `insert into peers (id, connection_id, node_id, position, public_key, private_key_encrypted,
        preshared_key_encrypted, revision)
      select md5('connection' || n)::uuid, md5('connection' || n)::uuid, ${nodeId(`(n / ${PEERS_A_NODE})`)},
        n % ${PEERS_A_NODE} + 2, 'key ' || n, '\\x00', '\\x00', n % ${PEERS_A_NODE} + 1
      from generate_series(0, ${connections - 1}) n`,
  ],
})

/** Its indexes are built when all rows are in. */
const fillLane = async (pool: Pool, { tables, inserts }: Lane): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query(FILLING)
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
      [tables],
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const statement of inserts) await client.query(statement)
    for (const { definition } of indexes) await client.query(definition)
    await client.query(`vacuum analyze ${tables.join(', ')}`)
  } finally {
    // With its settings.
    client.release(true)
  }
}

/**
 * Gives an empty shop a past: customers with about ten payments each over two years, most of them paid, and
 * connections that the latest of them bought. They live on nodes that are closed, as a past does.
 */
export const fillShop = async (pool: Pool, past = PAST): Promise<void> => {
  await Promise.all([moneyOf(past), goodsOf(past)].map((lane) => fillLane(pool, lane)))
  await pool.query('checkpoint')
}
