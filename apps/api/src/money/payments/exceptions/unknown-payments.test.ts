import { randomBytes } from 'node:crypto'
import { DAY_MS } from '@hedgerow/domain/dates'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { deleteOldUnknown } from '#money/payments/exceptions/unknown-payments.queries.ts'
import { aCustomer, eraseAccount } from '#testing/customers.ts'
import { callbackBody, sendUpdate, signedWith } from '#testing/gateway.ts'
import { anUnknownPayment, unknownRows } from '#testing/lost-payments.ts'
import { metric } from '#testing/metrics.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { refundAtGateway, sendRefundUpdate } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const anId = () => randomBytes(16).toString('hex')
const rowOf = async (paymentId: string) =>
  (await unknownRows(shop)).find(({ payment_id }) => payment_id === paymentId)
const success = (paymentId: string, more: object = {}) => ({
  paymentId,
  amountMinor: 3000,
  currency: 'EUR',
  status: 'success',
  more,
})
const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)
const waiting = () => metric(shop, 'hedgerow_waiting_for_operator', { what: 'unknown_payments' })

describe('a signed callback of a payment that is not here', () => {
  test('is kept once however often it comes, answered 404 as before, and waits for the operator at once', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await anUnknownPayment(shop, { customerId: customer.id })
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        sendUpdate(shop, success(paymentId, { customer: { id: customer.id } })),
      ),
    )
    for (const reply of replies) expectProblem(reply, 404)
    const rows = (await unknownRows(shop)).filter(({ payment_id }) => payment_id === paymentId)
    expect(rows).toMatchObject([
      {
        method: 'card',
        status: 'Success',
        amount_minor: '3000',
        currency: 'EUR',
        gate_customer_id: customer.id,
        is_given_back: false,
      },
    ])
    // Ids are of hexadecimal digits, now and then of many decimal ones in a row.
    const told = JSON.stringify(rows).replaceAll(paymentId, '').replaceAll(customer.id, '')
    expect(told).not.toMatch(/LOVELACE|\d{11}|123456/)
    const { json } = await ops('payment', 'unknown', '--json')
    expect(json.payments).toContainEqual(
      expect.objectContaining({
        id: paymentId,
        sum: { minor: 3000, currency: 'EUR' },
        customerId: customer.id,
      }),
    )
    const overview = await ops('overview', '--json')
    expect(overview.json.alerts).toContainEqual(expect.objectContaining({ name: 'UnknownPayments' }))
    expect(await waiting()).toBeGreaterThan(0)
    const books = await ops('reconcile', '--json')
    expect([books.code, books.json.unknownPayments]).toEqual([1, await waiting()])
  })

  test.each([
    ['unsigned', (body: object) => body],
    ['signed by somebody else', (body: object) => signedWith(body, 'another secret')],
    [
      'of another project',
      (body: object) => signedWith({ ...body, project_id: 1 }, shop.settings.gate.secret),
    ],
  ])('is not kept where it is %s', async (_, sent) => {
    const paymentId = anId()
    const body = sent(callbackBody(shop, success(paymentId)))
    expectProblem(await shop.call('POST', '/api/v1/payment/callback', { body }), 400)
    expect(await rowOf(paymentId)).toBeUndefined()
  })

  test('is not kept under an id that is none of ours', async () => {
    const ids = async () => (await unknownRows(shop)).map(({ payment_id }) => payment_id)
    const before = await ids()
    for (const id of ['ord_1', 'A'.repeat(32), '0'.repeat(33)])
      expectProblem(await sendUpdate(shop, success(id)), 404)
    expect(await ids()).toEqual(before)
  })

  test('keeps nothing that is too long, and no more of a card than the mask', async () => {
    const paymentId = anId()
    const more = {
      customer: { id: 'x'.repeat(300) },
      account: { number: '4000000000000077', card_holder: 'ADA LOVELACE' },
      payment: {
        id: paymentId,
        status: 'success',
        method: 'm'.repeat(500),
        description: 'for ada@example.org',
      },
    }
    expectProblem(await sendUpdate(shop, success(paymentId, more)), 404)
    expect(await rowOf(paymentId)).toMatchObject({
      method: null,
      gate_customer_id: null,
      pan_masked: '400000******0077',
    })
  })

  test('that brought no money is kept and waits for no operator; a success is not taken back', async () => {
    const paymentId = anId()
    const before = await waiting()
    await sendUpdate(shop, { ...success(paymentId), status: 'decline' })
    expect(await waiting()).toBe(before)
    await sendUpdate(shop, success(paymentId))
    await sendUpdate(shop, { ...success(paymentId), status: 'decline' })
    await sendUpdate(shop, { ...success(paymentId), status: 'processing' })
    expect(await rowOf(paymentId)).toMatchObject({ status: 'Success' })
    expect(await waiting()).toBe((before ?? 0) + 1)
  })

  test('that all went back at the gateway waits for no operator any more', async () => {
    const paymentId = await anUnknownPayment(shop)
    const before = await waiting()
    expect(await refundAtGateway(shop, paymentId)).toBe(200)
    await expect.poll(() => rowOf(paymentId)).toMatchObject({ is_given_back: true })
    expect(await waiting()).toBe((before ?? 0) - 1)
    const unheard = anId()
    await sendRefundUpdate(shop, { paymentId: unheard, amountMinor: 3000, left: 0 })
    expect(await rowOf(unheard)).toMatchObject({ status: 'Success', is_given_back: true })
  })

  test('of a payment that is here is not kept there', async () => {
    const { paymentId } = await aPurchase(shop)
    await sendUpdate(shop, success(paymentId))
    expect(await rowOf(paymentId)).toBeUndefined()
  })

  test('is forgotten where nothing is left to do, and not where money waits', async () => {
    const [paid, declined] = [anId(), anId()]
    await sendUpdate(shop, success(paid))
    await sendUpdate(shop, { ...success(declined), status: 'decline' })
    const old = new Date(Date.now() - 31 * DAY_MS)
    await shop.db
      .updateTable('unknown_payments')
      .set({ last_told_at: old })
      .where('payment_id', 'in', [paid, declined])
      .execute()
    await deleteOldUnknown(shop.db)
    expect([await rowOf(paid), await rowOf(declined)]).toEqual([expect.anything(), undefined])
  })

  test.each([
    ['EUR', 48],
    ['JPY', 4800],
  ])('is in the file of its account with what was reported, in %s', async (currency, amount) => {
    const customer = await aCustomer(shop)
    const told = success(anId(), { customer: { id: customer.id } })
    await sendUpdate(shop, { ...told, amountMinor: 4800, currency })
    const { body } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    expect(body.unknownPayments).toMatchObject([{ amount, currency }])
  })

  test('leads to no person once its account is deleted', async () => {
    const customer = await aCustomer(shop)
    const paymentId = anId()
    await sendUpdate(shop, success(paymentId, { customer: { id: customer.id } }))
    expect((await eraseAccount(shop, customer)).status).toBe(200)
    expect(await rowOf(paymentId)).toMatchObject({ gate_customer_id: null })
  })
})
