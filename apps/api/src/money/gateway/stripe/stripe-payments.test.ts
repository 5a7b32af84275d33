import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { gatherEvidence } from '#money/disputes/gather-evidence.ts'
import { listSchemeMonths } from '#money/disputes/scheme-months.ts'
import { gatewaysWhenAsked } from '#money/gateway/adapters.ts'
import { createStripeClient } from '#money/gateway/stripe/stripe-client.ts'
import { resolvePayment } from '#money/payments/exceptions/resolve-payment.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { aCustomer } from '#testing/customers.ts'
import { holdBody } from '#testing/held-body.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { anOrder } from '#testing/orders.ts'
import { connectionsOf, paymentRow, reached, statusOf } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import {
  actAtStripe,
  aPageAttempt,
  aStripePurchase,
  askStripe,
  pageOf,
  payOnPage,
  STRIPE_CARDS,
  sellByStripe,
  sendEvent,
  sessionOf,
  typeAtStripe,
} from '#testing/stripe.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
beforeAll(() => sellByStripe(shop))

const switchStripeFaults = (faults: object) => actAtStripe(shop, 'faults', faults, 'PUT')

/** The next checks are due now. */
const check = async (paymentId: string) => {
  await sql`update payments set next_check_at = now() where id = ${paymentId}`.execute(shop.db)
  await hurry(shop, 'check-payments')
}

describe('a card that Stripe carries', () => {
  test('is typed on its page, and the order is delivered; the Gate hears nothing of it', async () => {
    const { paymentId, page } = await aPageAttempt(shop)
    expect(page).toContain(`${shop.sandbox.url}/c/pay/cs_test_`)
    const answer = await typeAtStripe(page)
    expect(answer.headers.get('location')).toBe(
      `${shop.settings.publicUrl}/payment/result/${paymentId}?returned`,
    )
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      gateway: 'stripe',
      method: 'card',
      pan_masked: '************4242',
      card_hash: null,
    })
    expect(shop.gateCalls.filter(({ path }) => path.startsWith('/v2/payment'))).toEqual([])
  })

  test('may be declined and another one typed, until the page is left', async () => {
    const { paymentId, page } = await aPageAttempt(shop)
    await typeAtStripe(page, STRIPE_CARDS.declined)
    await until(async () => (await paymentRow(shop, paymentId)).gate_code)
    expect(await paymentRow(shop, paymentId)).toMatchObject({
      status: 'awaiting redirect result',
      gate_code: 'generic_decline',
    })
    expect(await pageOf(shop, paymentId)).toBe(page)
    await typeAtStripe(page)
    await reached(shop, paymentId, 'Success')
  })

  test('is declined once its page has expired, and the order can be paid again', async () => {
    const { customer, order, paymentId } = await aPageAttempt(shop)
    const { id } = await sessionOf(shop, paymentId)
    await actAtStripe(shop, `sessions/${id}/expire`)
    await reached(shop, paymentId, 'Decline')
    const again = (await payOnPage(shop, customer, order)).body.paymentId
    await typeAtStripe(await pageOf(shop, again))
    await reached(shop, again, 'Success')
  })

  test('pays even if no event comes, because Stripe is asked', async () => {
    const { paymentId, page } = await aPageAttempt(shop)
    await switchStripeFaults({ dropCallbacks: true })
    await typeAtStripe(page)
    await check(paymentId)
    await reached(shop, paymentId, 'Success')
    await switchStripeFaults({ dropCallbacks: false })
  })

  test('buys once, however often and in whatever order events come', async () => {
    await switchStripeFaults({ duplicateCallbacks: 3, reorderCallbacks: true })
    const { paymentId } = await aStripePurchase(shop)
    await switchStripeFaults({ duplicateCallbacks: 0, reorderCallbacks: false })
    const { id } = await sessionOf(shop, paymentId)
    const late = await sendEvent(
      shop,
      anEvent('checkout.session.expired', paymentId, { id, status: 'expired' }),
    )
    expect(late.status).toBe(200)
    expect(await statusOf(shop, paymentId)).toBe('Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
  })

  test('that was told of a page is sent to one, although cards have gone back to our own form meanwhile', async () => {
    onTestFinished(() => sellByStripe(shop))
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    const body = JSON.stringify({ total: order.total, currency: order.currency.code, acceptTerms: true })
    const url = `${shop.url}/api/v1/orders/${order.orderId}`
    const send = await holdBody(url, 'POST', { authorization: `Bearer ${customer.token}` }, body)
    await shop.db.deleteFrom('running_settings').where('name', '=', 'card-gateway').execute()
    await until(async () => !(await shop.call('GET', '/api/v1/payment/methods')).body.card.hosted)
    expect(await send()).toBe(200)
    const [row] = await shop.db
      .selectFrom('payments')
      .select(['gateway', 'gateway_ref'])
      .where('order_id', '=', order.orderId)
      .execute()
    expect(row).toMatchObject({ gateway: 'stripe', gateway_ref: expect.stringMatching(/^cs_/) })
  })

  test('cannot be paid at the page of an attempt that was left; that of somebody else stays open', async () => {
    const [left, foreign] = [await aPageAttempt(shop), await aPageAttempt(shop)]
    const { customer, order } = left
    expect((await payOnPage(shop, customer, order, { instead: left.paymentId })).status).toBe(200)
    await reached(shop, left.paymentId, 'Decline')
    expect((await typeAtStripe(left.page)).status).toBe(410)
    const other = await aCustomer(shop)
    const ofOther = await anOrder(shop, other)
    expect((await payOnPage(shop, other, ofOther, { instead: foreign.paymentId })).status).toBe(200)
    await queueIsEmpty(shop)
    expect((await sessionOf(shop, foreign.paymentId)).status).toBe('open')
    expect((await paymentRow(shop, foreign.paymentId)).abandoned_at).toBeNull()
  })

  test('is closed to customers where a person has ended the payment', async () => {
    const { paymentId } = await aPageAttempt(shop)
    const log = { warn: () => undefined, error: () => undefined }
    const deps = { db: shop.db, gateways: gatewaysWhenAsked(shop.settings), log }
    const ended = await resolvePayment(deps, { paymentId, as: 'decline', isAlthough: true })
    expect(ended.kind).toBe('settled')
    await until(async () => (await sessionOf(shop, paymentId)).status === 'expired')
  })

  test('is paid after the attempt was left, or twice: what comes second goes back', async () => {
    const { customer, order, paymentId, page } = await aPageAttempt(shop)
    // As where Stripe did not hear that it is left.
    await sql`update payments set abandoned_at = now() where id = ${paymentId}`.execute(shop.db)
    const other = (await payOnPage(shop, customer, order)).body.paymentId
    const otherPage = await pageOf(shop, other)
    await typeAtStripe(page)
    await reached(shop, paymentId, 'Success')
    await typeAtStripe(otherPage)
    await reached(shop, other, 'Success')
    await until(async () => (await refundsOf(shop, other))[0]?.status === 'Success')
    expect(await refundsOf(shop, paymentId)).toEqual([])
    expect(await connectionsOf(shop, other)).toEqual([])
    expect((await sessionOf(shop, other)).payment_intent.latest_charge.refunded).toBe(true)
  })

  test('has one session, also where the answer that made it was lost', async () => {
    await switchStripeFaults({ failSales: 'drop-after-accept', failRate: 1 })
    const { paymentId, page } = await aPageAttempt(shop)
    await switchStripeFaults({ failSales: 'none' })
    await typeAtStripe(page)
    await reached(shop, paymentId, 'Success')
    const { data } = await askStripe(shop, 'checkout/sessions?limit=100')
    const ours = data.filter(
      ({ metadata }: { metadata: Record<string, string> }) => metadata.payment_id === paymentId,
    )
    expect(ours).toHaveLength(1)
  })

  test.each([
    ['sum', sql`charged_minor = charged_minor + 1`],
    ['currency', sql`charged_currency = 'GBP', currency = 'GBP'`],
  ])('buys nothing where another %s was paid than the shop asked for', async (_, asked) => {
    const { paymentId, page } = await aPageAttempt(shop)
    await sql`update payments set ${asked} where id = ${paymentId}`.execute(shop.db)
    await typeAtStripe(page)
    await reached(shop, paymentId, 'Error')
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Success')
  })

  test.each([
    ['arrives', 'Success', 3],
    ['fails', 'Decline', 0],
  ] as const)(
    'whose money is promised first buys the order once it is there: it %s',
    async (debit, end, bought) => {
      const { paymentId, page } = await aPageAttempt(shop)
      await switchStripeFaults({ callbackDelayMs: 1_500 })
      await fetch(page, { method: 'POST', body: new URLSearchParams({ debit }), redirect: 'manual' })
      await check(paymentId)
      await reached(shop, paymentId, 'processing')
      expect(await connectionsOf(shop, paymentId)).toEqual([])
      await switchStripeFaults({ callbackDelayMs: null })
      await reached(shop, paymentId, end)
      expect(await connectionsOf(shop, paymentId)).toHaveLength(bought)
    },
  )

  test('that is paid while Stripe is away for a day is asked about for as long, and buys the order', async () => {
    const { customer, order, paymentId, page } = await aPageAttempt(shop)
    await switchStripeFaults({ dropCallbacks: true })
    await typeAtStripe(page)
    await switchStripeFaults({ failCalls: 1, dropCallbacks: false })
    await sql`update payments set created_at = now() - interval '1 day' where id = ${paymentId}`.execute(
      shop.db,
    )
    await check(paymentId)
    expect(await statusOf(shop, paymentId)).toBe('awaiting redirect result')
    const other = await aCustomer(shop)
    const begun = (await payOnPage(shop, other, await anOrder(shop, other))).body.paymentId
    await check(begun)
    expect(await statusOf(shop, begun)).toBe('Pending')
    await switchStripeFaults({ failCalls: 0 })
    await check(paymentId)
    await reached(shop, paymentId, 'Success')
    expectProblem(await payOnPage(shop, customer, order), 409)
    await sql`update payments set created_at = now() - interval '1 day' where id = ${begun}`.execute(shop.db)
    await check(begun)
    await reached(shop, begun, 'Error')
  })

  test('is asked about by its own session: one that others made for the same payment pays nothing', async () => {
    const [mine, foreign] = [await aPageAttempt(shop), await aPageAttempt(shop)]
    await typeAtStripe(foreign.page)
    await reached(shop, foreign.paymentId, 'Success')
    const { id } = await sessionOf(shop, foreign.paymentId)
    // Its metadata, and the id that a payment link lets customers choose, name the payment of another.
    const named = { id, client_reference_id: mine.paymentId, payment_status: 'paid' }
    expect((await sendEvent(shop, anEvent('checkout.session.completed', mine.paymentId, named))).status).toBe(
      200,
    )
    await sql`update payments set gateway_ref = ${id} where id = ${mine.paymentId}`.execute(shop.db)
    await sendEvent(shop, anEvent('checkout.session.completed', mine.paymentId, named))
    expect(await statusOf(shop, mine.paymentId)).toBe('awaiting redirect result')
    expect(await connectionsOf(shop, mine.paymentId)).toEqual([])
  })
})

const anEvent = (type: string, paymentId: string | undefined, object: object = {}, more: object = {}) => ({
  id: 'evt_1',
  object: 'event',
  type,
  livemode: false,
  data: { object: { ...object, metadata: paymentId === undefined ? {} : { payment_id: paymentId } } },
  ...more,
})

test('the tool compares each payment with its own gateway, and says who carries cards', async () => {
  const { paymentId } = await aStripePurchase(shop)
  await sql`update payments set ended_at = now() - interval '10 minutes' where id = ${paymentId}`.execute(
    shop.db,
  )
  await until(async () => (await paymentRow(shop, paymentId)).is_invoiced)
  const { json } = await runOps(opsSettings(shop), 'reconcile', '--json')
  expect(json.differences.filter((one: { paymentId: string }) => one.paymentId === paymentId)).toEqual([])
  expect(json.notCompared).toEqual([])
  const shown = await runOps(opsSettings(shop), 'setting', 'list', '--json')
  expect(shown.out).toContain('"stripe"')
})

describe('an event', () => {
  test('counts if one of the secrets signed these very bytes, within five minutes of now', async () => {
    const { paymentId } = await aPageAttempt(shop)
    const event = anEvent('payment_intent.payment_failed', paymentId)
    const now = Math.floor(Date.now() / 1000)
    expect((await sendEvent(shop, event)).status).toBe(200)
    expect((await sendEvent(shop, event, { at: now - 290 })).status).toBe(200)
    for (const at of [now - 600, now + 600]) expectProblem(await sendEvent(shop, event, { at }), 400)
    expectProblem(await sendEvent(shop, event, { secret: 'whsec_another' }), 400)
    for (const header of ['', `t=${now}`, `t=${now},v1=`, `t=${now},v1=${'0'.repeat(64)}`, 't=x,v1=y'])
      expectProblem(await sendEvent(shop, event, { header }), 400)
  })

  test('that a proxy has written anew is refused', async () => {
    const { paymentId } = await aPageAttempt(shop)
    const event = anEvent('checkout.session.completed', paymentId)
    let header = ''
    await sendEvent(
      {
        call: async (_method, _path, options) => {
          header = options?.headers?.['stripe-signature'] ?? ''
          return {} as never
        },
      },
      event,
    )
    expect((await sendEvent(shop, event, { header })).status).toBe(200)
    expectProblem(await sendEvent(shop, JSON.stringify(event), { header }), 400)
  })

  test('of the other mode is refused, one of another shop or of no payment is let be', async () => {
    const { paymentId } = await aStripePurchase(shop)
    expectProblem(
      await sendEvent(shop, anEvent('checkout.session.completed', paymentId, {}, { livemode: true })),
      400,
    )
    for (const id of [undefined, 'f'.repeat(32), 'order-17', '__proto__'])
      expect((await sendEvent(shop, anEvent('checkout.session.completed', id))).status).toBe(200)
    expect(await shop.db.selectFrom('unknown_payments').selectAll().execute()).toEqual([])
  })

  test('that is no event, or too large, does no harm', async () => {
    for (const text of ['', 'null', '[]', '{"data":1}', '{', '"\\ud800"'])
      expectProblem(await sendEvent(shop, text), 400)
    expectProblem(await sendEvent(shop, `{"a":"${'x'.repeat(300 * 1024)}"}`), 413)
  })

  test('is taken while its secret is rolled', async () => {
    const [endpoint] = (await askStripe(shop, 'webhook_endpoints')).data
    await actAtStripe(shop, `endpoints/${endpoint.id}/roll`)
    await aStripePurchase(shop)
  })
})

describe('a refund', () => {
  const refund = (paymentId: string, amountMinor?: number) =>
    requestRefund({ db: shop.db }, { paymentId, amountMinor, isAgain: true })

  test('goes back in parts, each once', async () => {
    const { paymentId } = await aStripePurchase(shop)
    await refund(paymentId, 500)
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Success')
    await refund(paymentId)
    await until(async () => (await refundsOf(shop, paymentId))[1]?.status === 'Success')
    const { latest_charge: charge } = (await sessionOf(shop, paymentId)).payment_intent
    expect(charge).toMatchObject({ refunded: true, amount_refunded: charge.amount })
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(charge.amount)
  })

  test('may be pending first', async () => {
    const { paymentId } = await aStripePurchase(shop, STRIPE_CARDS.refundsLater)
    await refund(paymentId)
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Success')
  })

  test('that fails after it had succeeded waits to be sent by hand, and is sent once', async () => {
    const { paymentId } = await aStripePurchase(shop)
    await refund(paymentId)
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Success')
    const [{ id }] = (await askStripe(shop, 'refunds?limit=1')).data
    // No event tells of it: Stripe is asked about it once a day.
    await switchStripeFaults({ dropCallbacks: true })
    await check(paymentId)
    const asked = await until(async () => {
      const { next_check_at } = await paymentRow(shop, paymentId)
      return next_check_at === null || next_check_at > new Date() ? { next: next_check_at } : undefined
    })
    expect(asked.next).not.toBeNull()
    await actAtStripe(shop, `refunds/${id}/fail`)
    await switchStripeFaults({ dropCallbacks: false })
    await check(paymentId)
    await until(async () => (await refundsOf(shop, paymentId))[0]?.is_by_hand)
    expect(await refundsOf(shop, paymentId)).toMatchObject([
      { status: 'Pending', gate_code: 'expired_or_canceled_card' },
    ])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(0)
    const sent = await resolveRefund({ db: shop.db }, { paymentId, verdict: 'sent' })
    expect(sent.kind).toBe('done')
    await check(paymentId)
    await until(async () => (await paymentRow(shop, paymentId)).next_check_at === null)
    const { charged_minor, refunded_minor } = await paymentRow(shop, paymentId)
    expect(refunded_minor).toBe(charged_minor)
    expect(await refundsOf(shop, paymentId)).toMatchObject([{ status: 'Success', is_by_hand: true }])
  })

  test('that is sent again, because the answer was lost or a day has passed, is made once', async () => {
    const { paymentId } = await aStripePurchase(shop)
    const { gateway_ref: ref } = await paymentRow(shop, paymentId)
    const { stripe, publicUrl } = shop.settings
    const client = createStripeClient({ stripe: stripe as NonNullable<typeof stripe>, publicUrl })
    const send = (refundId: string) =>
      client.refund({
        payment: { id: paymentId, ref },
        method: 'card',
        refundId,
        description: '',
        amountMinor: 500,
        currency: 'EUR',
        isWhole: false,
      })
    const first = await send('refund-1')
    expect(first.kind).toBe('accepted')
    expect(await send('refund-1')).toEqual(first)
    // A day later its key is forgotten, and the refund is known by what it says of itself alone.
    const { payment_intent: intent } = await sessionOf(shop, paymentId)
    const { id } = await askStripe(shop, 'refunds', {
      payment_intent: intent.id,
      amount: '700',
      'metadata[refund_id]': 'refund-2',
    })
    expect(await send('refund-2')).toEqual({ kind: 'accepted', requestId: id })
    const { latest_charge: charge } = (await sessionOf(shop, paymentId)).payment_intent
    expect(charge.amount_refunded).toBe(1200)
  })

  test('is refused while the bank disputes the money, and is owed', async () => {
    const { paymentId } = await aStripePurchase(shop, STRIPE_CARDS.disputed)
    await until(async () => (await sessionOf(shop, paymentId)).payment_intent.latest_charge.disputed)
    await refund(paymentId)
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Decline')
    expect((await refundsOf(shop, paymentId))[0]?.gate_code).toBe('charge_disputed')
  })

  test('is done for a payment of Stripe’s although cards go to the Gate again', async () => {
    const { paymentId } = await aStripePurchase(shop)
    onTestFinished(() => sellByStripe(shop))
    await shop.db.deleteFrom('running_settings').where('name', '=', 'card-gateway').execute()
    await refund(paymentId)
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Success')
  })
})

describe('a dispute', () => {
  const disputesOf = (paymentId: string) =>
    shop.db.selectFrom('disputes').selectAll().where('payment_id', '=', paymentId).execute()

  const watch = () => hurry(shop, 'watch-disputes')

  test('at Stripe is one here, with its day to answer, and is won with it; an inquiry is none', async () => {
    const { paymentId } = await aStripePurchase(shop)
    const { id: charge } = (await sessionOf(shop, paymentId)).payment_intent.latest_charge
    const dispute = await actAtStripe(shop, `charges/${charge}/dispute`, {
      reason: 'fraudulent',
      inquiry: true,
    })
    // In the same list, so that both have been looked at.
    const other = await aStripePurchase(shop)
    const { id: otherCharge } = (await sessionOf(shop, other.paymentId)).payment_intent.latest_charge
    await actAtStripe(shop, `charges/${otherCharge}/dispute`)
    await until(async () => {
      await watch()
      return (await disputesOf(other.paymentId))[0]
    })
    expect(await disputesOf(paymentId)).toEqual([])
    await actAtStripe(shop, `disputes/${dispute.id}/move`, { status: 'needs_response' })
    const isOpen = async () => {
      await watch()
      return (await disputesOf(paymentId))[0]
    }
    const opened = await until(isOpen)
    const { charged_minor, disputed_minor } = await paymentRow(shop, paymentId)
    expect(opened).toMatchObject({ status: 'open', gate_id: dispute.id, amount_minor: charged_minor })
    expect(opened?.respond_by).toEqual(new Date(dispute.evidence_details.due_by * 1000))
    expect(disputed_minor).toBe(charged_minor)
    const evidence = await gatherEvidence(shop, opened?.id ?? '', new Date())
    const facts = JSON.stringify(evidence?.sections)
    for (const said of [dispute.id, 'Card, by Stripe', 'The card was typed on Stripe’s page'])
      expect(facts).toContain(said)
    const months = await listSchemeMonths(shop.db, 1, new Date())
    expect(months.find(({ scheme }) => scheme === 'Visa')?.disputes).toBeGreaterThan(0)
    await actAtStripe(shop, `disputes/${dispute.id}/move`, { status: 'won' })
    await until(async () => {
      await watch()
      return (await disputesOf(paymentId))[0]?.status === 'won'
    })
    expect((await paymentRow(shop, paymentId)).disputed_minor).toBe(0)
  })

  test('after a part went back takes no more than was left, whoever wins', async () => {
    const { paymentId } = await aStripePurchase(shop)
    await requestRefund({ db: shop.db }, { paymentId, amountMinor: 500 })
    await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Success')
    const { id: charge } = (await sessionOf(shop, paymentId)).payment_intent.latest_charge
    const { id } = await actAtStripe(shop, `charges/${charge}/dispute`)
    await actAtStripe(shop, `disputes/${id}/move`, { status: 'lost' })
    await until(async () => {
      await watch()
      return (await disputesOf(paymentId))[0]?.status === 'lost'
    })
    const { charged_minor, refunded_minor, disputed_minor } = await paymentRow(shop, paymentId)
    expect([refunded_minor, disputed_minor]).toEqual([charged_minor, 0])
  })

  test('that is lost, appealed against and won brings the money back; another shop’s is let be', async () => {
    const { paymentId } = await aStripePurchase(shop)
    const { id: intent, latest_charge } = (await sessionOf(shop, paymentId)).payment_intent
    const foreign = await aStripePurchase(shop)
    const { latest_charge: other } = (await sessionOf(shop, foreign.paymentId)).payment_intent
    // As if another shop on the account had this payment.
    await sql`update payments set gate_request_id = ${`${intent}x`} where id = ${foreign.paymentId}`.execute(
      shop.db,
    )
    await actAtStripe(shop, `charges/${other.id}/dispute`)
    const { id } = await actAtStripe(shop, `charges/${latest_charge.id}/dispute`)
    for (const [told, here] of [
      ['lost', 'lost'],
      ['appeal_needs_response', 'lost'],
      ['appeal_under_review', 'lost'],
      ['won', 'reversed'],
    ] as const) {
      await actAtStripe(shop, `disputes/${id}/move`, { status: told })
      await until(async () => {
        await watch()
        const [dispute] = await disputesOf(paymentId)
        return dispute?.status === here && dispute.gate_status === told
      })
    }
    expect(await disputesOf(foreign.paymentId)).toEqual([])
    expect(await shop.db.selectFrom('unfiled_chargebacks').selectAll().execute()).toEqual([])
  })
})
