import { DAY_MS, londonPeriods } from '@hedgerow/domain/dates'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import {
  aThirdUsed,
  cancel,
  historyOf,
  isOver,
  letDaysPass,
  preview,
  profileOf,
  refundsEnded,
} from '#testing/cancellations.ts'
import { aCustomer, eraseAccount, letProofAge, PASSWORD } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, challengeOf, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { anOwner, daysBetween, refundWhole } from '#testing/renewals.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe('cancelling is refused', () => {
  const refusal = async (customer: { token: string }, paymentId: string) => {
    const shown = expectProblem(await preview(shop, customer, paymentId), 409)
    const { body } = expectProblem(await cancel(shop, customer, paymentId), 409)
    expect(body.detail).toBe(shown.body.detail)
    return body.detail as string
  }

  test('of a payment that was not paid', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startPayment(shop, customer, await anOrder(shop, customer), {
      pan: CARDS.declined,
    })
    await reached(shop, paymentId, 'Decline')
    expect(await refusal(customer, paymentId)).toContain('did not go through')
  })

  test('after 14 days, with the day on which they ended', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 15)
    expect(await refusal(customer, paymentId)).toMatch(
      /^The 14 days .* ended on \d\d\/\d\d\/\d{4} \(UK time\)\.$/,
    )
    expect((await profileOf(shop, customer.token)).connections[0].cancellable).toBeUndefined()
    expect((await historyOf(shop, customer.token))[0].cancellableUntil).toBeUndefined()
    expect(await isOver(shop, paymentId)).toBe(false)
  })

  test('on the fifteenth day, and not on the fourteenth', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 14)
    expect((await preview(shop, customer, paymentId)).status).toBe(200)
    await letDaysPass(
      shop,
      customer,
      (Date.now() - londonPeriods(new Date()).today.getTime() + 1000) / DAY_MS,
    )
    expect(await refusal(customer, paymentId)).toContain('ended on')
  })

  test('where everything is used up', async () => {
    const { customer, paymentId } = await anOwner(shop, { days: 3 })
    await letDaysPass(shop, customer, 4)
    expect(await refusal(customer, paymentId)).toContain('nothing left to cancel')
  })

  test('where all was given back', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await refundWhole(shop, paymentId)
    expect(await refusal(customer, paymentId)).toContain('has been refunded')
  })

  test('while another refund is under way', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await sql`insert into refunds (id, payment_id, amount_minor, reason, is_by_hand)
      values (gen_random_uuid(), ${paymentId}, 100, 'operator', true)`.execute(shop.db)
    expect(await refusal(customer, paymentId)).toContain('under way')
  })

  test('of what bought nothing', async () => {
    const { customer, order } = await aPurchase(shop)
    const first = await shop.db
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', order.orderId)
      .executeTakeFirstOrThrow()
    await sql`update payments set refund_due = true, delivered_at = null where id = ${first.id}`.execute(
      shop.db,
    )
    expect(await refusal(customer, first.id)).toContain('already on its way back')
  })

  test('to anyone else, as though there were no such payment', async () => {
    const { paymentId } = await anOwner(shop)
    const eve = await aCustomer(shop)
    expectProblem(await preview(shop, eve, paymentId), 404)
    expectProblem(await cancel(shop, eve, paymentId, { password: PASSWORD }), 404)
    expectProblem(await preview(shop, { token: undefined }, paymentId), 401)
    expectProblem(await cancel(shop, eve, 'f'.repeat(32)), 404)
    expect(await isOver(shop, paymentId)).toBe(false)
  })
})

describe('the password', () => {
  test('is asked for when the log-in was a while ago', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letProofAge(shop, customer)
    expect((await preview(shop, customer, paymentId)).body.asksPassword).toBe(true)
    const missing = expectProblem(await cancel(shop, customer, paymentId), 422)
    expect(messageFor(missing, 'password')).toBe('Enter your password')
    const wrong = expectProblem(await cancel(shop, customer, paymentId, { password: 'not it at all' }), 422)
    expect(messageFor(wrong, 'password')).toBe('The password is wrong')
    expect(await isOver(shop, paymentId)).toBe(false)
    expect((await cancel(shop, customer, paymentId, { password: PASSWORD })).status).toBe(200)
  })

  test('can be tried only so often, together with all else that asks for it', async () => {
    const own = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const { customer, paymentId } = await anOwner(own)
    await letProofAge(own, customer)
    for (let tries = 0; tries < 10; tries++)
      expectProblem(await cancel(own, customer, paymentId, { password: 'not it at all' }), 422)
    expectProblem(await cancel(own, customer, paymentId, { password: PASSWORD }), 429)
    expectProblem(
      await own.call('POST', '/api/v1/user/password', {
        token: customer.token,
        body: { password: PASSWORD, newPassword: 'a robin on the gate 17' },
      }),
      429,
    )
  })
})

describe('the refund that was shown', () => {
  test('is refused where it was not right within 15 minutes, and else it cancels at the sum of now', async () => {
    const { customer, paymentId } = await anOwner(shop, { days: 365, connections: 13 })
    await letDaysPass(shop, customer, 1)
    const { refund } = (await preview(shop, customer, paymentId)).body
    await letDaysPass(shop, customer, 40 / 1440)
    const { body } = expectProblem(await cancel(shop, customer, paymentId, { refund }), 409)
    expect(body.detail).toMatch(/^The refund is €[\d.]+ by now\./)
    expectProblem(await cancel(shop, customer, paymentId, { refund: refund - 100 }), 409)
    expectProblem(await cancel(shop, customer, paymentId, { refund: 1.234 }), 422)
    const { refund: second } = (await preview(shop, customer, paymentId)).body
    expectProblem(await cancel(shop, customer, paymentId, { refund: second + 1 }), 409)
    expect(await isOver(shop, paymentId)).toBe(false)
    await letDaysPass(shop, customer, 5 / 1440)
    const { status, body: done } = await cancel(shop, customer, paymentId, { refund: second })
    expect(status).toBe(200)
    expect(done.refund).toBeLessThanOrEqual(second)
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ amount_minor: Math.round(done.refund * 100) }])
  })
})

describe('cancelling happens once', () => {
  test('however often it is said at once, and each is answered the same', async () => {
    const { customer, paymentId } = await aThirdUsed(shop)
    const replies = await Promise.all(Array.from({ length: 5 }, () => cancel(shop, customer, paymentId)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const { body } of replies) expect(body).toEqual(replies[0]?.body)
    await refundsEnded(shop, paymentId)
    expect((await cancel(shop, customer, paymentId, { refund: 20 })).body).toEqual(replies[0]?.body)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'You have cancelled')).toHaveLength(1)
  })

  test('at once with a refund by the operator, and no more goes back than was paid', async () => {
    const { customer, paymentId } = await aThirdUsed(shop)
    const [cancelled, refunded] = await Promise.all([
      cancel(shop, customer, paymentId),
      requestRefund(shop, { paymentId }),
    ])
    await refundsEnded(shop, paymentId)
    const { refunded_minor } = await paymentRow(shop, paymentId)
    // Who says later that all of it goes back finds the one under way; or it has ended, and the rest goes back.
    expect(refunded_minor).toBe(refunded.kind === 'recorded' ? 3000 : 2000)
    if (cancelled.status !== 200) expect(refunded.kind).toBe('recorded')
    expect(await isOver(shop, paymentId)).toBe(true)
  })

  test('at once with an extension, whose days are not lost', async () => {
    const { customer, paymentId, ids } = await anOwner(shop)
    await letDaysPass(shop, customer, 10)
    const order = await anOrder(shop, customer, { days: 5, renew: ids })
    const under = await startPayment(shop, customer, order, { pan: CARDS.challenged })
    await challengeOf(shop, under)
    const [cancelled] = await Promise.all([
      cancel(shop, customer, paymentId),
      sendUpdate(shop, { paymentId: under, amountMinor: 500, currency: 'EUR', status: 'success' }),
    ])
    expect(cancelled.body.refund).toBe(20)
    await reached(shop, under, 'Success')
    const { connections } = await profileOf(shop, customer.token)
    const active = connections.filter(({ status }: { status: string }) => status !== 'expired')
    expect(active).toHaveLength(3)
    for (const { expirationDate } of active)
      expect(daysBetween(new Date(), new Date(expirationDate))).toBeCloseTo(5, 2)
  })

  test('at once with the end of the account', async () => {
    const { customer, paymentId } = await aThirdUsed(shop)
    const [cancelled, erased] = await Promise.all([
      cancel(shop, customer, paymentId),
      eraseAccount(shop, customer),
    ])
    expect(erased.status).toBe(200)
    expect([200, 401, 404]).toContain(cancelled.status)
    const refunds = await refundsOf(shop, paymentId)
    const { cancelled_at } = await paymentRow(shop, paymentId)
    expect(refunds).toHaveLength(cancelled_at ? 1 : 0)
  })
})
