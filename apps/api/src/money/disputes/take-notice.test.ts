import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { dispute } from '#testing/disputes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const notice = (where: TestShop, body: unknown) => where.call('POST', '/api/v1/payment/chargebacks', { body })

const hintsIn = ({ db }: TestShop) =>
  db.selectFrom('dispute_hints').select(['payment_id', 'checked_at']).orderBy('payment_id').execute()

describe('POST /api/v1/payment/chargebacks', () => {
  test('keeps which paid payments of ours are named, and nothing else of what a stranger says', async () => {
    const { customer, paymentId } = await aPurchase(shop)
    const declined = await startPayment(shop, customer, await anOrder(shop, customer), {
      pan: CARDS.declined,
    })
    await reached(shop, declined, 'Decline')
    const items = [paymentId, paymentId, declined, 'f'.repeat(32), '', 7, null, { a: 1 }].map(
      (payment_id) => ({
        payment_id,
        chargeback_status: 'lost',
        sum_initial: { amount: 3000, currency: 'EUR' },
      }),
    )
    const reply = await notice(shop, { type: 'new_chargebacks', chargebacks: [...items, 'x', null, []] })
    expect([reply.status, reply.body]).toEqual([200, {}])
    const named = (await hintsIn(shop)).filter(({ payment_id }) => payment_id !== null)
    expect(named).toEqual([{ payment_id: paymentId, checked_at: null }])
    expect(await shop.db.selectFrom('disputes').selectAll().execute()).toEqual([])
  })

  test('keeps of a summary that there was one, and answers alike whatever was said', async () => {
    const bodies = [
      { type: 'new_chargebacks_summary', count: 3 },
      { new_pre_arbitration_summary: { count: 1 } },
      { type: 'hello' },
      { chargebacks: [{ payment_id: 'f'.repeat(32) }] },
      { chargebacks: 'all' },
      {},
    ]
    for (const body of bodies) expect(await notice(shop, body)).toMatchObject({ status: 200, body: {} })
    expect((await hintsIn(shop)).filter(({ payment_id }) => payment_id === null)).toHaveLength(1)
  })

  test.each([
    ['a list', []],
    ['a text', '"new_chargebacks_summary"'],
    ['nothing', ''],
  ])('refuses %s', async (_, body) => {
    const reply = await shop.call('POST', '/api/v1/payment/chargebacks', {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    expect([400, 422]).toContain(reply.status)
  })

  test.each([
    ['a bottomless nest', `{"chargebacks":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['a bottomless nest of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['what every object has', '{"type":"new_chargebacks_x","constructor":{"prototype":{"payment_id":"x"}}}'],
    ['another prototype', '{"chargebacks":[{"__proto__":{"payment_id":"x"}}]}'],
    ['characters that no text has', '{"chargebacks":[{"payment_id":"\\u0000\\ud800"}],"\\u0000":"\\ud800"}'],
    ['very many names', `{"chargebacks":[${'{"payment_id":"x"},'.repeat(3000)}1]}`],
  ])('comes to no harm by %s', async (_, body) => {
    const reply = await shop.call('POST', '/api/v1/payment/chargebacks', {
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect([200, 400]).toContain(reply.status)
  })

  test('reads no more than 64 kB, and looks at a hundred names', async () => {
    expectProblem(await notice(shop, { chargebacks: ['x'.repeat(70_000)] }), 413)
    const { paymentId } = await aPurchase(shop)
    const many = Array.from({ length: 100 }, () => ({ payment_id: 'f'.repeat(32) }))
    await notice(shop, { chargebacks: [...many, { payment_id: paymentId }] })
    expect((await hintsIn(shop)).map(({ payment_id }) => payment_id)).not.toContain(paymentId)
  })

  test('keeps so many hints that wait, and no more', async () => {
    const own = await startTestShop()
    const { customer, paymentId } = await aPurchase(own)
    const others = await Promise.all([aPurchase(own, {}, {}, customer), aPurchase(own, {}, {}, customer)])
    await sql`alter table dispute_hints drop constraint dispute_hints_payment_id_fkey`.execute(own.db)
    await sql`insert into dispute_hints (payment_id) select 'other-' || n from generate_series(1, 499) as n`.execute(
      own.db,
    )
    await notice(own, { chargebacks: [{ payment_id: paymentId }] })
    for (const other of others) await notice(own, { chargebacks: [{ payment_id: other.paymentId }] })
    expect((await hintsIn(own)).map(({ payment_id }) => payment_id)).toContain(paymentId)
    expect(await hintsIn(own)).toHaveLength(500)
  })

  test('counts by address', async () => {
    const own = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const replies = []
    for (let i = 0; i < 21; i++) replies.push((await notice(own, {})).status)
    expect(replies).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })
})

describe('a hint without a Data API', () => {
  test('is shown to the operator until they have looked, or opened the dispute', async () => {
    const own = await startTestShop()
    const { paymentId } = await aPurchase(own)
    await sql`update dispute_watch set asked_at = now() + interval '1 hour'`.execute(own.db)
    await notice(own, { chargebacks: [{ payment_id: paymentId }] })
    await notice(own, { type: 'new_arbitration_summary' })
    const alerts = async () =>
      (await runOps(opsSettings(own), 'overview', '--json')).json.alerts.map(
        ({ name }: { name: string }) => name,
      )
    // The gateway would have been asked by now.
    expect(await alerts()).not.toContain('DisputeHint')
    await sql`update dispute_hints set last_told_at = now() - interval '20 minutes'`.execute(own.db)
    expect(await alerts()).toContain('DisputeHint')
    const hinted = async () =>
      (await dispute(own, 'hints', '--json')).json.hints.map((hint: { paymentId: string }) => hint.paymentId)
    expect(await hinted()).toEqual(expect.arrayContaining([paymentId, null]))
    await dispute(own, 'open', paymentId)
    expect(await hinted()).not.toContain(paymentId)
    await dispute(own, 'checked', '--yes')
    expect(await alerts()).not.toContain('DisputeHint')
  })
})
