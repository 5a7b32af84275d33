import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { findPayment } from '#money/payments/payments.queries.ts'
import { completePurchase } from '#money/payments/updates/complete-purchase.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { expireConnection, revokeConnection } from '#network/connections/end-connection.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { aThirdUsed, cancel, isOver, letDaysPass, preview, refundsEnded } from '#testing/cancellations.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { aWaitingPurchase, connectionsOf, paymentRow } from '#testing/payments.ts'
import { anOwner, connectionRow, daysBetween, refundWhole, renew } from '#testing/renewals.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe('of a connection that several payments bought', () => {
  test('an extension that is cancelled leaves the first purchase, with its end and its options', async () => {
    const { customer, ids, rows } = await anOwner(shop)
    const { paymentId } = await renew(shop, customer, ids, { features: { feature2: true } })
    await letDaysPass(shop, customer, 5)
    const { body } = await preview(shop, customer, paymentId)
    expect(body.refund).toBeGreaterThan(0)
    expect(body.connections.map(({ endsAtOnce }: { endsAtOnce: boolean }) => endsAtOnce)).toEqual([
      false,
      false,
      false,
    ])
    const { charged_minor } = await paymentRow(shop, paymentId)
    const done = await cancel(shop, customer, paymentId)
    expect(done.body.refund).toBe(charged_minor / 100)
    expect(done.body.connections).toEqual(body.connections)
    const row = await connectionRow(shop, ids[0] ?? '')
    expect(daysBetween(rows[0]?.expires_at, row.expires_at)).toBeCloseTo(-5, 4)
    expect(row).toMatchObject({ options: 0, filters_on: 0 })
    expect(
      (await connectionsOf(shop, row.payment_id ?? '')).every(({ removed_at }) => removed_at === null),
    ).toBe(true)
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled')
    expect(mail.text.replace(/\s+/g, ' ')).toMatch(/Hedgerow 1, 2 and 3 now end on/)
  })

  test('the first purchase gives back what it has not used, and the extension follows at once', async () => {
    const { customer, ids, paymentId } = await anOwner(shop)
    const { paymentId: extension } = await renew(shop, customer, ids)
    await letDaysPass(shop, customer, 5)
    expect((await cancel(shop, customer, paymentId)).body.refund).toBe(25)
    const { cancelled_at } = await paymentRow(shop, paymentId)
    const row = await connectionRow(shop, ids[0] ?? '')
    expect(daysBetween(cancelled_at, row.expires_at)).toBeCloseTo(10, 4)
    await letDaysPass(shop, customer, 2)
    const { charged_minor } = await paymentRow(shop, extension)
    const { body } = await cancel(shop, customer, extension)
    expect(body.refund).toBe((charged_minor - Math.round(charged_minor / 5)) / 100)
    expect(body.connections.every(({ endsAtOnce }: { endsAtOnce: boolean }) => endsAtOnce)).toBe(true)
    expectProblem(
      await shop.call('POST', '/api/v1/orders', {
        token: customer.token,
        body: { ...(await anOrder(shop, customer)), renew: ids },
      }),
      422,
    )
  })

  test('both cancelled at once come to the same as one after the other', async () => {
    const { customer, ids, paymentId } = await anOwner(shop)
    const { paymentId: extension } = await renew(shop, customer, ids)
    await letDaysPass(shop, customer, 6)
    const { charged_minor } = await paymentRow(shop, extension)
    const both = await Promise.all([cancel(shop, customer, paymentId), cancel(shop, customer, extension)])
    expect(both.map(({ body }) => body.refund)).toEqual([24, charged_minor / 100])
    expect(await isOver(shop, paymentId)).toBe(true)
  })

  test('what a refund of the rest leaves out later does not bring back', async () => {
    const { customer, paymentId } = await aThirdUsed(shop)
    await cancel(shop, customer, paymentId)
    await refundsEnded(shop, paymentId)
    await refundWhole(shop, paymentId)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 3000 })
    expect(await isOver(shop, paymentId)).toBe(true)
  })
})

describe('a goodwill refund leaves the end of what came after', () => {
  const endOfExtended = async (ids: readonly string[]) => (await connectionRow(shop, ids[0] ?? '')).expires_at

  test('of the rest of a purchase that was cancelled', async () => {
    const { customer, ids, paymentId } = await anOwner(shop)
    await renew(shop, customer, ids)
    await letDaysPass(shop, customer, 5)
    await cancel(shop, customer, paymentId)
    await refundsEnded(shop, paymentId)
    const before = await endOfExtended(ids)
    await refundWhole(shop, paymentId)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 3000 })
    expect(await endOfExtended(ids)).toEqual(before)
  })

  test('of a purchase that is used up', async () => {
    const { customer, ids, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 20)
    await renew(shop, customer, ids)
    await letDaysPass(shop, customer, 12)
    const before = await endOfExtended(ids)
    await refundWhole(shop, paymentId)
    expect(await endOfExtended(ids)).toEqual(before)
  })

  test('of a purchase that a dispute has ended', async () => {
    const { customer, ids, paymentId } = await anOwner(shop)
    await renew(shop, customer, ids)
    await letDaysPass(shop, customer, 5)
    const before = await endOfExtended(ids)
    await sql`update payments set ended_by_dispute_at = now() where id = ${paymentId}`.execute(shop.db)
    await requestRefund(shop, { paymentId, amountMinor: 1000 })
    await refundsEnded(shop, paymentId)
    await refundWhole(shop, paymentId)
    const row = await connectionRow(shop, ids[0] ?? '')
    // Ten days from when the dispute ended what came before.
    expect(daysBetween(new Date(), row.expires_at)).toBeCloseTo(10, 2)
    expect(Number(row.expires_at)).toBeLessThan(Number(before))
  })
})

describe('what was ended stays ended', () => {
  test('by the operator, though what extended it since is given back', async () => {
    const { customer, paymentId, ids } = await anOwner(shop)
    await requestRefund(shop, { paymentId, amountMinor: 2900 })
    await refundsEnded(shop, paymentId)
    await letDaysPass(shop, customer, 20)
    for (const id of ids) await expireConnection(shop, id)
    await letDaysPass(shop, customer, 0.01)
    const { paymentId: extension } = await renew(shop, customer, ids)
    expect(daysBetween(new Date(), (await connectionRow(shop, ids[0] ?? '')).expires_at)).toBeCloseTo(10, 2)
    await refundWhole(shop, extension)
    for (const id of ids)
      expect(Number((await connectionRow(shop, id)).expires_at)).toBeLessThanOrEqual(Date.now())
  })

  test('by the operator, and what was not used by then goes back when it is cancelled', async () => {
    const { customer, paymentId, ids } = await anOwner(shop)
    await letDaysPass(shop, customer, 3)
    for (const id of ids) await revokeConnection(shop, id)
    await letDaysPass(shop, customer, 7)
    expect((await cancel(shop, customer, paymentId)).body).toMatchObject({ refund: 27, connections: [] })
  })

  test('by a cancellation, though what extended it since is given back', async () => {
    const { customer, paymentId, ids } = await anOwner(shop)
    const { paymentId: extension } = await renew(shop, customer, ids)
    await letDaysPass(shop, customer, 5)
    await cancel(shop, customer, paymentId)
    await refundWhole(shop, extension)
    expect(await isOver(shop, paymentId)).toBe(true)
  })

  test('by a cancellation, though the gateway refuses the money', async () => {
    const { customer, paymentId } = await aThirdUsed(shop)
    await cancel(shop, customer, paymentId)
    await refundsEnded(shop, paymentId)
    await sql`update refunds set status = 'Decline' where payment_id = ${paymentId}`.execute(shop.db)
    await sql`update payments set refunded_minor = 0 where id = ${paymentId}`.execute(shop.db)
    expect(await isOver(shop, paymentId)).toBe(true)
    expectProblem(await preview(shop, customer, paymentId), 409)
    expect(await requestRefund(shop, { paymentId, amountMinor: 2000 })).toMatchObject({ kind: 'recorded' })
  })
})

describe('what waits for room', () => {
  test('gives all back, and is never delivered', async () => {
    const small = await startTestShop()
    const { customer, paymentId } = await aWaitingPurchase(small)
    expect(await paymentRow(small, paymentId)).toMatchObject({ delivered_at: null })
    await letDaysPass(small, customer, 3)
    const { body } = await preview(small, customer, paymentId)
    expect(body).toMatchObject({ connections: [] })
    const { charged_minor } = await paymentRow(small, paymentId)
    const { body: done } = await cancel(small, customer, paymentId)
    expect(done.refund).toBe(charged_minor / 100)
    await sql`update nodes set is_open = true`.execute(small.db)
    // As though the money were still on its way.
    await sql`update payments set refunded_minor = 0 where id = ${paymentId}`.execute(small.db)
    await hurry(small, 'deliver-payment')
    await queueIsEmpty(small)
    // A delivery that began before.
    const keyCipher = createKeyCipher(small.settings.keyEncryptionKey)
    const { db, settings } = small
    const read = await findPayment(db, paymentId)
    if (!read) throw new Error('There is no payment')
    const late = { ...read, cancelled_at: null }
    expect(await completePurchase({ db, settings, keyCipher }, late, {}, undefined)).toBe('changed')
    expect(await connectionsOf(small, paymentId)).toHaveLength(0)
    const mail = await mailbox(small).latest(customer.email, 'You have cancelled')
    expect(mail.text).toContain('Nothing had been delivered yet')
  })
})
