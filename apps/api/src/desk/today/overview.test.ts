import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { URGENCIES, type Urgency } from '@hedgerow/contract/console/today'
import { runningVersion } from '@hedgerow/settings/running-version'
import type { Command } from 'commander'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { commandOfAlert } from '#care/overview/alert-commands.ts'
import { ALERT_SOURCES } from '#care/overview/alerts.ts'
import { getOverviewReport } from '#care/overview/overview.ts'
import { salesBySteps } from '#desk/today/today.queries.ts'
import { buildProgram } from '#ops.ts'
import { aCustomer } from '#testing/customers.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

type Told = {
  name: string
  count: number
  what: string
  urgency: Urgency
  since: string | null
  only: string | null
}

const aShop = async () => {
  const shop = await startTestShop()
  const overview = (...args: string[]) => runOps(opsSettings(shop), 'overview', ...args)
  const alerts = async (): Promise<Told[]> => (await overview('--json')).json.alerts
  return { shop, overview, alerts }
}

const paidAt = (shop: TestShop, paymentId: string, at: string) =>
  sql`update payments set ended_at = ${at} where id = ${paymentId}`.execute(shop.db)

describe('ops overview', () => {
  test('of a new shop says that nothing was sold, and what is not set up', async () => {
    const { overview } = await aShop()
    const { code, out } = await overview()
    expect(out).toMatch(/^Now +\d\d\/\d\d\/\d{4} \d\d:\d\d\nActive +connections 0, customers 0\n/)
    expect(out).toMatch(/\nNodes +demonstration 1\n/)
    expect(out).toMatch(/\nNothing was sold this month\.\nNothing is waiting for you\.\n$/)
    expect(code).toBe(0)
  })

  test('sums what was sold by currency and method, and what went back', async () => {
    const { shop, overview } = await aShop()
    const { paymentId } = await aPurchase(shop)
    await aPurchase(shop)
    await aPurchase(shop, { currency: 'GBP' })
    await sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at)
      values (${randomUUID()}, ${paymentId}, 300, 'operator', 'Success', now())`.execute(shop.db)
    const { json } = await overview('--json')
    const sum = (currency: string, minor: number) => ({ currency, minor })
    expect(json.revenue.sales).toEqual(
      ['today', 'week', 'month'].flatMap((period) => [
        { period, method: 'card', sold: sum('EUR', 6000), count: 2, back: sum('EUR', 300), refunds: 1 },
        { period, method: 'card', sold: sum('GBP', 3000), count: 1, back: sum('GBP', 0), refunds: 0 },
      ]),
    )
    expect(json.active).toEqual({ connections: 9, customers: 3 })
    expect(json.revenue.pounds.today).toBe(5217 + 3000)
    await sql`delete from accounting_rates`.execute(shop.db)
    expect((await overview('--json')).json.revenue.pounds).toMatchObject({ today: null, weekAgo: 0 })
    const { out } = await overview()
    expect(out).toMatch(/\ntoday +card +€60\.00 +2 +€3\.00 +1\n/)
  })

  test('counts no payment that bought nothing, and what went back of a currency in which nothing was sold', async () => {
    const { shop } = await aShop()
    await aPurchase(shop)
    const twice = (await aPurchase(shop)).paymentId
    await sql`update payments set refund_due = true, is_invoiced = false, delivered_at = null where id = ${twice}`.execute(
      shop.db,
    )
    const old = (await aPurchase(shop, { currency: 'GBP' })).paymentId
    await paidAt(shop, old, '2026-01-01T12:00:00Z')
    await sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at) values
      (${randomUUID()}, ${twice}, 3000, 'paid-twice', 'Success', now()),
      (${randomUUID()}, ${old}, 300, 'operator', 'Success', now())`.execute(shop.db)
    const [today] = (await getOverviewReport(shop, new Date(Date.now() + 1_000))).sales
    expect(today?.sums).toEqual([
      { currency: 'EUR', method: 'card', count: 1, minor: 3000, refunds: 0, refunded_minor: 0 },
      { currency: 'GBP', method: 'card', count: 0, minor: 0, refunds: 1, refunded_minor: 300 },
    ])
    const steps = await salesBySteps(shop.db, {
      step: 'day',
      by: 'currency',
      since: new Date(Date.now() - 86_400_000),
    })
    expect(steps.map(({ key, minor, count }) => [key, minor, count])).toEqual([['EUR', 3000, 1]])
  })

  test('counts the days as London has them, weeks from Monday', async () => {
    const { shop } = await aShop()
    const times = [
      '2026-06-30T22:30:00Z',
      '2026-06-30T23:30:00Z',
      '2026-06-28T23:30:00Z',
      '2026-06-28T22:30:00Z',
    ]
    for (const time of times) await paidAt(shop, (await aPurchase(shop)).paymentId, time)
    const { sales } = await getOverviewReport(shop, new Date('2026-07-01T12:00:00Z'))
    expect(sales.map(({ period, sums }) => [period, sums[0]?.count])).toEqual([
      ['today', 1],
      ['week', 3],
      ['month', 1],
    ])
  })

  test('tells each thing that waits, where to see it, and still exits with 0', async () => {
    const { shop, overview, alerts } = await aShop()
    const { customer, paymentId } = await aPurchase(shop)
    const stuck = await startPayment(shop, customer, await anOrder(shop, customer))
    const waits = (await aPurchase(shop)).paymentId
    const byHand = (await aPurchase(shop)).paymentId
    const still = (await aPurchase(shop)).paymentId
    expect((await alerts()).map(({ name }) => name)).toEqual([])
    await sql`update payments set status = 'processing', ended_at = null, delivered_at = null,
      next_check_at = null, created_at = now() - interval '31 minutes' where id = ${stuck}`.execute(shop.db)
    await sql`update payments set delivered_at = null where id = ${waits}`.execute(shop.db)
    await sql`insert into refunds (id, payment_id, amount_minor, reason, status, is_by_hand, ended_at) values
      (gen_random_uuid(), ${byHand}, 300, 'operator', 'Pending', true, null),
      (gen_random_uuid(), ${paymentId}, 300, 'operator', 'Decline', false, now() - interval '40 days')`.execute(
      shop.db,
    )
    await sql`insert into refunds (id, payment_id, amount_minor, reason, created_at)
      values (gen_random_uuid(), ${still}, 300, 'operator', now() - interval '20 days')`.execute(shop.db)
    await sql`insert into failing_invoices (payment_id, next_try_at)
      values (${byHand}, now() + interval '1 hour')`.execute(shop.db)
    await sql`update rates set set_at = now() - interval '31 days' where currency = 'EUR'`.execute(shop.db)
    await sql`update payments set method = 'blik' where id = ${still}`.execute(shop.db)
    const tested = await startPayment(shop, customer, await anOrder(shop, customer), { pan: CARDS.declined })
    await reached(shop, tested, 'Decline')
    const other = await startPayment(shop, customer, await anOrder(shop, customer), { pan: CARDS.declined })
    await reached(shop, other, 'Decline')
    await sql`update payments set status = 'Error', refund_due = true, received_minor = 1200, received_currency = 'USD'
      where id = ${other}`.execute(shop.db)
    await sql`insert into refunds (id, payment_id, amount_minor, reason)
      values (gen_random_uuid(), ${other}, 1200, 'other-sum')`.execute(shop.db)
    await sql`insert into velocity_counts (key, kind, payment_ids, most, minutes, tried_at)
      values ('account', 'account', ${[tested]}, 1, 60, now()), ('order', 'order', ${[tested]}, 1, 60, now())`.execute(
      shop.db,
    )
    // Four more, of payments that are not here.
    await sql`insert into returned_purchases (kind, key, payment_id)
      select 'card', 'card', id from unnest(${[tested, '1', '2', '3', '4']}::text[]) as id`.execute(shop.db)
    for (const kind of ['support', 'application'])
      await sql`insert into conversations (id, kind, customer_id, name)
        values (gen_random_uuid(), ${kind}, ${customer.id}, 'Ada')`.execute(shop.db)
    await sql`insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, seen_at, revision,
        list_names, list_times)
      values (gen_random_uuid(), 'Silent', 'vpn:1', 'k', '10.7.0.0/24', 'fd77::/64', 'hash', now() - interval '1 hour', 0,
        '{"ads": 0}', '{"ads": 0}')`.execute(shop.db)
    await sql`with one as (update connections set options = 2 where id = (
        select id from connections where payment_id = ${paymentId} order by ordinal limit 1) returning id)
      update peers set node_id = (select id from nodes where name = 'Silent'), position = 99
      where connection_id = (select id from one)`.execute(shop.db)
    await sql`insert into nodes (id, name, endpoint, public_key, ipv4, ipv6, agent_hash, seen_at, revision,
        agent_version, faults)
      values (gen_random_uuid(), 'Failing', 'vpn:4', 'k2', '10.6.0.0/24', 'fd76::/64', 'hash2', now(), 0,
        ${runningVersion().version}, 'Names are not resolved.')`.execute(shop.db)
    await sql`insert into nodes (id, name, endpoint, ipv4, ipv6, is_open) values
      (gen_random_uuid(), 'Full', 'vpn:2', '10.8.0.0/24', 'fd78::/64', true),
      (gen_random_uuid(), 'Drained', 'vpn:3', '10.9.0.0/24', 'fd79::/64', false)`.execute(shop.db)
    await sql`insert into free_addresses (node_id, position, available_at)
      select id, n, now() + interval '1 day' from nodes, generate_series(3, 250) as n
      where name in ('Full', 'Drained')`.execute(shop.db)
    await sql`insert into cancellation_statements (id, name, email, contract, message, is_acknowledged)
      values (gen_random_uuid(), 'Ada', 'ada@example.org', 'all of it', '', true)`.execute(shop.db)
    // One partner, in both currencies.
    await sql`insert into withdrawals (id, partner_id, currency, amount_minor, method, details_encrypted, ends_with)
      select gen_random_uuid(), ${customer.id}::uuid, currency, 26000, 'iban', '', '' from unnest(array['EUR', 'GBP']) as currency`.execute(
      shop.db,
    )
    await sql`insert into unreadable_secrets (sealed_hash, place, row_id)
      select sha256(details_encrypted), 'withdrawal', id from withdrawals limit 1`.execute(shop.db)
    await sql`select graphile_worker.add_job('mail-receipt', '{}', run_at := now() + interval '1 hour')`.execute(
      shop.db,
    )
    await sql`update graphile_worker._private_jobs set attempts = 1, last_error = 'refused'
      where run_at > now() + interval '50 minutes' and key is null`.execute(shop.db)
    await sql`select graphile_worker.add_job('mail-receipt', '{}', run_at := now() + interval '1 hour', job_key := 'held:1')`.execute(
      shop.db,
    )
    await sql`insert into operator_actions (id, who, command, arguments)
      values (gen_random_uuid(), 'shop', 'record check', '{}')`.execute(shop.db)
    await sql`select graphile_worker.add_job('no-such-task', '{}', max_attempts := 1)`.execute(shop.db)
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where task_id =
      (select id from graphile_worker._private_tasks where identifier = 'no-such-task')`.execute(shop.db)
    await sql`select graphile_worker.add_job('not-run-here', '{}', run_at := now() - interval '6 minutes')`.execute(
      shop.db,
    )
    await sql`with run as (
        insert into settlement_runs (id, kind, period_from, period_to, ended_at)
        values (gen_random_uuid(), 'fetch', now() - interval '1 day', now(), now()) returning id)
      insert into settlement_operations (id, kind, type, status, initial_minor, initial_currency, booked_minor,
        booked_currency, fee_minor, completed_at, run_id, standing)
      select 'op-1', 'sale', 'sale', 'success', 3000, 'EUR', 3000, 'EUR', 0, now(), id, 'unknown' from run`.execute(
      shop.db,
    )
    await sql`insert into disputes (payment_id, amount_minor, currency, respond_by)
      values (${paymentId}, 100, 'EUR', now() + interval '3 days')`.execute(shop.db)
    // Many for the few payments that there are.
    await sql`insert into disputes (payment_id, amount_minor, currency, status, respond_by, ended_at)
      select ${paymentId}, 100, 'EUR', 'won', now(), now() from generate_series(1, 5)`.execute(shop.db)
    await sql`insert into dispute_hints (payment_id, last_told_at) values (null, now() - interval '1 hour')`.execute(
      shop.db,
    )
    await sql`insert into unknown_payments (payment_id, status, amount_minor, currency) values
      (md5('paid'), 'Success', 3000, 'EUR'), (md5('declined'), 'Decline', 3000, 'EUR')`.execute(shop.db)
    await sql`delete from accounting_rates
      where day = date_trunc('month', now() at time zone 'Europe/London')`.execute(shop.db)
    await sql`update connections set keys_every_days = 7, keys_renew_on = current_date - 3, keys_told_on = current_date - 3
      where id = (select id from connections limit 1)`.execute(shop.db)
    await sql`insert into shop_checks (name, machine, state, says) values ('disk', 'a', 'problem', 'full'), ('mail', '', 'ok', 'answers')`.execute(
      shop.db,
    )
    await sql`insert into webhook_endpoints (id, url, events, secret_encrypted, failing_since)
      values (gen_random_uuid(), 'https://x.example', '{}', '', now() - interval '2 hours')`.execute(shop.db)
    const told = await alerts()
    const dated = told.filter(({ what }) => /, to be refunded by \d\d\/\d\d\/\d{4}$/.test(what))
    expect(dated.map(({ name }) => name).toSorted()).toEqual([
      'CancellationAsked',
      'RefundByHand',
      'RefundRefused',
    ])
    expect(told.map(({ name, count }) => [name, count]).toSorted()).toEqual(
      ALERT_SOURCES.map(({ name }) => [name, name === 'WithdrawalAsked' ? 2 : 1]).toSorted(),
    )
    // The most pressing first, and of those what has waited longest.
    const order = told.map(({ urgency }) => URGENCIES.indexOf(urgency))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    for (const urgency of URGENCIES) {
      const ages = told.flatMap((one) => (one.urgency === urgency && one.since ? [one.since] : []))
      expect(ages).toEqual(ages.toSorted())
    }
    // A gateway is to be answered within three days; a refund that is owed for 40 is overdue.
    expect(told.find(({ name }) => name === 'DisputeOpen')?.urgency).toBe('today')
    expect(told.find(({ name }) => name === 'RefundRefused')).toMatchObject({
      urgency: 'now',
      only: paymentId,
    })
    expect(told.find(({ name }) => name === 'NodeDown')?.only).toBe('Silent')
    expect(told.find(({ name }) => name === 'WithdrawalAsked')?.what).toBe(
      '2 withdrawals are waiting to be paid',
    )
    const { code, out } = await overview()
    expect(out).toMatch(
      /\nALERT +WHAT +SEE\n[\s\S]*\n?PaidOrderWaits +1 paid order has no room +payment list --only no-room\n/,
    )
    expect(code).toBe(0)
    for (const [only, id] of [
      ['no-room', waits],
      ['stuck', stuck],
      ['invoice-failing', byHand],
      ['other-sum', other],
      ['refund-by-hand', byHand],
      ['card-testing', tested],
      ['cancelled-often', tested],
      ['refund-refused', paymentId],
      ['refund-stuck', still],
    ] as const) {
      const { json } = await runOps(opsSettings(shop), 'payment', 'list', '--only', only, '--json')
      expect(json.rows.map(({ id }: { id: string }) => id)).toEqual([id])
    }
    const rules = await readFile(
      new URL('../../../../../deploy/prometheus/alerts.yml', import.meta.url),
      'utf8',
    )
    const SEVERITIES = { page: 'now', ticket: 'today', note: 'later' } as const
    const severities = new Map(
      [...rules.matchAll(/alert: (\w+)[\s\S]*?severity: (\w+)/g)].map(([, name, severity]) => [
        name,
        severity,
      ]),
    )
    for (const { name, urgency } of ALERT_SOURCES)
      expect(`${name} ${SEVERITIES[severities.get(name) as keyof typeof SEVERITIES]}`).toBe(
        `${name} ${urgency}`,
      )
    const incidents = await readFile(new URL('../../../../../docs/incidents.md', import.meta.url), 'utf8')
    for (const { name } of told) expect(incidents).toContain(`\n## ${name}\n`)
  })

  test('a currency that is paid by Blik at an old rate is told', async () => {
    const { shop, alerts } = await aShop()
    await sql`update rates set set_at = now() - interval '31 days'`.execute(shop.db)
    expect(await alerts()).toEqual([])
    const { paymentId } = await aPurchase(shop)
    await sql`update payments set method = 'blik' where id = ${paymentId}`.execute(shop.db)
    expect(await alerts()).toContainEqual(
      expect.objectContaining({ name: 'RateOld', what: '1 currency has no rate from the last 30 days' }),
    )
  })

  test('many things at once are summed exactly', async () => {
    const { shop, overview } = await aShop()
    const customer = await aCustomer(shop)
    await sql`
      with made as (
        insert into orders (id, customer_id, days, connections, options, total_minor, currency, status, expires_at)
        select gen_random_uuid(), ${customer.id}, 30, 3, 0, 2147483647, 'GBP', 'Completed', now()
        from generate_series(1, 1000) returning id)
      insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor,
        charged_currency, status, ended_at, delivered_at, is_invoiced)
      select replace(id::text, '-', ''), id, ${customer.id}, 'card', 2147483647, 'GBP', 2147483647, 'GBP', 'Success',
        now(), now(), true from made`.execute(shop.db)
    const { json } = await overview('--json')
    expect(json.revenue.sales[0]).toMatchObject({ count: 1000, sold: { minor: 2_147_483_647_000 } })
  })

  test('names for each thing that waits a command that there is, with its options', async () => {
    const program = await buildProgram()
    for (const { list, filters = {} } of ALERT_SOURCES) {
      const typed = commandOfAlert({ list, filters })
      const [words = '', ...options] = typed.split(' --')
      const found = words
        .split(' ')
        .reduce<Command | undefined>(
          (command, word) => command?.commands.find((one) => one.name() === word),
          program,
        )
      for (const option of options) {
        const [name, value] = option.split(' ')
        const taken = found?.options.find(({ long }) => long === `--${name}`)
        if (value === undefined) expect(taken?.isBoolean(), typed).toBe(true)
        else expect(taken?.argChoices ?? [], typed).toContain(value)
      }
      expect(found, typed).toBeDefined()
    }
  })
})
