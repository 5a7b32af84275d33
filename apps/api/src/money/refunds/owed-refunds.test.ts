import { randomUUID } from 'node:crypto'
import { mailbox } from '@hedgerow/testing/mailbox'
import { fewOrAll } from '@hedgerow/testing/strength'
import { until } from '@hedgerow/testing/until'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { listAlerts } from '#care/overview/alerts.ts'
import { takeDueChecks } from '#money/gateway/status-checks.ts'
import { listOwedRefunds } from '#money/refunds/owed-refunds.queries.ts'
import { applyRefundUpdates, requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { aCustomer, eraseAccount } from '#testing/customers.ts'
import { BY_CALLBACK_ALONE, bookOf, switchFaults } from '#testing/gateway.ts'
import { hurry, queueIsEmpty } from '#testing/jobs.ts'
import { metric } from '#testing/metrics.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPaidPayment } from '#testing/partners.ts'
import { aPurchase, aWaitingPurchase, connectionsOf, paymentRow } from '#testing/payments.ts'
import { refundsOf, sendRefundUpdate } from '#testing/refunds.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

const ops = (shop: TestShop, ...args: string[]) => runOps(opsSettings(shop), ...args)

const wireId = (id: string | undefined) => (id ?? '').replaceAll('-', '')

const alertsOf = async (shop: TestShop) => (await listAlerts(shop.db)).map(({ name, count }) => [name, count])

/** As if so much time had passed since it was asked for and, where it has ended, since it ended. */
const age = (shop: TestShop, paymentId: string, interval: string) =>
  sql`update refunds set created_at = created_at - ${interval}::interval, ended_at = ended_at - ${interval}::interval
    where payment_id = ${paymentId}`.execute(shop.db)

const callsFor = (shop: TestShop, paymentId: string) =>
  shop.gateCalls.filter(({ path, body }) => path.endsWith('/refund') && body.general.payment_id === paymentId)

/** The gateway has taken a refund, and never tells how it ended; of every other payment it tells. */
const aHangingRefund = async (shop: TestShop, amountMinor?: number) => {
  const { paymentId, customer } = await aPurchase(shop)
  await switchFaults(shop, { ...BY_CALLBACK_ALONE, dropCallbacks: true })
  await requestRefund(shop, { paymentId, amountMinor })
  await until(async () => (await refundsOf(shop, paymentId))[0]?.gate_request_id)
  // Its end is announced while the shop does not listen.
  await until(async () => (await bookOf(shop, paymentId))?.refunded > 0)
  await switchFaults(shop, { dropCallbacks: false })
  const [refund] = await refundsOf(shop, paymentId)
  return { paymentId, customer, refundId: refund?.id as string }
}

const aRefusedRefund = async (shop: TestShop) => {
  const { paymentId, customer } = await aPurchase(shop)
  await requestRefund(shop, { paymentId, amountMinor: 413 })
  await until(async () => (await refundsOf(shop, paymentId))[0]?.status === 'Decline')
  return { paymentId, customer }
}

const ended = (shop: TestShop, paymentId: string) =>
  until(async () => (await refundsOf(shop, paymentId)).every(({ status }) => status !== 'Pending'))

describe('a refund that the gateway does not end', () => {
  test('is shown after an hour, everywhere, and holds up no other; a late success ends it once', async () => {
    const shop = await startTestShop()
    const { paymentId, refundId, customer } = await aHangingRefund(shop, 1000)
    await age(shop, paymentId, '59 minutes')
    expect(await alertsOf(shop)).toEqual([])
    await age(shop, paymentId, '20 days')
    await sql`update payments set created_at = created_at - interval '30 days' where id = ${paymentId}`.execute(
      shop.db,
    )
    expect(await alertsOf(shop)).toEqual([['RefundStuck', 1]])
    expect((await ops(shop, 'overview')).out).toMatch(
      /RefundStuck +1 refund is owed and stuck +payment list --only refund-stuck\n/,
    )
    expect(await metric(shop, 'hedgerow_waiting_for_operator', { what: 'refunds_stuck' })).toBe(1)
    const { json } = await ops(shop, 'payment', 'list', '--only', 'refund-stuck', '--json')
    expect(json.rows.map(({ id }: { id: string }) => id)).toEqual([paymentId])

    const { paymentId: other } = await aPurchase(shop)
    await requestRefund(shop, { paymentId: other })
    await ended(shop, other)
    expect((await paymentRow(shop, other)).refunded_minor).toBe(3000)

    const told = { paymentId, amountMinor: 1000, left: 2000, refundId: wireId(refundId), operationId: 77 }
    const replies = await Promise.all([sendRefundUpdate(shop, told), sendRefundUpdate(shop, told)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
    expect(await alertsOf(shop)).toEqual([])
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(customer.email, 'We have refunded')).toHaveLength(1)
  })

  test('is a line of reconcile, however long ago it was paid and whatever the gateway says', async () => {
    const shop = await startTestShop()
    const { paymentId, refundId } = await aHangingRefund(shop)
    expect((await ops(shop, 'reconcile', '--json')).json.owedRefunds).toEqual([])
    await age(shop, paymentId, '61 minutes')
    await sql`update payments set created_at = now() - interval '40 days' where id = ${paymentId}`.execute(
      shop.db,
    )
    const { json, code } = await ops(shop, 'reconcile', '--json')
    expect(json).toMatchObject({
      compared: 0,
      owedRefunds: [{ paymentId, refundId, amount: '30.00', currency: 'EUR', why: 'stuck', code: null }],
    })
    expect(code).toBe(1)
    await switchFaults(shop, { failCalls: 1 })
    const down = await ops(shop, 'reconcile', '--days', '60')
    expect(down.out).toMatch(
      new RegExp(`\n${paymentId} .* €30\\.00 +the gateway has not finished it\n1 refund owed`),
    )
    expect(down.code).toBe(3)
  })

  test('keeps another part from going back only until the operator says that it failed', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aHangingRefund(shop, 1000)
    const more = { paymentId, amountMinor: 500 }
    expect(await requestRefund(shop, more)).toEqual({ kind: 'refused', why: { code: 'under-way' } })
    const word = { paymentId, verdict: 'failed' } as const
    expect(await resolveRefund(shop, word)).toMatchObject({ why: { code: 'none-failed' } })
    await age(shop, paymentId, '61 minutes')
    const said = await Promise.all([resolveRefund(shop, word), resolveRefund(shop, word)])
    expect(said.map(({ kind }) => kind).toSorted()).toEqual(['done', 'known'])
    // It is owed all the same.
    expect(await alertsOf(shop)).toEqual([['RefundRefused', 1]])
    expect((await requestRefund(shop, more)).kind).toBe('recorded')
    await ended(shop, paymentId)
    expect(await alertsOf(shop)).toEqual([['RefundRefused', 1]])
    expect((await requestRefund(shop, { paymentId, amountMinor: 1000 })).kind).toBe('recorded')
    await ended(shop, paymentId)
    expect(await alertsOf(shop)).toEqual([])
  })

  test.each([
    ['asked for again', true],
    ['dropped', false],
  ])(
    'and that was said to have failed, and %s, is told the operator if it goes back after all',
    async (_, isAgain) => {
      const shop = await startTestShop()
      const { paymentId, refundId } = await aHangingRefund(shop, 1000)
      await age(shop, paymentId, '61 minutes')
      await resolveRefund(shop, { paymentId, verdict: 'failed' })
      if (isAgain) await requestRefund(shop, { paymentId, amountMinor: 1000 })
      else await resolveRefund(shop, { paymentId, verdict: 'dropped' })
      await ended(shop, paymentId)
      const told = { paymentId, amountMinor: 1000, left: 1000, refundId: wireId(refundId), operationId: 70 }
      await Promise.all([sendRefundUpdate(shop, told), sendRefundUpdate(shop, told)])
      expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(isAgain ? 2000 : 1000)
      await queueIsEmpty(shop)
      const mails = await mailbox(shop).list(
        shop.settings.operatorEmail,
        'Money may have been refunded twice',
      )
      expect(mails).toHaveLength(1)
      expect(await alertsOf(shop)).toEqual([])
    },
  )

  test('and that was sent another way is counted as often as money moved, if the gateway makes it after all', async () => {
    const shop = await startTestShop()
    const { paymentId, refundId } = await aHangingRefund(shop, 1000)
    await age(shop, paymentId, '61 minutes')
    await resolveRefund(shop, { paymentId, verdict: 'sent' })
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(1000)
    expect(await alertsOf(shop)).toEqual([])
    const told = { paymentId, amountMinor: 1000, left: 2000, refundId: wireId(refundId), operationId: 77 }
    await Promise.all([sendRefundUpdate(shop, told), sendRefundUpdate(shop, told)])
    await sendRefundUpdate(shop, told)
    expect((await refundsOf(shop, paymentId)).map(({ reason, status }) => [reason, status])).toEqual([
      ['operator', 'Success'],
      ['at-the-gateway', 'Success'],
    ])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(2000)
    const mail = await mailbox(shop).latest(shop.settings.operatorEmail, 'may have been refunded twice')
    expect(mail.text).toContain(`refunded €10.00 of payment ${paymentId}`)
  })

  test('and of which all was sent another way never takes more than was charged', async () => {
    const shop = await startTestShop()
    const { paymentId, refundId } = await aHangingRefund(shop)
    await age(shop, paymentId, '61 minutes')
    const word = { paymentId, verdict: 'sent' } as const
    const said = await Promise.all([resolveRefund(shop, word), resolveRefund(shop, word)])
    expect(said.map(({ kind }) => kind).toSorted()).toEqual(['done', 'known'])
    await sendRefundUpdate(shop, {
      paymentId,
      amountMinor: 3000,
      left: 0,
      refundId: wireId(refundId),
      operationId: 7,
    })
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
    await mailbox(shop).latest(shop.settings.operatorEmail, 'may have been refunded twice')
  })
})

describe('a refund that the gateway refused', () => {
  test('is shown until it is resolved, however long that takes and whatever else goes back', async () => {
    const shop = await startTestShop()
    const { paymentId, customer } = await aRefusedRefund(shop)
    await age(shop, paymentId, '400 days')
    await requestRefund(shop, { paymentId, amountMinor: 100 })
    await ended(shop, paymentId)
    expect(await alertsOf(shop)).toEqual([['RefundRefused', 1]])
    const { json, code } = await ops(shop, 'reconcile', '--json')
    expect(json.owedRefunds).toMatchObject([{ paymentId, amount: '4.13', why: 'refused', code: '3028' }])
    expect(code).toBe(1)

    const word = { paymentId, verdict: 'sent' } as const
    const sent = await Promise.all([resolveRefund(shop, word), resolveRefund(shop, word)])
    expect(sent.map(({ kind }) => kind).toSorted()).toEqual(['done', 'known'])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(513)
    expect(await alertsOf(shop)).toEqual([])
    await queueIsEmpty(shop)
    const mails = await mailbox(shop).list(customer.email, 'We have refunded €4.13')
    expect(mails).toHaveLength(1)
    const mail = await mailbox(shop).latest(customer.email, 'We have refunded €4.13')
    expect(mail.text).toContain(
      'It could not go back the way it came (Card), so we have sent it another way.',
    )
    expect((await ops(shop, 'reconcile', '--json')).json).toMatchObject({ differences: [], owedRefunds: [] })
  })

  test('and is asked for again, is owed as often as it was asked for: once', async () => {
    const shop = await startTestShop()
    const { paymentId, customer } = await aRefusedRefund(shop)
    const statusesShown = async () => {
      const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
      return body[0].refunds.map(({ status }: { status: string }) => status)
    }
    await requestRefund(shop, { paymentId, amountMinor: 413 })
    await ended(shop, paymentId)
    const { owedRefunds } = (await ops(shop, 'reconcile', '--json')).json
    expect(owedRefunds).toHaveLength(1)
    expect(await statusesShown()).toEqual(['Decline'])
    await requestRefund(shop, { paymentId })
    await ended(shop, paymentId)
    expect(await alertsOf(shop)).toEqual([])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
    expect(await statusesShown()).toEqual(['Success'])
  })

  test('and is asked for again goes back, though the same sum has gone back before', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    await requestRefund(shop, { paymentId, amountMinor: 1000 })
    await ended(shop, paymentId)
    await sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at)
      values (${randomUUID()}, ${paymentId}, 1000, 'operator', 'Decline', now())`.execute(shop.db)
    const asked = await Promise.all([
      requestRefund(shop, { paymentId, amountMinor: 1000 }),
      requestRefund(shop, { paymentId, amountMinor: 1000 }),
    ])
    expect(asked.map(({ kind }) => kind).toSorted()).toEqual(['known', 'recorded'])
    await ended(shop, paymentId)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(2000)
    expect(await alertsOf(shop)).toEqual([])
  })

  test('and goes back late by itself settles what was asked for in its place and refused too', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aRefusedRefund(shop)
    const [first] = await refundsOf(shop, paymentId)
    await requestRefund(shop, { paymentId, amountMinor: 413 })
    await ended(shop, paymentId)
    const told = { paymentId, amountMinor: 413, left: 2587, refundId: wireId(first?.id), operationId: 7 }
    await Promise.all([sendRefundUpdate(shop, told), sendRefundUpdate(shop, told)])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(413)
    expect(await alertsOf(shop)).toEqual([])
  })

  test('and was given back in the gateway’s own pages is owed no more', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aRefusedRefund(shop)
    await sendRefundUpdate(shop, {
      paymentId,
      amountMinor: 413,
      left: 2587,
      operationId: 7,
      requestId: 'theirs',
    })
    expect((await refundsOf(shop, paymentId)).map(({ reason }) => reason)).toEqual([
      'operator',
      'at-the-gateway',
    ])
    expect(await alertsOf(shop)).toEqual([])
  })

  test('and is not owed after all is dropped, once; nothing moves', async () => {
    const shop = await startTestShop()
    const { paymentId, customer } = await aRefusedRefund(shop)
    const word = { paymentId, verdict: 'dropped' } as const
    expect(await resolveRefund(shop, word)).toMatchObject({ kind: 'done', refund: { amount_minor: 413 } })
    expect(await resolveRefund(shop, word)).toMatchObject({ kind: 'known', refund: { status: 'Decline' } })
    expect((await resolveRefund(shop, { paymentId, verdict: 'sent' })).kind).toBe('refused')
    expect(await alertsOf(shop)).toEqual([])
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(0)
    expect(await mailbox(shop).list(customer.email, 'refunded')).toEqual([])
    const [{ gate_code, closed_at } = {}] = await refundsOf(shop, paymentId)
    expect([gate_code, closed_at]).toEqual(['3028', expect.any(Date)])
  })

  test('is named by the operator where several are owed; that of another payment is not', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aRefusedRefund(shop)
    await requestRefund(shop, { paymentId, amountMinor: 213 })
    await ended(shop, paymentId)
    const { paymentId: others } = await aRefusedRefund(shop)
    expect(await resolveRefund(shop, { paymentId, verdict: 'sent' })).toMatchObject({
      why: { code: 'several' },
    })
    const [foreign] = await refundsOf(shop, others)
    const strange = { paymentId, refundId: foreign?.id, verdict: 'sent' } as const
    expect(await resolveRefund(shop, strange)).toEqual({
      kind: 'refused',
      why: { code: 'no-refund' },
    })
    const second = (await refundsOf(shop, paymentId)).find(({ amount_minor }) => amount_minor === 213)
    await resolveRefund(shop, { paymentId, refundId: second?.id, verdict: 'sent' })
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(213)
  })

  test('is not confirmed as sent where less is left', async () => {
    const shop = await startTestShop()
    const { paymentId } = await aPurchase(shop)
    await sql`insert into refunds (id, payment_id, amount_minor, reason, status, ended_at)
      values (${randomUUID()}, ${paymentId}, 3000, 'operator', 'Decline', now())`.execute(shop.db)
    await requestRefund(shop, { paymentId, amountMinor: 1 })
    await ended(shop, paymentId)
    expect(await resolveRefund(shop, { paymentId, verdict: 'sent' })).toMatchObject({
      why: { code: 'too-much' },
    })
  })
})

test('a refund by hand that was asked for by mistake is dropped, and holds up nothing', async () => {
  const shop = await startTestShop()
  const { paymentId } = await aPurchase(shop)
  await sql`insert into refunds (id, payment_id, amount_minor, reason, is_by_hand)
    values (${randomUUID()}, ${paymentId}, 500, 'operator', true)`.execute(shop.db)
  expect((await ops(shop, 'reconcile', '--json')).json.owedRefunds).toEqual([])
  await age(shop, paymentId, '2 hours')
  expect((await ops(shop, 'reconcile', '--json')).json.owedRefunds).toMatchObject([{ why: 'by-hand' }])
  expect((await requestRefund(shop, { paymentId, amountMinor: 100 })).kind).toBe('refused')
  await resolveRefund(shop, { paymentId, verdict: 'dropped' })
  expect(await alertsOf(shop)).toEqual([])
  expect((await requestRefund(shop, { paymentId, amountMinor: 100 })).kind).toBe('recorded')
})

test('money that bought nothing and has no refund is shown', async () => {
  const shop = await startTestShop()
  const { paymentId } = await aPurchase(shop)
  await sql`update payments set refund_due = true, delivered_at = null, ended_at = now() - interval '90 days',
    created_at = now() - interval '90 days' where id = ${paymentId}`.execute(shop.db)
  expect(await alertsOf(shop)).toEqual([['RefundStuck', 1]])
  const { json } = await ops(shop, 'reconcile', '--json')
  expect(json.owedRefunds).toMatchObject([
    { paymentId, refundId: null, amount: '30.00', why: 'not-asked-for' },
  ])
  await requestRefund(shop, { paymentId })
  await ended(shop, paymentId)
  expect(await alertsOf(shop)).toEqual([])
})

test('a paid order that waits for room, of which a part is on its way back, gives the rest back when its account goes', async () => {
  const shop = await startTestShop()
  const { customer, paymentId } = await aWaitingPurchase(shop)
  await switchFaults(shop, { failCalls: true })
  await requestRefund(shop, { paymentId, amountMinor: 1000 })
  await until(() => callsFor(shop, paymentId).length > 0)
  expect((await eraseAccount(shop, customer)).status).toBe(200)
  await hurry(shop, 'deliver-payment')
  // It waits for the part, and does not fail because of it.
  const delivery = await until(async () => {
    const { rows } = await sql<{ last_error: string | null }>`
      select last_error from graphile_worker.jobs
      where task_identifier = 'deliver-payment' and run_at > now() + interval '1 second'`.execute(shop.db)
    return rows[0]
  })
  expect(delivery.last_error).toBeNull()
  await switchFaults(shop, { failCalls: 0 })
  await until(async () => {
    await hurry(shop, 'send-refund')
    await hurry(shop, 'deliver-payment')
    return (await paymentRow(shop, paymentId)).refunded_minor === 3000
  })
  expect(
    (await refundsOf(shop, paymentId)).map(({ amount_minor, reason }) => [amount_minor, reason]),
  ).toEqual([
    [1000, 'operator'],
    [2000, 'account-erased'],
  ])
  // What the gateway is asked for is no more than that.
  expect(callsFor(shop, paymentId).at(-1)?.body.payment.amount).toBe(2000)
  expect(await connectionsOf(shop, paymentId)).toEqual([])
})

test('payments of which refunds hang are asked for after those that a customer waits for', async () => {
  const shop = await startTestShop()
  const { paymentId: young } = await aPurchase(shop)
  const { id: buyerId } = await aCustomer(shop)
  const partnerId = (await aCustomer(shop)).id
  const old: string[] = []
  for (let n = 0; n < 25; n++) old.push(await aPaidPayment(shop, { buyerId, partnerId, amountMinor: 100 }))
  await shop.db.transaction().execute(async (trx) => {
    await sql`update payments set checks = 20, next_check_at = now() - interval '1 day' where id = any(${old})`.execute(
      trx,
    )
    await sql`update payments set checks = 1, next_check_at = now() where id = ${young}`.execute(trx)
    const taken = await takeDueChecks(trx, 20)
    expect(taken.map(({ id }) => id)).toContain(young)
    expect(taken).toHaveLength(20)
  })
})

test('whatever is requested, reported and resolved, in whatever order, no more is counted than was charged, and what is owed is shown', async () => {
  const shop = await startTestShop()
  // Only what is reported here decides.
  await switchFaults(shop, { failCalls: true })
  const { id: buyerId } = await aCustomer(shop)
  const partnerId = (await aCustomer(shop)).id
  const step = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const), amountMinor: fc.constantFrom(undefined, 1000, 2000) }),
    fc.record({ kind: fc.constant('say' as const), verdict: fc.constantFrom('sent', 'failed', 'dropped') }),
    fc.record({
      kind: fc.constant('tell' as const),
      nth: fc.nat(3),
      status: fc.constantFrom('success' as const, 'decline' as const),
      operationId: fc.constantFrom('1', '2', '3', '4'),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const paymentId = await aPaidPayment(shop, { buyerId, partnerId, amountMinor: 3000 })
      for (const one of steps) {
        await age(shop, paymentId, '2 hours')
        if (one.kind === 'ask')
          await requestRefund(shop, { paymentId, amountMinor: one.amountMinor, isAgain: true })
        else if (one.kind === 'say')
          await resolveRefund(shop, { paymentId, verdict: one.verdict as 'sent' | 'failed' | 'dropped' })
        else {
          const refund = (await refundsOf(shop, paymentId))[one.nth]
          const { operationId, status } = one
          const sum = { amountMinor: refund?.amount_minor ?? 500, currency: 'EUR' }
          const name = { requestId: undefined, refundId: refund && wireId(refund.id), operationId }
          await applyRefundUpdates(shop, paymentId, [{ ...sum, ...name, status, code: undefined }])
        }
      }
      const refunds = await refundsOf(shop, paymentId)
      const given = refunds.filter(({ status }) => status === 'Success')
      const sum = given.reduce((total, one) => total + one.amount_minor, 0)
      const { refunded_minor } = await paymentRow(shop, paymentId)
      expect(refunded_minor).toBe(Math.min(3000, sum))
      const isOwed = refunds.some(
        ({ status, closed_at }) => status === 'Pending' || (status === 'Decline' && !closed_at),
      )
      if (refunded_minor === 3000)
        expect(refunds.filter(({ status, closed_at }) => status === 'Decline' && !closed_at)).toEqual([])
      await age(shop, paymentId, '2 hours')
      const told = (await listOwedRefunds(shop.db)).filter(({ payment_id }) => payment_id === paymentId)
      expect(told.length > 0).toBe(isOwed)
    }),
    { numRuns: fewOrAll(3, 12) },
  )
})
