import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { anOrder, anOrderBody } from '#testing/orders.ts'
import { CARDS, challengeOf, connectionsOf, paymentRow, startPayment } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { anOwner, connectionRow, daysBetween, moveEnd, refundWhole, renew } from '#testing/renewals.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const order = (token: string | undefined, body: unknown) =>
  shop.call('POST', '/api/v1/orders', { token, body })

describe('a refund', () => {
  test('of what extended takes its days and its options back, and nothing else', async () => {
    const { customer, ids, rows } = await anOwner(shop)
    const { paymentId } = await renew(shop, customer, [ids[0] ?? ''], { features: { feature2: true } })
    await sql`update peers set revision = 7 where connection_id = ${ids[0]}`.execute(shop.db)
    await refundWhole(shop, paymentId)
    const row = await connectionRow(shop, ids[0] ?? '')
    expect(row).toMatchObject({ options: 0, filters_on: 0 })
    expect(Math.abs(daysBetween(rows[0]?.expires_at, row.expires_at))).toBeLessThan(1e-6)
    const { rows: unsent } = await sql`select from peers where connection_id = ${ids[0]} and revision is null
      and removed_at is null`.execute(shop.db)
    expect(unsent).toHaveLength(1)
    const made = await connectionsOf(shop, paymentId)
    expect(
      made.every(({ expires_at, removed_at }) => expires_at && expires_at <= new Date() && removed_at),
    ).toBe(true)
    const mail = await mailbox(shop).latest(customer.email, 'We have refunded')
    expect(mail.text).toMatch(/Hedgerow 1 now ends on \d\d\/\d\d\/\d{4}/)
    expect(mail.text).toContain('The other connections it bought have ended.')
  })

  test('of the first purchase leaves what the extension bought', async () => {
    const { customer, ids, paymentId: first } = await anOwner(shop)
    const { paymentId } = await renew(shop, customer, [ids[0] ?? ''])
    await refundWhole(shop, first)
    const [extended, other] = await Promise.all([
      connectionRow(shop, ids[0] ?? ''),
      connectionRow(shop, ids[1] ?? ''),
    ])
    const { ended_at } = await paymentRow(shop, paymentId)
    expect(daysBetween(ended_at, extended.expires_at)).toBeCloseTo(10, 5)
    expect(Number(other.expires_at)).toBeLessThanOrEqual(Date.now())
    expect((await order(customer.token, anOrderBody({ renew: [ids[0] ?? ''] }))).status).toBe(201)
    await refundWhole(shop, paymentId)
    expect(Number((await connectionRow(shop, ids[0] ?? '')).expires_at)).toBeLessThanOrEqual(Date.now())
    expectProblem(await order(customer.token, anOrderBody({ renew: [ids[0] ?? ''] })), 422)
  })

  test('of the first purchase, long used up, changes nothing of what came after', async () => {
    const { customer, ids, paymentId: first } = await anOwner(shop)
    const id = ids[0] ?? ''
    await moveEnd(shop, id, -20)
    await renew(shop, customer, [id])
    const before = await connectionRow(shop, id)
    await refundWhole(shop, first)
    expect(Math.abs(daysBetween(before.expires_at, (await connectionRow(shop, id)).expires_at))).toBeLessThan(
      1e-6,
    )
  })

  test('of a part leaves the days', async () => {
    const { customer, ids, rows } = await anOwner(shop)
    const { paymentId } = await renew(shop, customer, ids)
    await requestRefund(shop, { paymentId, amountMinor: 300 })
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Success')
    expect(daysBetween(rows[0]?.expires_at, (await connectionRow(shop, ids[0] ?? '')).expires_at)).toBe(10)
  })

  test('and an extension at once leave what the payments that stand bought', async () => {
    const { customer, ids, rows } = await anOwner(shop)
    const { paymentId } = await renew(shop, customer, ids)
    const ordered = await anOrder(shop, customer, { days: 5, renew: ids })
    const under = await startPayment(shop, customer, ordered, { pan: CARDS.challenged })
    await challengeOf(shop, under)
    await Promise.all([
      refundWhole(shop, paymentId),
      sendUpdate(shop, { paymentId: under, amountMinor: 500, currency: 'EUR', status: 'success' }),
    ])
    const row = await connectionRow(shop, ids[0] ?? '')
    expect(Math.abs(daysBetween(rows[0]?.expires_at, row.expires_at) - 5)).toBeLessThan(1e-6)
  })
})
