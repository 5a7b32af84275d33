import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { DEMO_CUSTOMER } from '#demo/demo-customer.ts'
import type { Customer, DemoDependencies, World } from '#demo/world.ts'
import { hashPassword } from '#people/passwords/passwords.ts'

/**
 * What was to be done meanwhile is not done any more: no mail of the past goes out, and none of its receipts are drawn. One
 * mail is left that was given up, for the list of jobs.
 */
export const dropJobs = async ({ db }: Pick<DemoDependencies, 'db'>): Promise<void> => {
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  await sql`delete from graphile_worker._private_job_queues`.execute(db)
  const { rows } = await sql<{ order_id: string }>`
    select order_id from invoices order by issued_at desc offset 9 limit 1`.execute(db)
  const [receipt] = rows
  if (!receipt) return
  await sql`select graphile_worker.add_job('mail-receipt', payload := ${JSON.stringify({ orderId: receipt.order_id })}::json,
    max_attempts := 25)`.execute(db)
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, created_at = now() - interval '26 hours',
    updated_at = now() - interval '2 hours', run_at = now() - interval '2 hours',
    last_error = '550 5.1.1 The mailbox does not exist'`.execute(db)
}

/** Most of what was bought is used, and every day: what the agents of the nodes would have reported. */
export const useConnections = ({ db }: Pick<DemoDependencies, 'db'>, seed: number) =>
  sql`
    with drawn as (
      select peers.id, peers.created_at,
        ('x' || substr(md5(${seed}::text || ordinal || connections.created_at::text), 1, 6))::bit(24)::int / 16777216.0 as chance,
        least(now(), coalesce(expires_at, now())) as until
      from peers join connections on connections.id = connection_id
    )
    update peers set
      first_connected_on = (drawn.created_at at time zone 'utc')::date,
      connected_on = greatest(drawn.created_at, drawn.until - make_interval(days => (power((chance * 97)::numeric % 1, 3) * 7)::int)) at time zone 'utc',
      bytes_received = (chance * chance * 2e9 * (1 + extract(epoch from drawn.until - drawn.created_at) / 86400))::bigint,
      bytes_sent = (chance * chance * 1.6e8 * (1 + extract(epoch from drawn.until - drawn.created_at) / 86400))::bigint
    from drawn where drawn.id = peers.id and chance > 0.22 and drawn.until >= drawn.created_at`.execute(db)

/** The days of the nodes on the status page: all minutes were watched, and nearly all were up. */
export const fillNodeDays = (
  { db }: Pick<DemoDependencies, 'db'>,
  { days, end }: Pick<World, 'days' | 'end'>,
) =>
  sql`
    insert into node_days (node_id, day, minutes_watched, minutes_up)
    select nodes.id, day, 1440, 1440 - case
        when nodes.name = 'London' and n = (${days} * 0.35)::int then 11
        when nodes.name = 'Frankfurt' and n = (${days} * 0.62)::int then 38
        when (n * 7 + length(nodes.name)) % 31 = 0 then 2 else 0 end
    from nodes, generate_series(1, ${days - 1}::int) as n,
      lateral (select (${new Date(end)}::timestamptz at time zone 'Europe/London')::date - n as day) as days
    where not is_demonstration
    on conflict (node_id, day) do update set
      minutes_watched = excluded.minutes_watched, minutes_up = excluded.minutes_up`.execute(db)

/** Someone to log in as: a customer with some history gets an address and a password that are printed. */
export const nameDemoCustomer = async (
  { db }: Pick<DemoDependencies, 'db'>,
  known: readonly Customer[],
): Promise<void> => {
  const { rows } = await sql<{ customer_id: string }>`
    select customer_id from payments where status = 'Success' and customer_id = any(${known.map(({ id }) => id)}::uuid[])
    group by customer_id
    order by count(*) filter (where refunded_minor = 0) > 1 desc,
      bool_or(exists (select from conversations where conversations.customer_id = payments.customer_id)) desc,
      bool_or(exists (select from connections where connections.customer_id = payments.customer_id
        and expires_at > now() + interval '5 days')) desc, count(*) desc, min(created_at) limit 1`.execute(db)
  const [chosen] = rows
  if (!chosen) return
  await db
    .updateTable('customers')
    .set({ email: DEMO_CUSTOMER.email, password_hash: await hashPassword(DEMO_CUSTOMER.password) })
    .where('id', '=', chosen.customer_id)
    .execute()
  await db.deleteFrom('sessions').where('customer_id', '=', chosen.customer_id).execute()
}

/** A thrown-away password's hash, for everyone else. */
export const unknownHash = () => hashPassword(randomUUID())
