import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Check } from '#care/doctor/check.ts'
import { salesFinding } from '#care/doctor/sale-checks.ts'
import { listShopChecks } from '#care/doctor/shop-checks.ts'
import { watchShop } from '#care/doctor/watch-shop.ts'
import { ok, problem, warning } from '#platform/doctor/finding.ts'
import { postpone } from '#testing/jobs.ts'
import { metric } from '#testing/metrics.ts'
import { startTestShop } from '#testing/test-shop.ts'

const check = (name: string, ...found: ReturnType<typeof ok>[]): Check => ({ name, look: async () => found })
const FULL = problem('0.1 GiB free', 'Make room.')

describe('what the running shop looks at all the while', () => {
  test('is kept at its worst, and since when; a problem that lasts is told once, and again when it comes back', async () => {
    const shop = await startTestShop()
    await postpone(shop, 'send-webhooks')
    await sql`insert into webhook_endpoints (id, url, events, secret_encrypted)
      values (gen_random_uuid(), 'https://hooks.example', '{check.failed,check.recovered}', '')`.execute(
      shop.db,
    )
    const look = (...checks: Check[]) => watchShop({ db: shop.db, settings: shop.settings }, checks)
    const older = () => sql`update shop_checks set since = since - interval '1 minute'`.execute(shop.db)
    const told = async () =>
      (await mailbox(shop).list(shop.settings.operatorEmail, 'A check of the shop failed: attic')).length
    await look(check('attic', ok('fine'), warning('low', 'Look.'), FULL), check('cellar', ok('answers')))
    expect(await listShopChecks(shop.db)).toMatchObject([
      { name: 'attic', state: 'problem', says: '0.1 GiB free', act: 'Make room.' },
      { name: 'cellar', state: 'ok', says: 'answers', act: null },
    ])
    expect(await told()).toBe(0)
    await older()
    for (let n = 0; n < 3; n++) await look(check('attic', FULL), check('cellar', ok('answers')))
    await until(async () => (await told()) === 1)
    await look(check('attic', ok('fine')))
    await look(check('attic', FULL))
    await older()
    await look(check('attic', FULL))
    await until(async () => (await told()) === 2)
    const events = await shop.db.selectFrom('webhook_deliveries').selectAll().orderBy('happened_at').execute()
    expect(events.map(({ event, data }) => [event, data])).toMatchObject([
      ['check.failed', { check: 'attic', state: 'problem', says: '0.1 GiB free', act: 'Make room.' }],
      ['check.recovered', { check: 'attic', state: 'ok', says: 'fine' }],
      ['check.failed', { check: 'attic', state: 'problem' }],
    ])
  })

  test('says so of a gateway that refuses the shop’s secret, before any customer meets it', async () => {
    const shop = await startTestShop()
    const { gate } = shop.settings
    await watchShop({
      db: shop.db,
      settings: { ...shop.settings, gate: gate && { ...gate, secret: 'another' } },
    })
    expect((await listShopChecks(shop.db)).find(({ name }) => name === 'gateway')).toMatchObject({
      state: 'problem',
      says: expect.stringContaining('refuses a signed call'),
      act: expect.stringContaining('GATE_SECRET'),
    })
    expect(await metric(shop, 'hedgerow_check_failing', { check: 'gateway' })).toBe(1)
    expect(await metric(shop, 'hedgerow_check_failing', { check: 'mail' })).toBe(0)
  })
})

describe('the last payments', () => {
  const attempts = (...statuses: ('Success' | 'Decline' | 'Error')[]) =>
    statuses.map((status, at) => ({
      status,
      customer_id: `${at}`,
      created_at: new Date(Date.now() - at * 1000),
    }))

  test.each([
    ['none at all', attempts()],
    [
      'one stranger whose payments fail again and again',
      attempts('Error', 'Error', 'Error', 'Error').map((one) => ({ ...one, customer_id: 'a' })),
    ],
    ['two that failed', attempts('Error', 'Error')],
    ['four that banks declined', attempts('Decline', 'Decline', 'Decline', 'Decline')],
    ['a success after many', attempts('Success', 'Error', 'Error', 'Error', 'Error')],
    [
      'one customer with five cards',
      attempts('Decline', 'Decline', 'Decline', 'Decline', 'Decline').map((one) => ({
        ...one,
        customer_id: 'a',
      })),
    ],
  ])('are well with %s', (_, those) => {
    expect(salesFinding(those).state).toBe('ok')
  })

  test.each([
    ['three without the bank’s word', attempts('Error', 'Decline', 'Error', 'Error', 'Success')],
    ['five declined of as many customers', attempts('Decline', 'Decline', 'Decline', 'Decline', 'Decline')],
  ])('are a problem with %s', (_, those) => {
    expect(salesFinding(those)).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/^none of the last/),
    })
  })
})
