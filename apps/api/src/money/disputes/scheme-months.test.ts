import { isoDay } from '@hedgerow/domain/dates'
import { addMonths, monthOf } from '@hedgerow/domain/periods'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dispute } from '#testing/disputes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const alertsOf = async (): Promise<{ name: string; count: number }[]> =>
  (await runOps(opsSettings(shop), 'overview', '--json')).json.alerts

test('disputes are held against each card scheme’s limit by month, and an alert comes before it is reached', async () => {
  const { paymentId, customer } = await aPurchase(shop)
  const present = monthOf(isoDay(new Date()))
  const before = addMonths(present, -1)
  // Of Visa this month, and of Mastercard the month before.
  await sql`
    with made as (
      insert into orders (id, customer_id, days, connections, options, total_minor, currency, expires_at, status)
      select gen_random_uuid(), ${customer.id}::uuid, 30, 3, 0, 1000, 'EUR', now(), 'Completed' from generate_series(1, 800)
      returning *
    ), paid as (
      insert into payments (id, order_id, customer_id, method, amount_minor, currency, charged_minor, charged_currency,
        status, pan_masked, created_at, ended_at, delivered_at)
      select replace(gen_random_uuid()::text, '-', ''), id, customer_id, 'card', total_minor, currency, total_minor, currency,
        'Success', case when at <= 400 then '400000******0077' else '525200******0004' end, now(),
        case when at <= 400 then now() else ${`${before}-15`}::timestamptz end, now()
      from (select made.*, row_number() over () as at from made) as made
      returning id, pan_masked
    )
    insert into disputes (payment_id, amount_minor, currency, reason, reason_group, status, respond_by, ended_at)
    select id, 1000, 'EUR', '10.4', 'fraud', 'won', now(), now() from (
      select id, row_number() over (partition by pan_masked order by id) as nth from paid) as one where nth <= 5`.execute(
    shop.db,
  )
  await sql`update payments set pan_masked = null where id = ${paymentId}`.execute(shop.db)
  const { json, code } = await dispute(shop, 'ratios', '--json')
  expect(code).toBe(0)
  const of = (month: string, scheme: string) =>
    json.months.find((one: { month: string; scheme: string }) => one.month === month && one.scheme === scheme)
  expect(of(present, 'Visa')).toEqual({
    ...{ month: present, scheme: 'Visa', disputes: 5, won: 5, counted: 10, over: 400 },
    ...{ ratio: '2.50%', limit: '1.5% and 1500', standing: 'near' },
  })
  expect(of(present, 'Mastercard')).toMatchObject({
    ...{ disputes: 5, counted: 5, over: 400, ratio: '1.25%', limit: '1.5% and 100', standing: 'near' },
  })
  expect(of(before, 'Mastercard')).toMatchObject({ disputes: 0, over: 0, ratio: null, standing: 'below' })
  expect(json.months).toHaveLength(24)
  expect(await alertsOf()).toContainEqual(expect.objectContaining({ name: 'DisputesNearLimit', count: 2 }))
  await sql`delete from disputes where payment_id in (select id from payments where pan_masked like '5%' limit 400)`.execute(
    shop.db,
  )
  await sql`update payments set pan_masked = null where pan_masked like '4%'`.execute(shop.db)
  expect(await alertsOf()).not.toContainEqual(expect.objectContaining({ name: 'DisputesNearLimit' }))
})
