import { randomUUID } from 'node:crypto'
import type { Json } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { AttentionItem } from '#care/telemetry/attention-items.ts'
import { gatewaysWhenAsked } from '#money/gateway/adapters.ts'
import { insertRefund } from '#money/refunds/refunds.queries.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { sendRefund } from '#money/refunds/send-refund.ts'
import { createLog } from '#platform/instrumentation/log.ts'
import { btcpayOf } from '#testing/btcpay.ts'
import { hurry } from '#testing/jobs.ts'
import { paymentRow, reached } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const { ask, anAttempt, press, faults, check, isAmong } = btcpayOf(shop)

const deps = () => ({
  db: shop.db,
  settings: shop.settings,
  log: createLog('silent'),
  gateways: gatewaysWhenAsked(shop.settings),
})

const NONE = { failSales: 'none', dropCallbacks: false }
afterEach(() => faults(NONE))

const ADDRESS = 'bc1qexampleaddress'

const refundOf = async (paymentId: string) => {
  const [refund] = await refundsOf(shop, paymentId)
  if (!refund) throw new Error('there is no refund')
  return refund
}

const aSale = async () => {
  const attempt = await anAttempt()
  await press(attempt, 'lightning')
  await reached(shop, attempt.paymentId, 'Success')
  return attempt
}

/** A refund of which the customer has the link. */
const aClaimable = async (amountMinor?: number) => {
  const attempt = await aSale()
  await requestRefund(shop, { paymentId: attempt.paymentId, amountMinor })
  await until(async () => (await refundOf(attempt.paymentId)).claim_url)
  const refund = await refundOf(attempt.paymentId)
  return {
    ...attempt,
    refundId: refund.id,
    url: refund.claim_url as string,
    ref: refund.gate_request_id as string,
  }
}

const claim = async (url: string) => {
  const reply = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ destination: ADDRESS }),
    redirect: 'manual',
  })
  return reply.status
}

const payoutsOf = async (ref: string): Promise<Json> =>
  (await fetch(`${shop.sandbox.url}/api/v1/pull-payments/${ref}/payouts?includeCancelled=true`)).json()

/** What the store's owner does with the latest claim. */
const move = async (ref: string, ...states: string[]) => {
  const [{ id }] = await payoutsOf(ref)
  for (const state of states) {
    const { status } = await fetch(`${shop.sandbox.url}/btcpay/payouts/${id}/${state}`, {
      method: 'POST',
      redirect: 'manual',
    })
    expect(status).toBe(303)
  }
}

const pullPaymentsOf = async (refundId: string) =>
  (await ask('GET', 'pull-payments?includeArchived=true')).filter(
    ({ name }: { name: string }) => name === `Refund ${refundId.replaceAll('-', '')}`,
  )

/** What operators are told about its refunds. */
const toldOf = async (paymentId: string) => {
  const told: AttentionItem[] = []
  for (const item of ['refund-by-hand', 'refund-refused', 'refund-stuck'] as const)
    if (await isAmong(item, paymentId)) told.push(item)
  return told
}

const historyOf = async ({ customer, paymentId }: Awaited<ReturnType<typeof aSale>>) => {
  const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
  return body.find(({ _id }: { _id: string }) => _id === paymentId)
}

const age = (refundId: string, interval: string) =>
  sql`update refunds set created_at = created_at - ${interval}::interval, asked_at = asked_at - ${interval}::interval
    where id = ${refundId}`.execute(shop.db)

describe('a refund in bitcoin', () => {
  test('is claimed by the customer, approved and paid by the operator, and sent once', async () => {
    const refunded = await aClaimable(1000)
    const { paymentId, customer, url, ref, refundId } = refunded
    const link = await mailbox(shop).latest(customer.email, 'Claim your refund of €10.00')
    expect(link.text).toContain(url)
    expect((await historyOf(refunded)).refunds).toMatchObject([{ status: 'Pending', claimUrl: url }])
    expect(await toldOf(paymentId)).toEqual([])
    expect(await requestRefund(shop, { paymentId, amountMinor: 500 })).toEqual({
      kind: 'refused',
      why: { code: 'waits-for-claim' },
    })

    expect(await claim(url)).toBe(303)
    await until(async () => (await refundOf(paymentId)).claimed_at)
    expect(await toldOf(paymentId)).toEqual(['refund-by-hand'])
    const toDo = await mailbox(shop).latest(shop.settings.operatorEmail, 'A refund must be sent by hand')
    expect(toDo.text).toContain(`/pull-payments/${ref}/payouts`)
    expect((await historyOf(refunded)).refunds[0]).not.toHaveProperty('claimUrl')

    await move(ref, 'AwaitingPayment', 'InProgress', 'Completed')
    await until(async () => (await refundOf(paymentId)).status === 'Success')
    await check(paymentId)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ refunded_minor: 1000 })
    expect(await toldOf(paymentId)).toEqual([])
    const mail = await mailbox(shop).latest(customer.email, 'We have refunded €10.00')
    expect(mail.text).toContain('It went to the wallet that you named.')
    expect(await mailbox(shop).list(customer.email, 'We have refunded €10.00')).toHaveLength(1)
    expect(await pullPaymentsOf(refundId)).toHaveLength(1)
  })

  test('is learnt of without any event', async () => {
    const { paymentId, url, ref } = await aClaimable()
    await faults({ dropCallbacks: true })
    await claim(url)
    await check(paymentId)
    await until(async () => (await refundOf(paymentId)).claimed_at)
    await move(ref, 'Cancelled')
    await check(paymentId)
    await until(async () => (await refundOf(paymentId)).claimed_at === null)
    await claim(url)
    await move(ref, 'AwaitingPayment', 'Completed')
    await check(paymentId)
    await until(async () => (await refundOf(paymentId)).status === 'Success')
  })

  test('has one link, also where the answer that made it was lost, and where two make it at once', async () => {
    const { paymentId } = await aSale()
    await faults({ failSales: 'drop-after-accept', failRate: 1 })
    await requestRefund(shop, { paymentId })
    await until(async () => (await refundOf(paymentId)).asked_at)
    const { id } = await refundOf(paymentId)
    await until(async () => (await pullPaymentsOf(id)).length === 1)
    await faults(NONE)
    await hurry(shop, 'send-refund')
    await until(async () => (await refundOf(paymentId)).claim_url)
    await Promise.allSettled([sendRefund(deps(), id), sendRefund(deps(), id)])
    expect(await pullPaymentsOf(id)).toHaveLength(1)
  })

  test('whose call was not answered is not made again before that call must have ended', async () => {
    const { paymentId } = await aSale()
    const id = randomUUID()
    // Without the job that would send it.
    await insertRefund(shop.db, {
      id,
      payment_id: paymentId,
      amount_minor: 3000,
      reason: 'operator',
      is_by_hand: false,
    })
    let calls = 0
    const { btcpay } = gatewaysWhenAsked(shop.settings)
    const refund = async () => {
      calls++
      return { kind: 'unknown', reason: 'timeout' } as const
    }
    const front = { ...deps(), gateways: { ...deps().gateways, btcpay: btcpay && { ...btcpay, refund } } }
    await expect(sendRefund(front, id)).rejects.toThrow('timeout')
    await expect(sendRefund(front, id)).rejects.toThrow('may be under way')
    await age(id, '11 minutes')
    const again = await Promise.allSettled([sendRefund(front, id), sendRefund(front, id)])
    expect(again.every(({ status }) => status === 'rejected')).toBe(true)
    expect(calls).toBe(2)
  })

  test('that nobody claims is told to operators after two weeks, and given up it can be claimed no more', async () => {
    const { paymentId, refundId, url } = await aClaimable()
    await age(refundId, '13 days 23 hours')
    expect(await toldOf(paymentId)).toEqual([])
    await age(refundId, '2 hours')
    expect(await toldOf(paymentId)).toEqual(['refund-stuck'])
    expect((await resolveRefund(shop, { paymentId, verdict: 'dropped' })).kind).toBe('done')
    await until(async () => (await pullPaymentsOf(refundId))[0].archived)
    expect(await claim(url)).toBe(422)
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(0)
    expect(await toldOf(paymentId)).toEqual([])
  })

  test('that was given up before its link was known is taken back once it is there', async () => {
    const { paymentId } = await aSale()
    await faults({ failSales: 'drop-after-accept', failRate: 1 })
    await requestRefund(shop, { paymentId })
    await until(async () => (await refundOf(paymentId)).asked_at)
    const { id } = await refundOf(paymentId)
    await until(async () => (await pullPaymentsOf(id)).length === 1)
    await sql`update refunds set created_at = now() - interval '2 hours' where id = ${id}`.execute(shop.db)
    expect((await resolveRefund(shop, { paymentId, verdict: 'failed' })).kind).toBe('done')
    await faults(NONE)
    await hurry(shop, 'drop-claim')
    await hurry(shop, 'send-refund')
    await until(async () => (await pullPaymentsOf(id))[0].archived)
    expect((await refundOf(paymentId)).status).toBe('Decline')
  })

  test('that was said to be sent another way, and was paid all the same, is counted as often', async () => {
    const { paymentId, ref, url } = await aClaimable(1000)
    await faults({ dropCallbacks: true })
    await claim(url)
    await move(ref, 'AwaitingPayment', 'InProgress')
    await resolveRefund(shop, { paymentId, verdict: 'sent' })
    await until(async () => (await ask('GET', 'pull-payments')).every(({ id }: Json) => id !== ref))
    await move(ref, 'Completed')
    await faults(NONE)
    await hurry(shop, 'drop-claim')
    await until(async () => (await paymentRow(shop, paymentId)).refunded_minor === 2000)
    await mailbox(shop).latest(shop.settings.operatorEmail, 'Money may have been refunded twice')
  })

  test('that was archived in BTCPay is owed again, and what was paid of it before has gone back', async () => {
    const [none, part] = [await aClaimable(), await aClaimable(1000)]
    await ask('DELETE', `pull-payments/${none.ref}`)
    await check(none.paymentId)
    await until(async () => (await refundOf(none.paymentId)).gate_code === 'archived')
    expect(await toldOf(none.paymentId)).toEqual(['refund-refused'])
    await claim(part.url)
    await move(part.ref, 'AwaitingPayment', 'Completed')
    await ask('DELETE', `pull-payments/${part.ref}`)
    await check(part.paymentId)
    await until(async () => (await paymentRow(shop, part.paymentId)).refunded_minor === 1000)
  })

  test('that the server refuses waits for the operator', async () => {
    const { paymentId } = await aSale()
    await sql`update payments set gateway_ref = 'gone' where id = ${paymentId}`.execute(shop.db)
    await requestRefund(shop, { paymentId })
    await until(async () => (await refundOf(paymentId)).status === 'Decline')
    expect((await resolveRefund(shop, { paymentId, verdict: 'sent' })).kind).toBe('done')
    expect((await paymentRow(shop, paymentId)).refunded_minor).toBe(3000)
  })
})
