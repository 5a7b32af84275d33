import { DAY_MS, londonPeriods } from '@hedgerow/domain/dates'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { expireConnection, revokeConnection } from '#backoffice/operate-connections.ts'
import { createKeyCipher } from '#crypto/key-cipher.ts'
import { checkBooks } from '#partnership/check-books.ts'
import { completePurchase } from '#payments/complete-purchase.ts'
import { findPayment } from '#payments/payments.service.ts'
import { listOwedRefunds, requestRefund } from '#refunds/refunds.service.ts'
import { sayOfRefund } from '#refunds/say-of-refund.ts'
import { cancel, letDaysPass, letLogInAge, preview } from '#testing/cancellations.ts'
import { aCustomer, eraseAccount, PASSWORD } from '#testing/customers.ts'
import { sendUpdate } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { aBusyNode } from '#testing/nodes.ts'
import { anOrder } from '#testing/orders.ts'
import { aPartner, partnerRow } from '#testing/partners.ts'
import { answerElsewhere, BANKS, payByBank, payByBlik, setRate, startBy } from '#testing/payment-methods.ts'
import {
  aPurchase,
  CARDS,
  challengeOf,
  connectionsOf,
  paymentRow,
  reached,
  startPayment,
} from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { buyWith, creditedTo } from '#testing/promocodes.ts'
import { refundsOf } from '#testing/refunds.ts'
import { anOwner, connectionRow, daysBetween, refundWhole, renew } from '#testing/renewals.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const ended = (paymentId: string) =>
  until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status === 'Success'))

const profileOf = async (token: string) => (await shop.call('GET', '/api/v1/user/profile', { token })).body
const historyOf = async (token: string) => (await shop.call('GET', '/api/v1/payment/history', { token })).body

const isOver = async (paymentId: string) =>
  (await connectionsOf(shop, paymentId)).every(
    ({ expires_at, removed_at }) => removed_at !== null && Number(expires_at) <= Date.now(),
  )

/** €30.00 for three connections and 30 days, ten of which are over. */
const aThirdUsed = async () => {
  const bought = await anOwner(shop)
  await letDaysPass(shop, bought.customer, 10)
  return bought
}

describe('cancelling within 14 days', () => {
  test('says what goes back and what ends, does it, and mails that for keeping', async () => {
    const { customer, paymentId, rows } = await aThirdUsed()
    const shown = await preview(shop, customer, paymentId)
    expect(shown.status).toBe(200)
    expect(shown.body).toMatchObject({ refund: 20, currency: 'EUR', isByHand: false, asksPassword: false })
    expect(shown.body.connections).toEqual(
      rows.map(({ id, name }) => ({ _id: id, name, endsAt: expect.any(String), endsAtOnce: true })),
    )
    const reply = await cancel(shop, customer, paymentId, { refund: 20 })
    expect(reply.body).toMatchObject({ refund: 20, currency: 'EUR', cancelledAt: expect.any(String) })
    expect(reply.body.connections.map(({ endsAtOnce }: { endsAtOnce: boolean }) => endsAtOnce)).toEqual([
      true,
      true,
      true,
    ])
    expect(await isOver(paymentId)).toBe(true)
    await ended(paymentId)
    expect(await refundsOf(shop, paymentId)).toMatchObject([
      { amount_minor: 2000, reason: 'cancelled', is_by_hand: false },
    ])
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 2000, cancelled_minor: 2000 })
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled: 30 days, 3 connections')
    const text = mail.text.replace(/\s+/g, ' ')
    expect(text).toMatch(/received your statement on \d\d\/\d\d\/\d{4} \d\d:\d\d, London time/)
    expect(text).toContain('The connections that it bought have ended.')
    expect(text).toContain('You get €20.00 of €30.00 back')
    expect(text).toContain('back to the card that you paid with')
    expect(text).toContain(`Payment: ${paymentId}`)
    const refunded = await mailbox(shop).latest(customer.email, 'We have refunded €20.00')
    expect(refunded.text).toContain('You have cancelled it')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'You have cancelled')).toHaveLength(1)
  })

  test('is offered in the profile and the history, as long as it is possible', async () => {
    const { customer, paymentId } = await anOwner(shop)
    const { body } = await preview(shop, customer, paymentId)
    const [offered] = (await profileOf(customer.token)).connections
    expect(offered.cancellable).toEqual([{ paymentId, until: body.until }])
    expect((await historyOf(customer.token))[0]).toMatchObject({ cancellableUntil: body.until })
    await cancel(shop, customer, paymentId)
    const [attempt] = await historyOf(customer.token)
    expect(attempt.cancelledAt).toEqual(expect.any(String))
    expect(attempt.cancellableUntil).toBeUndefined()
    expect((await profileOf(customer.token)).connections[0].cancellable).toBeUndefined()
  })

  test('works for a plan', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, planFor('31 days'))
    await reached(shop, paymentId, 'Success')
    await letDaysPass(shop, customer, 7.75)
    const { charged_minor } = await paymentRow(shop, paymentId)
    const { body } = await cancel(shop, customer, paymentId)
    expect(body).toMatchObject({
      refund: (charged_minor - Math.round(charged_minor / 4)) / 100,
      currency: 'GBP',
    })
    expect(await isOver(paymentId)).toBe(true)
  })

  test('of a plan leaves it to be bought anew, at once', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    const paymentId = await startSale(shop, customer, plan)
    await reached(shop, paymentId, 'Success')
    await cancel(shop, customer, paymentId)
    const again = await startSale(shop, customer, plan)
    expect(again).not.toBe(paymentId)
    await reached(shop, again, 'Success')
  })

  test('counts three years for what would never end', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startSale(shop, customer, planFor('Ethernity'))
    await reached(shop, paymentId, 'Success')
    await letDaysPass(shop, customer, 10.95)
    const { charged_minor } = await paymentRow(shop, paymentId)
    const { body } = await cancel(shop, customer, paymentId)
    expect(body.refund).toBe((charged_minor - Math.round(charged_minor / 100)) / 100)
    expect(await isOver(paymentId)).toBe(true)
  })

  test('gives the part of the PLN back that a Blik payment was charged', async () => {
    await setRate(shop, 'EUR', 4_000_000)
    const customer = await aCustomer(shop)
    const paymentId = await startBy(payByBlik, shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'awaiting redirect result', 'awaiting customer action')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    await letDaysPass(shop, customer, 10)
    expect((await cancel(shop, customer, paymentId)).body).toMatchObject({ refund: 80, currency: 'PLN' })
    await ended(paymentId)
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('80.00 PLN of 120.00 PLN back')
  })

  test('puts what was paid by a bank on the operator’s list', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer, { currency: 'GBP' })
    const paymentId = await startBy(payByBank, shop, customer, order, { bankId: BANKS.noConsent })
    await reached(shop, paymentId, 'awaiting redirect result', 'awaiting customer action')
    await answerElsewhere(shop, paymentId)
    await reached(shop, paymentId, 'Success')
    await letDaysPass(shop, customer, 10)
    expect((await preview(shop, customer, paymentId)).body).toMatchObject({ refund: 20, isByHand: true })
    expect((await cancel(shop, customer, paymentId)).body).toMatchObject({ refund: 20, isByHand: true })
    expect(await refundsOf(shop, paymentId)).toMatchObject([
      { amount_minor: 2000, reason: 'cancelled', is_by_hand: true, status: 'Pending' },
    ])
    expect(await isOver(paymentId)).toBe(true)
    const mail = await mailbox(shop).latest(customer.email, 'You have cancelled')
    expect(mail.text.replace(/\s+/g, ' ')).toContain('account that you paid from, within 14 days')
    await sayOfRefund(shop, { paymentId, verdict: 'sent' })
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 2000 })
  })

  test('takes the partner’s share back in proportion, and leaves the books right', async () => {
    const partner = await aPartner(shop)
    const { customer, paymentId } = await buyWith(shop, partner)
    const earning = await creditedTo(shop, paymentId)
    const earned = earning?.amount_minor ?? 0
    expect(earned).toBeGreaterThan(0)
    await letDaysPass(shop, customer, 10)
    const { charged_minor } = await paymentRow(shop, paymentId)
    const { body } = await cancel(shop, customer, paymentId)
    expect(body.refund).toBe((charged_minor - Math.round(charged_minor / 3)) / 100)
    await ended(paymentId)
    const after = await until(async () => {
      const row = await creditedTo(shop, paymentId)
      return row && row.reversed_minor > 0 && row
    })
    expect(Math.abs(after.reversed_minor - (earned * 2) / 3)).toBeLessThanOrEqual(1)
    expect(await checkBooks(shop)).toEqual([])
  })

  test.each([
    ['all', 0],
    ['all but a cent or two', 0.02],
  ])('that gives %s back is no transaction of the partner’s any more', async (_, days) => {
    const partner = await aPartner(shop)
    const { customer, paymentId } = await buyWith(shop, partner)
    await creditedTo(shop, paymentId)
    await letDaysPass(shop, customer, days)
    await cancel(shop, customer, paymentId)
    await ended(paymentId)
    await until(async () => (await partnerRow(shop, partner)).transactions === 0)
    expect(await checkBooks(shop)).toEqual([])
    // Nor is it where it was not credited yet.
    const uncredited = await buyWith(shop, partner)
    await letDaysPass(shop, uncredited.customer, days)
    await cancel(shop, uncredited.customer, uncredited.paymentId)
    await ended(uncredited.paymentId)
    await creditedTo(shop, uncredited.paymentId)
    await until(async () => (await partnerRow(shop, partner)).transactions === 0)
    expect(await checkBooks(shop)).toEqual([])
  })

  test('gives back what is left after a refund of a part', async () => {
    const { customer, paymentId } = await aThirdUsed()
    await requestRefund(shop, { paymentId, amountMinor: 500 })
    await ended(paymentId)
    expect((await cancel(shop, customer, paymentId)).body.refund).toBe(15)
    await ended(paymentId)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 2000, cancelled_minor: 1500 })
  })

  test('is in the place of a refund that the gateway had refused, so that it does not go back besides', async () => {
    const { customer, paymentId } = await aThirdUsed()
    await requestRefund(shop, { paymentId, amountMinor: 413 })
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Decline')
    const isOwed = async () =>
      (await listOwedRefunds(shop.db)).some(({ payment_id }) => payment_id === paymentId)
    expect(await isOwed()).toBe(true)
    expect((await cancel(shop, customer, paymentId)).body.refund).toBe(20)
    await until(async () => (await paymentRow(shop, paymentId)).refunded_minor === 2000)
    expect(await isOwed()).toBe(false)
  })

  test('gives nothing more back where more was given before, and ends it all the same', async () => {
    const { customer, paymentId } = await aThirdUsed()
    await requestRefund(shop, { paymentId, amountMinor: 2500 })
    await ended(paymentId)
    expect((await cancel(shop, customer, paymentId)).body.refund).toBe(0)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
    expect(await isOver(paymentId)).toBe(true)
  })

  test('takes the peers from their node at once', async () => {
    const { agent, customer, paymentId } = await aBusyNode(shop)
    const { peers } = await agent.catchUp()
    expect(peers).toHaveLength(3)
    await cancel(shop, customer, paymentId)
    const changes = await agent.catchUp()
    expect(changes.peers).toHaveLength(0)
    await sql`update nodes set is_open = false where id = ${agent.node.id}`.execute(shop.db)
  })

  test('ends links and reminders with the connections', async () => {
    const { customer, paymentId, ids } = await anOwner(shop)
    const made = await shop.call('POST', `/api/v1/connections/${ids[0]}/link`, { token: customer.token })
    expect(made.status).toBe(200)
    await cancel(shop, customer, paymentId)
    expect(await connectionRow(shop, ids[0] ?? '')).toMatchObject({ link_hash: null })
    await hurry(shop, 'remind-of-ends')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'end soon')).toHaveLength(0)
  })
})

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
    expect((await connectionsOf(shop, row.payment_id)).every(({ removed_at }) => removed_at === null)).toBe(
      true,
    )
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
    expect(await isOver(paymentId)).toBe(true)
  })

  test('what a refund of the rest leaves out later does not bring back', async () => {
    const { customer, paymentId } = await aThirdUsed()
    await cancel(shop, customer, paymentId)
    await ended(paymentId)
    await refundWhole(shop, paymentId)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 3000 })
    expect(await isOver(paymentId)).toBe(true)
  })
})

describe('what was ended stays ended', () => {
  test('by the operator, though what extended it since is given back', async () => {
    const { customer, paymentId, ids } = await anOwner(shop)
    await requestRefund(shop, { paymentId, amountMinor: 2900 })
    await ended(paymentId)
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
    expect(await isOver(paymentId)).toBe(true)
  })

  test('by a cancellation, though the gateway refuses the money', async () => {
    const { customer, paymentId } = await aThirdUsed()
    await cancel(shop, customer, paymentId)
    await ended(paymentId)
    await sql`update refunds set status = 'Decline' where payment_id = ${paymentId}`.execute(shop.db)
    await sql`update payments set refunded_minor = 0 where id = ${paymentId}`.execute(shop.db)
    expect(await isOver(paymentId)).toBe(true)
    expectProblem(await preview(shop, customer, paymentId), 409)
    expect(await requestRefund(shop, { paymentId, amountMinor: 2000 })).toMatchObject({ kind: 'recorded' })
  })
})

describe('what waits for room', () => {
  test('gives all back, and is never delivered', async () => {
    const small = await startTestShop()
    await sql`update nodes set ipv4 = '10.9.0.0/29', ipv6 = 'fd09::/64'`.execute(small.db)
    const customer = await aCustomer(small)
    const paymentId = await startPayment(small, customer, await anOrder(small, customer, { connections: 6 }))
    await reached(small, paymentId, 'Success')
    expect(await paymentRow(small, paymentId)).toMatchObject({ delivered_at: null })
    await letDaysPass(small, customer, 3)
    const { body } = await preview(small, customer, paymentId)
    expect(body).toMatchObject({ connections: [] })
    const { charged_minor } = await paymentRow(small, paymentId)
    const { body: done } = await cancel(small, customer, paymentId)
    expect(done.refund).toBe(charged_minor / 100)
    await sql`update nodes set ipv4 = '10.9.0.0/24'`.execute(small.db)
    await sql`insert into nodes (id, name, endpoint, public_key, ipv4, ipv6)
      values (gen_random_uuid(), 'second', '192.0.2.2:51820', 'k', '10.10.0.0/24', 'fd10::/64')`.execute(
      small.db,
    )
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
    expect(mail.text).toContain('Nothing of it had been delivered yet')
  })
})

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
    expect(await refusal(customer, paymentId)).toContain('not paid')
  })

  test('after 14 days, with the day on which they ended', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letDaysPass(shop, customer, 15)
    expect(await refusal(customer, paymentId)).toMatch(/^The 14 days .* ended on \d\d\/\d\d\/\d{4}\.$/)
    expect((await profileOf(customer.token)).connections[0].cancellable).toBeUndefined()
    expect((await historyOf(customer.token))[0].cancellableUntil).toBeUndefined()
    expect(await isOver(paymentId)).toBe(false)
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
    expect(await refusal(customer, paymentId)).toContain('has been paid back')
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
    expect(await refusal(customer, first.id)).toContain('on its way back anyway')
  })

  test('to anybody else, as though there were no such payment', async () => {
    const { paymentId } = await anOwner(shop)
    const eve = await aCustomer(shop)
    expectProblem(await preview(shop, eve, paymentId), 404)
    expectProblem(await cancel(shop, eve, paymentId, { password: PASSWORD }), 404)
    expectProblem(await preview(shop, { token: undefined }, paymentId), 401)
    expectProblem(await cancel(shop, eve, 'f'.repeat(32)), 404)
    expect(await isOver(paymentId)).toBe(false)
  })
})

describe('the password', () => {
  test('is asked for when the log-in was a while ago', async () => {
    const { customer, paymentId } = await anOwner(shop)
    await letLogInAge(shop, customer)
    expect((await preview(shop, customer, paymentId)).body.asksPassword).toBe(true)
    const missing = expectProblem(await cancel(shop, customer, paymentId), 422)
    expect(messageFor(missing, 'password')).toBe('Enter your password')
    const wrong = expectProblem(await cancel(shop, customer, paymentId, { password: 'not it at all' }), 422)
    expect(messageFor(wrong, 'password')).toBe('The password is not right')
    expect(await isOver(paymentId)).toBe(false)
    expect((await cancel(shop, customer, paymentId, { password: PASSWORD })).status).toBe(200)
  })

  test('can be tried only so often, together with all else that asks for it', async () => {
    const own = await startTestShop({ env: { RATE_LIMIT_SCALE: '1' } })
    const { customer, paymentId } = await anOwner(own)
    await letLogInAge(own, customer)
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
  test('is paid for a quarter of an hour, whatever is used meanwhile', async () => {
    // €4,745.00: a cent is used in 66 seconds.
    const { customer, paymentId } = await anOwner(shop, { days: 365, connections: 13 })
    await letDaysPass(shop, customer, 1)
    const { refund } = (await preview(shop, customer, paymentId)).body
    await letDaysPass(shop, customer, 14 / 1440)
    expect((await preview(shop, customer, paymentId)).body.refund).toBeLessThan(refund)
    expect((await cancel(shop, customer, paymentId, { refund })).body.refund).toBe(refund)
  })

  test('is refused later, with the sum of now', async () => {
    const { customer, paymentId } = await anOwner(shop, { days: 365, connections: 13 })
    await letDaysPass(shop, customer, 1)
    const { refund } = (await preview(shop, customer, paymentId)).body
    await letDaysPass(shop, customer, 20 / 1440)
    const { body } = expectProblem(await cancel(shop, customer, paymentId, { refund }), 409)
    expect(body.detail).toMatch(/^The refund is €[\d.]+ by now\./)
    expectProblem(await cancel(shop, customer, paymentId, { refund: refund - 100 }), 409)
    expectProblem(await cancel(shop, customer, paymentId, { refund: 1.234 }), 422)
    expect(await isOver(paymentId)).toBe(false)
  })
})

describe('cancelling happens once', () => {
  test('however often it is said at once, and each is answered the same', async () => {
    const { customer, paymentId } = await aThirdUsed()
    const replies = await Promise.all(Array.from({ length: 5 }, () => cancel(shop, customer, paymentId)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const { body } of replies) expect(body).toEqual(replies[0]?.body)
    await ended(paymentId)
    expect((await cancel(shop, customer, paymentId, { refund: 20 })).body).toEqual(replies[0]?.body)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'You have cancelled')).toHaveLength(1)
  })

  test('at once with a refund by the operator, and no more goes back than was paid', async () => {
    const { customer, paymentId } = await aThirdUsed()
    const [cancelled, refunded] = await Promise.all([
      cancel(shop, customer, paymentId),
      requestRefund(shop, { paymentId }),
    ])
    await ended(paymentId)
    const { refunded_minor } = await paymentRow(shop, paymentId)
    // Who says later that all of it goes back finds the one under way; or it has ended, and the rest goes back.
    expect(refunded_minor).toBe(refunded.kind === 'recorded' ? 3000 : 2000)
    if (cancelled.status !== 200) expect(refunded.kind).toBe('recorded')
    expect(await isOver(paymentId)).toBe(true)
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
    const { connections } = await profileOf(customer.token)
    const active = connections.filter(({ status }: { status: string }) => status !== 'expired')
    expect(active).toHaveLength(3)
    for (const { expirationDate } of active)
      expect(daysBetween(new Date(), new Date(expirationDate))).toBeCloseTo(5, 2)
  })

  test('at once with the end of the account', async () => {
    const { customer, paymentId } = await aThirdUsed()
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
