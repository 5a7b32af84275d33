import { createHmac } from 'node:crypto'
import { DEFAULT_SETTINGS } from '@hedgerow/sandbox/settings'
import type { Json } from '@hedgerow/testing/call'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { setRunningSetting } from '#platform/running-settings/running-settings.ts'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { connectionsOf, paymentRow, reached, statusOf } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const { btcpayKey: KEY, btcpayStore: STORE, btcpayWebhookSecret: SECRET } = DEFAULT_SETTINGS

const shop = shopOfFile()

const ask = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await fetch(`${shop.sandbox.url}/api/v1/stores/${STORE}/${path}`, {
    method,
    headers: { authorization: `token ${KEY}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return reply.json()
}

const switchCrypto = async (on: boolean): Promise<void> => {
  if (on) await setRunningSetting(shop.db, 'crypto-gateway', 'btcpay', null)
  else await shop.db.deleteFrom('running_settings').where('name', '=', 'crypto-gateway').execute()
  const isOn = async () => (await shop.call('GET', '/api/v1/payment/methods')).body.takesCrypto === true
  await until(async () => (await isOn()) === on)
}

beforeAll(async () => {
  await ask('POST', 'webhooks', { url: `${shop.url}/api/v1/payment/btcpay`, secret: SECRET })
  await switchCrypto(true)
})

const faults = async (changes: object): Promise<void> => {
  const reply = await fetch(`${shop.sandbox.url}/btcpay/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(changes),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

type Attempt = Awaited<ReturnType<typeof anAttempt>>

const pay = async (customer: { token: string }, order: Json, more: object = {}) =>
  shop.call('POST', `/api/v1/orders/crypto/${order.orderId}`, {
    token: customer.token,
    body: { total: order.total, currency: order.currency.code, acceptTerms: true, ...more },
  })

const metadataOf = async (paymentId: string): Promise<Json> =>
  JSON.parse((await shop.call('GET', `/api/v1/payment/status/${paymentId}`)).body.metadata)

/** An attempt whose customer stands before the invoice. */
const anAttempt = async () => {
  const customer = await aCustomer(shop)
  const order = await anOrder(shop, customer)
  const { status, body } = await pay(customer, order)
  expect(status).toBe(200)
  const { paymentId } = body
  await reached(shop, paymentId, 'awaiting redirect result')
  return {
    customer,
    order,
    paymentId: paymentId as string,
    page: (await metadataOf(paymentId)).url as string,
  }
}

/** What the customer does, and the network. */
const press = async ({ page }: Pick<Attempt, 'page'>, ...acts: string[]): Promise<void> => {
  for (const act of acts) {
    const reply = await fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ act }),
      redirect: 'manual',
    })
    expect(reply.status).toBe(303)
  }
}

const check = async (paymentId: string): Promise<void> => {
  await sql`update payments set next_check_at = now() where id = ${paymentId} and next_check_at is not null`.execute(
    shop.db,
  )
  await hurry(shop, 'check-payments')
}

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
  })

  test('waits for the rest of a part', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'part')
    await until(async () => (await paymentRow(shop, attempt.paymentId)).gate_status === 'New, PaidPartial')
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
      { amount_minor: received_minor, is_by_hand: true, status: 'Pending' },
    ])
    expect(await connectionsOf(shop, attempt.paymentId)).toEqual([])
  })

  test('that is too much buys the order once, and says so', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'over', 'confirm')
    await reached(shop, attempt.paymentId, 'Success')
    expect((await paymentRow(shop, attempt.paymentId)).gate_status).toBe('Settled, PaidOver')
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
    expect(await statusOf(shop, attempt.paymentId)).toBe('processing')
    expect((await paymentRow(shop, attempt.paymentId)).next_check_at).not.toBeNull()
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

  test('is given back by hand, on the operator’s word', async () => {
    const attempt = await anAttempt()
    await press(attempt, 'lightning')
    await reached(shop, attempt.paymentId, 'Success')
    expect(await requestRefund({ db: shop.db }, { paymentId: attempt.paymentId })).toMatchObject({
      kind: 'recorded',
      isByHand: true,
    })
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
