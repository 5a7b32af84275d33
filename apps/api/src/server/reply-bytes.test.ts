import { type Endpoint, replyBytesOf } from '@hedgerow/contract/endpoint'
import * as endpoints from '@hedgerow/contract/endpoints'
import { CONVERSATION_TEXT, MOST_UNANSWERED } from '@hedgerow/domain/conversations'
import { MOST_PASSKEYS } from '@hedgerow/domain/passkeys'
import { CONNECTIONS } from '@hedgerow/domain/pricing'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { LISTED_AT_ONCE } from '#platform/http/list-page.ts'
import { aFullAccount } from '#testing/full-account.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

/** More than any page lists. */
const MANY = 250

/** Adds copies of one of the customer's rows, each with changes of its own; `n` is its number. */
const multiply = async (
  { db }: TestShop,
  table: string,
  { times, where, changes }: { times: number; where: RawBuilder<unknown>; changes: RawBuilder<unknown> },
): Promise<void> => {
  const { rows } = await sql<{ name: string }>`select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`.execute(
    db,
  )
  const columns = rows.map(({ name }) => sql.ref(name))
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(columns)})
    select ${sql.join(columns)} from (
      select (jsonb_populate_record(one, ${changes})).* from ${sql.table(table)} as one, generate_series(1, ${times}::int) as n
      where one.ctid = (select ctid from ${sql.table(table)} where ${where} limit 1)
    ) as copies`.execute(db)
  expect([table, Number(numAffectedRows)]).toEqual([table, times])
}

const id = sql`jsonb_build_object('id', gen_random_uuid())`

/** An account in which everything is as often, and as long, as the shop lets it be. Returns what opens its records. */
const aBrimmingAccount = async (shop: TestShop) => {
  const customer = await aFullAccount(shop)
  const ofCustomer = sql`customer_id = ${customer.id}`
  const bought = () => aPurchase(shop, { connections: CONNECTIONS.max }, {}, customer)
  const { paymentId } = await bought()
  for (let times = CONNECTIONS.max; times < LISTED_AT_ONCE; times += CONNECTIONS.max) await bought()
  await sql`update connections set name = repeat('€', 50) where customer_id = ${customer.id}`.execute(shop.db)
  const text = '€'.repeat(CONVERSATION_TEXT.max)
  await multiply(shop, 'orders', { times: MANY, where: sql`${ofCustomer} and plan_id is null`, changes: id })
  await multiply(shop, 'payments', {
    times: MANY,
    where: sql`${ofCustomer} and status = 'Decline'`,
    changes: sql`jsonb_build_object('id', md5(n::text))`,
  })
  await multiply(shop, 'sessions', {
    times: MANY,
    where: ofCustomer,
    changes: sql`jsonb_build_object('id', gen_random_uuid(), 'token_hash', sha256(n::text::bytea))`,
  })
  await multiply(shop, 'conversations', {
    times: MANY,
    where: sql`${ofCustomer} and kind = 'support'`,
    changes: sql`jsonb_build_object('id', gen_random_uuid(), 'name', repeat('€', 100), 'last_message_at', now())`,
  })
  // As many as are taken in a year without an answer.
  await sql`insert into conversation_messages (id, conversation_id, author, text)
    select gen_random_uuid(), id, 'customer', ${text}
    from (select id from conversations where customer_id = ${customer.id} order by last_message_at desc limit 200) as latest,
      generate_series(1, ${(12 * MOST_UNANSWERED.ofAccount) / 200}::int)`.execute(shop.db)
  // Of quotes a byte in the database is two in the answer.
  await sql`insert into conversation_messages (id, conversation_id, author, text, created_at)
    select gen_random_uuid(), latest.id, 'operator', repeat('"', ${CONVERSATION_TEXT.max}::int), now() - n * interval '1 hour'
    from (select id from conversations where customer_id = ${customer.id} order by last_message_at desc, id limit 1) as latest,
      generate_series(1, 60) as n`.execute(shop.db)
  // And strangers write under its address.
  await sql`with asked as (
      insert into conversations (id, kind, name, email, link_hash)
      select gen_random_uuid(), 'support', 'Eve', ${customer.email}, sha256(n::text::bytea)
      from generate_series(1, 1500) as n returning id)
    insert into conversation_messages (id, conversation_id, author, text) select gen_random_uuid(), id, 'customer', ${text} from asked`.execute(
    shop.db,
  )
  await sql`insert into cancellation_statements (id, name, email, contract, message, is_acknowledged)
    select gen_random_uuid(), 'Eve', ${customer.email}, 'all', ${text}, true from generate_series(1, 1500)`.execute(
    shop.db,
  )
  // Refusals of an hour are one row.
  await multiply(shop, 'security_events', {
    times: MANY,
    where: sql`${ofCustomer} and hour is null`,
    changes: sql`'{}'::jsonb`,
  })
  await multiply(shop, 'withdrawals', {
    times: MANY,
    where: sql`partner_id = ${customer.id}`,
    changes: sql`jsonb_build_object('id', gen_random_uuid(), 'status', 'refused', 'reference', null, 'reason', repeat('€', 500))`,
  })
  await sql`insert into passkeys (id, customer_id, credential_id, public_key, counter, transports, is_synced, name)
    select gen_random_uuid(), ${customer.id}, sha256(n::text::bytea), sha256('key'), 0, '{}', false, repeat('€', 60)
    from generate_series(1, ${MOST_PASSKEYS}::int) as n`.execute(shop.db)
  const idOf = async (table: string, where: RawBuilder<unknown>) => {
    const { rows } = await sql<{
      id: string
    }>`select id from ${sql.table(table)} where ${where} limit 1`.execute(shop.db)
    return rows[0]?.id ?? ''
  }
  const success = sql`${ofCustomer} and status = 'Success'`
  return {
    token: customer.token,
    paymentId,
    connectionId: await idOf('connections', ofCustomer),
    withdrawalId: await idOf('withdrawals', sql`partner_id = ${customer.id} and status = 'paid'`),
    sessionId: '',
    'orders/:id': await idOf('orders', sql`${ofCustomer} and status = 'Completed' and plan_id is null`),
    'refunds/:id': await idOf(
      'refunds',
      sql`payment_id in (select id from payments where ${success}) and status = 'Success'`,
    ),
  }
}

const READS = Object.values<unknown>(endpoints).filter(
  (one): one is Endpoint =>
    typeof one === 'object' &&
    one !== null &&
    'access' in one &&
    one.access === 'signed-in' &&
    (one as Endpoint).method === 'GET',
)

let account: Awaited<ReturnType<typeof aBrimmingAccount>>
beforeAll(async () => {
  account = await aBrimmingAccount(shop)
})

test.each(READS.map((read) => [read.url, read] as const))(
  'the largest answer of %s is bounded',
  async (url, read) => {
    const path = url
      .replace(
        /(orders|refunds)\/:id/,
        (found, list: string) => `${list}/${account[found as 'orders/:id'] ?? list}`,
      )
      .replace(/:(\w+)/g, (_, name: string) => String(account[name as 'paymentId']))
    const reply = await shop.call('GET', path, { token: account.token })
    expect([path, reply.status]).toEqual([path, 200])
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(replyBytesOf(read))
  },
)
