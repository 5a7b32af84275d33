import { createHmac } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { settleOver } from '#money/payments/updates/other-sum.ts'
import { BTCPAY, btcpayOf } from '#testing/btcpay.ts'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { connectionsOf, paymentRow, reached, statusOf } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const { store: STORE, secret: SECRET } = BTCPAY

const shop = shopOfFile()
const { ask, switchCrypto, faults, pay, metadataOf, anAttempt, press, check, isAmong } = btcpayOf(shop)

const sendHint = (
  event: object | string,
  { secret = SECRET, header }: { secret?: string; header?: string } = {},
) => {
  const body = typeof event === 'string' ? event : JSON.stringify(event, null, 2)
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  return shop.call('POST', '/api/v1/payment/btcpay', {
    body,
    headers: { 'content-type': 'application/json', 'btcpay-sig': header ?? `sha256=${signature}` },
  })
}

const aHint = (paymentId: string | undefined, more: object = {}) => ({
  type: 'InvoiceSettled',
  storeId: STORE,
  invoiceId: 'any',
  metadata: paymentId === undefined ? {} : { orderId: paymentId },
  ...more,
})

describe('bitcoin', () => {
  test('is no way to pay until operators turn it on', async () => {
    await switchCrypto(false)
    onTestFinished(() => switchCrypto(true))
    const customer = await aCustomer(shop)
    expectProblem(await pay(customer, await anOrder(shop, customer)), 409)
  })

  test('is paid at BTCPay’s page and promised until a block confirms it, which delivers the order', async () => {
    const attempt = await anAttempt()
    const { paymentId } = attempt
    expect(attempt.page).toContain(`${shop.sandbox.url}/i/`)
    await press(attempt, 'full')
    await reached(shop, paymentId, 'processing')
    expect((await metadataOf(paymentId)).promised).toMatchObject({ isCrypto: true })
    expect(await connectionsOf(shop, paymentId)).toEqual([])
    await press(attempt, 'confirm')
    await reached(shop, paymentId, 'Success')
    expect(await connectionsOf(shop, paymentId)).toHaveLength(3)
    expect(await paymentRow(shop, paymentId)).toMatchObject({ gateway: 'btcpay', method: 'crypto' })
    const { gateway_ref } = await paymentRow(shop, paymentId)
    const invoice = await ask('GET', `invoices/${gateway_ref}`)
    expect(invoice).toMatchObject({ metadata: { orderId: paymentId }, status: 'Settled' })
    expect(JSON.stringify(invoice)).not.toContain('@')
  })

  test('over Lightning is there at once', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'lightning')
    await reached(shop, attempt.paymentId, 'Success')
    const { coins } = await paymentRow(shop, attempt.paymentId)
    expect(coins).toEqual([
      expect.objectContaining({ way: 'BTC-LN', id: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    ])
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: attempt.customer.token })
    expect(body[0]).toMatchObject({ method: 'crypto', paidWith: 'Lightning' })
  })

  test('waits for the rest of a part', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'part')
    await until(async () => (await metadataOf(attempt.paymentId)).isPart)
    expect(await statusOf(shop, attempt.paymentId)).toBe('awaiting redirect result')
    await press(attempt, 'full', 'confirm')
    await reached(shop, attempt.paymentId, 'Success')
  })

  test('of which only a part came in time buys nothing, and the part is owed', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'part', 'expire')
    await reached(shop, attempt.paymentId, 'processing')
    expect(await refundsOf(shop, attempt.paymentId)).toEqual([])
    await press(attempt, 'confirm')
    await reached(shop, attempt.paymentId, 'Error')
    const { charged_minor, received_minor } = await paymentRow(shop, attempt.paymentId)
    expect(received_minor).toBe(Math.round(charged_minor * 0.6))
    expect(await refundsOf(shop, attempt.paymentId)).toMatchObject([
      { amount_minor: received_minor, is_by_hand: false, status: 'Pending' },
    ])
    expect(await connectionsOf(shop, attempt.paymentId)).toEqual([])
  })

  test('that is too much buys the order once, and says so', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'over', 'confirm')
    await reached(shop, attempt.paymentId, 'Success')
    const { charged_minor, over_minor } = await paymentRow(shop, attempt.paymentId)
    expect(over_minor).toBe(Math.round(charged_minor * 1.5) - charged_minor)
    const isTold = () => isAmong('other-sum', attempt.paymentId)
    expect(await isTold()).toBe(true)
    expect(await settleOver(shop.db, attempt.paymentId)).toBe(true)
    await check(attempt.paymentId)
    expect(await isTold()).toBe(false)
    expect(await settleOver(shop.db, attempt.paymentId)).toBe(false)
    // Sent again by the wallet, late.
    await sql`update payments set next_check_at = now() where id = ${attempt.paymentId}`.execute(shop.db)
    await press(attempt, 'over')
    await check(attempt.paymentId)
    await until(isTold)
    expect(await connectionsOf(shop, attempt.paymentId)).toHaveLength(3)
  })

  test('is asked for again where another transaction replaced the payment', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'full')
    await reached(shop, attempt.paymentId, 'processing')
    await press(attempt, 'replace')
    await check(attempt.paymentId)
    await reached(shop, attempt.paymentId, 'awaiting redirect result')
    expect((await metadataOf(attempt.paymentId)).url).toBe(attempt.page)
    await press(attempt, 'lightning')
    await reached(shop, attempt.paymentId, 'Success')
  })

  test('that comes late buys the order all the same, also if no event told of it', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'expire')
    await reached(shop, attempt.paymentId, 'Decline')
    await faults({ dropCallbacks: true })
    await press(attempt, 'full', 'confirm')
    await faults({ dropCallbacks: false })
    await check(attempt.paymentId)
    await reached(shop, attempt.paymentId, 'Success')
    expect(await connectionsOf(shop, attempt.paymentId)).toHaveLength(3)
  })

  test('that comes late counts once it is confirmed: until then it may be replaced', async () => {
    const [ended, waiting] = [await anAttempt(), await anAttempt()]
    await press(ended, 'expire')
    await reached(shop, ended.paymentId, 'Decline')
    await press(ended, 'full')
    await press(waiting, 'late')
    await reached(shop, waiting.paymentId, 'processing')
    await check(ended.paymentId)
    expect(await statusOf(shop, ended.paymentId)).toBe('Decline')
    await press(ended, 'replace')
    await press(waiting, 'replace')
    for (const { paymentId } of [ended, waiting]) {
      await check(paymentId)
      await reached(shop, paymentId, 'Decline')
      expect(await connectionsOf(shop, paymentId)).toEqual([])
    }
    await press(ended, 'full', 'confirm')
    await reached(shop, ended.paymentId, 'Success')
  })

  test('that comes late for an order that was paid otherwise is owed', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'expire')
    await reached(shop, attempt.paymentId, 'Decline')
    const other = (await pay(attempt.customer, attempt.order)).body.paymentId
    await reached(shop, other, 'awaiting redirect result')
    await press({ page: (await metadataOf(other)).url }, 'lightning')
    await reached(shop, other, 'Success')
    await press(attempt, 'full', 'confirm')
    await reached(shop, attempt.paymentId, 'Success')
    await until(async () => (await refundsOf(shop, attempt.paymentId))[0]?.reason === 'paid-twice')
    expect(await connectionsOf(shop, attempt.paymentId)).toEqual([])
  })

  test('that no block confirmed in time stays promised, and is asked about', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'full', 'stuck')
    await until(
      async () => (await ask('GET', `invoices?orderId=${attempt.paymentId}`))[0].status === 'Invalid',
    )
    await check(attempt.paymentId)
    await reached(shop, attempt.paymentId, 'processing')
    expect((await paymentRow(shop, attempt.paymentId)).next_check_at).not.toBeNull()
    await sql`update payments set created_at = now() - interval '1 day' where id = ${attempt.paymentId}`.execute(
      shop.db,
    )
    expect(await isAmong('stuck', attempt.paymentId)).toBe(true)
    expect((await metadataOf(attempt.paymentId)).promised).toMatchObject({ isCrypto: true })
    const { gateway_ref } = await paymentRow(shop, attempt.paymentId)
    await ask('POST', `invoices/${gateway_ref}/status`, { status: 'Settled' })
    await reached(shop, attempt.paymentId, 'Success')
    expect(await isAmong('stuck', attempt.paymentId)).toBe(false)
  })

  test('has one invoice, also where the answer that made it was lost', async () => {
    await faults({ failSales: 'drop-after-accept', failRate: 1 })
    const attempt = await anAttempt()
    await faults({ failSales: 'none' })
    await press(attempt, 'lightning')
    await reached(shop, attempt.paymentId, 'Success')
    expect(await ask('GET', `invoices?orderId=${attempt.paymentId}`)).toHaveLength(1)
  })

  test('pays even if no event comes, because the server is asked; and once, however often they come', async () => {
    const [silent, loud] = [await anAttempt(), await anAttempt()]
    await faults({ dropCallbacks: true })
    await press(silent, 'lightning')
    await check(silent.paymentId)
    await reached(shop, silent.paymentId, 'Success')
    await faults({ dropCallbacks: false, duplicateCallbacks: 3, reorderCallbacks: true })
    await press(loud, 'lightning')
    await reached(shop, loud.paymentId, 'Success')
    await faults({ duplicateCallbacks: 0, reorderCallbacks: false })
    expect(await connectionsOf(shop, loud.paymentId)).toHaveLength(3)
  })

  test.each([
    ['sum', sql`charged_minor = charged_minor + 1`],
    ['currency', sql`charged_currency = 'GBP', currency = 'GBP'`],
  ])('buys nothing where another %s came than the shop asked for', async (_, asked) => {
    const attempt = await anAttempt()
    await sql`update payments set ${asked} where id = ${attempt.paymentId}`.execute(shop.db)
    await press(attempt, 'lightning')
    await reached(shop, attempt.paymentId, 'Error')
    expect(await connectionsOf(shop, attempt.paymentId)).toEqual([])
    expect(await refundsOf(shop, attempt.paymentId)).toMatchObject([{ reason: 'other-sum' }])
  })

  test('that is paid while the server is away for a day is asked about for as long, and buys the order', async () => {
    const attempt = await anAttempt()
    await faults({ dropCallbacks: true })
    await press(attempt, 'full', 'confirm')
    await faults({ dropCallbacks: false, failCalls: 1 })
    await sql`update payments set created_at = now() - interval '1 day' where id = ${attempt.paymentId}`.execute(
      shop.db,
    )
    await check(attempt.paymentId)
    expect(await statusOf(shop, attempt.paymentId)).toBe('awaiting redirect result')
    await faults({ failCalls: 0 })
    await check(attempt.paymentId)
    await reached(shop, attempt.paymentId, 'Success')
  })

  test('pays with an invoice of its own only', async () => {
    const [mine, foreign] = [await anAttempt(), await anAttempt()]
    await press(foreign, 'lightning')
    await reached(shop, foreign.paymentId, 'Success')
    const { gateway_ref } = await paymentRow(shop, foreign.paymentId)
    await sql`update payments set gateway_ref = ${gateway_ref} where id = ${mine.paymentId}`.execute(shop.db)
    expect((await sendHint(aHint(mine.paymentId))).status).toBe(200)
    expect(await statusOf(shop, mine.paymentId)).toBe('awaiting redirect result')
    expect(await connectionsOf(shop, mine.paymentId)).toEqual([])
  })
})

describe('a webhook', () => {
  test('counts if one of the secrets signed these very bytes, and says nothing by itself', async () => {
    const { paymentId } = await anAttempt()
    expect((await sendHint(aHint(paymentId))).status).toBe(200)
    expect(await statusOf(shop, paymentId)).toBe('awaiting redirect result')
    expectProblem(await sendHint(aHint(paymentId), { secret: 'another' }), 400)
    for (const header of ['', 'sha256=', `sha256=${'0'.repeat(64)}`, `sha512=${'0'.repeat(64)}`])
      expectProblem(await sendHint(aHint(paymentId), { header }), 400)
    const text = JSON.stringify(aHint(paymentId))
    const header = `sha256=${createHmac('sha256', SECRET)
      .update(JSON.stringify(JSON.parse(text), null, 2))
      .digest('hex')}`
    expectProblem(await sendHint(text, { header }), 400)
  })

  test('of another store, another shop or of no payment is let be', async () => {
    const { paymentId } = await anAttempt()
    expect((await sendHint(aHint(paymentId, { storeId: 'other' }))).status).toBe(200)
    for (const id of [undefined, 'f'.repeat(32), 'order-17', '__proto__'])
      expect((await sendHint(aHint(id))).status).toBe(200)
    expect(await shop.db.selectFrom('unknown_payments').selectAll().execute()).toEqual([])
  })

  test('that is no event, or too large, does no harm', async () => {
    for (const text of ['', 'null', '[]', '{"type":1}', '{']) expectProblem(await sendHint(text), 400)
    expectProblem(await sendHint(`{"a":"${'x'.repeat(300 * 1024)}"}`), 413)
  })
})
