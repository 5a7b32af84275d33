import { randomUUID } from 'node:crypto'
import type { Reply } from '@hedgerow/testing/call'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { expectAlike, expectProblem, messageFor } from '@hedgerow/testing/problems'
import { fewOrAll } from '@hedgerow/testing/strength'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { hurry } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, paymentRow, reached, startPayment } from '#testing/payments.ts'
import { planFor, startSale } from '#testing/plans.ts'
import { openSecondFront, shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const TYPED = {
  timestamp: '2026-11-21T14:05:00Z',
  description: 'PURCHASE: Timed VPN connections',
  authCode: '831000',
  method: 'Visa/Mastercard',
  pan: '4111111111111111',
  cardHolder: 'Ærø Łódź',
  total: '€45.17',
}

const make = (body: unknown) => shop.call('POST', '/api/v1/invoice', { body })
const invoiceOf = (token: string | undefined, id: string, { call } = shop as Pick<typeof shop, 'call'>) =>
  call('GET', `/api/v1/orders/${id}/invoice`, { token })

const expectPdf = (reply: Reply) => {
  expect(reply.status, reply.text.slice(0, 500)).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/pdf')
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="invoice.pdf"')
  expect(reply.headers.get('cache-control')).toBe('no-store')
  return reply.bytes
}

const textOf = async (reply: Reply) => (await readPdf(expectPdf(reply))).text

describe.skipIf(!hasPdfTools)('POST /api/v1/invoice', () => {
  test('lays out what was typed, and says that it is no invoice', async () => {
    const { text, isClean } = await readPdf(expectPdf(await make(TYPED)))
    const { timestamp, pan, ...printed } = TYPED
    for (const part of [...Object.values(printed), '21/11/2026 14:05', 'This is not an invoice'])
      expect(text).toContain(part)
    expect(text).not.toMatch(/Number \d/)
    expect(isClean).toBe(true)
  })

  test.each(['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111'])(
    'shows of the card number %s the first six and last four digits',
    async (pan) => {
      const text = await textOf(await make({ ...TYPED, pan }))
      expect(text).toContain('411111******1111')
      expect(text.replace(/[\s-]/g, '')).not.toContain('4111111111111111')
    },
  )

  test('issues nothing and keeps nothing', async () => {
    const before = await shop.db.selectFrom('invoices').select('order_id').execute()
    expectPdf(await make(TYPED))
    expect(await shop.db.selectFrom('invoices').select('order_id').execute()).toEqual(before)
  })
})

describe('POST /api/v1/invoice', () => {
  test.each([
    ['timestamp', 'Payment timestamp is required!'],
    ['description', 'Description is required!'],
    ['authCode', 'Authorisation code is required!'],
    ['method', 'Payment method is required!'],
    ['pan', 'PAN is required!'],
    ['cardHolder', "Card holder's name is required!"],
    ['total', 'Total amount & currency symbol is required!'],
  ])('without %s it says: %s', async (field, message) => {
    for (const value of [undefined, null, '', '   ', 7]) {
      const reply = expectProblem(await make({ ...TYPED, [field]: value }), 422)
      expect(messageFor(reply, field)).toBe(message)
      expect(reply.body.errors).toHaveLength(1)
    }
  })

  test.each([
    ['total', '45.17', 'Total amount & currency symbol is required!'],
    ['total', '€', 'Total amount & currency symbol is required!'],
    ['timestamp', 'yesterday', /like 21\/11\/2026 14:05/],
    ['timestamp', '2026-02-30T10:00', /like 21\/11\/2026 14:05/],
    ['description', 'x'.repeat(201), /^Use 200 characters at most$/],
    ['description', 'two\nlines', /cannot be used/],
    ['description', 'two\u2028lines', /cannot be used/],
    ['cardHolder', '\u200b\u2060', /holder's name is required/],
    ['description', 'turned \u202E round', /cannot be used/],
    ['cardHolder', 'x'.repeat(101), /^Use 100 characters at most$/],
    ['cardHolder', 'ཀརྨ', /cannot show the character ཀ/],
    ['description', '😀', /cannot show the character/],
    ['method', 'W'.repeat(60), /./],
    ['pan', 'x'.repeat(41), /^Use 40 characters at most$/],
  ])('refuses %s %j with a message at the field', async (field, value, message) => {
    const reply = await make({ ...TYPED, [field]: value })
    if (field === 'method') expectPdf(reply)
    else expect(messageFor(expectProblem(reply, 422), field)).toMatch(message)
  })

  test('tells all that is missing at once', async () => {
    expect(expectProblem(await make({}), 422).body.errors).toHaveLength(7)
  })

  test('refuses what is larger than a form', async () => {
    expectProblem(await make({ ...TYPED, description: 'x'.repeat(70_000) }), 413)
  })

  test('is bounded by address', async () => {
    const strict = await startTestShop({ env: { RATE_LIMIT_SCALE: '0.1' } })
    const call = () => strict.call('POST', '/api/v1/invoice', { body: TYPED })
    expectPdf(await call())
    expectPdf(await call())
    expectProblem(await call(), 429)
  })
})

describe.skipIf(!hasPdfTools)('GET /api/v1/orders/:id/invoice', () => {
  test('is numbered, and says what was paid, how, and with how much VAT', async () => {
    const choice = { days: 45, connections: 4, features: { feature1: true }, currency: 'GBP' } as const
    const { customer, order } = await aPurchase(shop, choice, { card_holder: 'Zoë Őze' })
    const text = await textOf(await invoiceOf(customer.token, order.orderId))
    const { body } = await shop.call('GET', `/api/v1/orders/${order.orderId}`, { token: customer.token })
    for (const part of [
      `Number ${new Date().getUTCFullYear()}-`,
      'PURCHASE: Timed VPN connections',
      '45 days, 4 connections, Priority bandwidth',
      'Visa/Mastercard',
      '400000******0077',
      'Zoë Őze',
      body.authCode,
      'Net £37.62',
      'VAT 20% included £7.53',
      'Total £45.15',
      shop.settings.brand.company.vatNumber,
    ])
      expect(text).toContain(part)
  })

  test('of a plan names the plan and its period', async () => {
    const customer = await aCustomer(shop)
    const plan = planFor('31 days')
    const paymentId = await startSale(shop, customer, plan)
    await reached(shop, paymentId, 'Success')
    const { order_id } = await paymentRow(shop, paymentId)
    const text = await textOf(await invoiceOf(customer.token, order_id))
    expect(text).toContain(`${plan.name}, 31 days, ${plan.connections} connections`)
    expect(text).toContain(`Total £${(plan.priceMinor / 100).toFixed(2)}`)
  })

  test('is the same file each time, from another process, and after the company has changed', async () => {
    const own = await startTestShop()
    const { customer, order } = await aPurchase(own)
    const first = expectPdf(await invoiceOf(customer.token, order.orderId, own))
    expect(expectPdf(await invoiceOf(customer.token, order.orderId, own))).toEqual(first)
    const env = {
      ...own.env,
      BRAND_NAME: 'Coppice',
      BRAND_COMPANY: 'Coppice Limited',
      BRAND_VAT_NUMBER: 'GB9',
    }
    const rebranded = await openSecondFront({ ...own, env })
    expect(expectPdf(await invoiceOf(customer.token, order.orderId, rebranded))).toEqual(first)
    expect((await readPdf(first)).text).not.toContain('Coppice')
  })
})

describe('GET /api/v1/orders/:id/invoice', () => {
  test('is no one else’s', async () => {
    const [{ order }, eve] = await Promise.all([aPurchase(shop), aCustomer(shop)])
    const hidden = expectProblem(await invoiceOf(eve.token, order.orderId), 404)
    const unknown = expectProblem(await invoiceOf(eve.token, randomUUID()), 404)
    expectAlike(hidden, unknown)
    expectProblem(await invoiceOf(undefined, order.orderId), 401)
    expectProblem(await invoiceOf(eve.token, 'x'), 404)
  })

  test('is not there before the payment, nor after a refusal', async () => {
    const customer = await aCustomer(shop)
    const order = await anOrder(shop, customer)
    expect(expectProblem(await invoiceOf(customer.token, order.orderId), 409).body.detail).toMatch(/not paid/)
    const paymentId = await startPayment(shop, customer, order, { pan: CARDS.declined })
    await reached(shop, paymentId, 'Decline')
    expectProblem(await invoiceOf(customer.token, order.orderId), 409)
    expect(await numbersOf(shop, [order.orderId])).toEqual([])
  })

  test('is issued without being asked for', async () => {
    const { order } = await aPurchase(shop)
    await hurry(shop, 'issue-invoices')
    await until(async () => (await numbersOf(shop, [order.orderId])).length === 1)
  })
})

const numbersOf = async ({ db }: Pick<typeof shop, 'db'>, orderIds: string[]) =>
  (
    await db
      .selectFrom('invoices')
      .select('number')
      .where('order_id', 'in', orderIds)
      .orderBy('number')
      .execute()
  ).map(({ number }) => number)

const numberOf = ({ db }: Pick<typeof shop, 'db'>, orderId: string) =>
  db.selectFrom('invoices').select(['year', 'number']).where('order_id', '=', orderId).executeTakeFirst()

/** Makes a payment an old one that has no invoice yet. */
const backdate = async (own: Pick<typeof shop, 'db'>, orderId: string, paymentId: string, paidAt: string) => {
  // The recurring job has to be through with it: what it has read, it would still write after the change below.
  await until(async () => {
    await hurry(own, 'issue-invoices')
    return (await numberOf(own, orderId)) !== undefined
  })
  await own.db.transaction().execute(async (trx) => {
    await trx.deleteFrom('invoices').where('order_id', '=', orderId).execute()
    await trx
      .updateTable('payments')
      .set({ ended_at: new Date(paidAt), is_invoiced: false })
      .where('id', '=', paymentId)
      .execute()
  })
}

describe('numbers', () => {
  test('orders that are invoiced at once, by two processes and by the round, get numbers without a gap', async () => {
    const most = fewOrAll(12, 50)
    const own = await startTestShop()
    const second = await openSecondFront(own)
    const customer = await aCustomer(own)
    const purchases = await Promise.all(Array.from({ length: most }, () => aPurchase(own, {}, {}, customer)))
    const ids = purchases.map(({ order }) => order.orderId)
    const replies = await Promise.all([
      hurry(own, 'issue-invoices'),
      ...ids.flatMap((id) => [own, second, own].map((front) => invoiceOf(customer.token, id, front))),
    ])
    // A process makes so many documents at once and puts off the rest.
    for (const reply of replies) if (reply) expect([200, 503]).toContain(reply.status)
    expect(await numbersOf(own, ids)).toEqual(Array.from({ length: most }, (_, i) => i + 1))
  })

  test('begin anew with the year in London', async () => {
    const own = await startTestShop()
    const paidAt = async (time: string) => {
      const { customer, order, paymentId } = await aPurchase(own)
      await backdate(own, order.orderId, paymentId, time)
      expectPdf(await invoiceOf(customer.token, order.orderId, own))
      return numberOf(own, order.orderId)
    }
    // Half past midnight in London, half past eleven in UTC: summer time does not reach the new year.
    expect(await paidAt('2024-12-31T23:30:00Z')).toEqual({ year: 2024, number: 1 })
    expect(await paidAt('2025-01-01T00:30:00Z')).toEqual({ year: 2025, number: 1 })
    expect(await paidAt('2025-06-01T00:30:00Z')).toEqual({ year: 2025, number: 2 })
  })

  test('stay with their invoice: it cannot be changed', async () => {
    const { customer, order } = await aPurchase(shop)
    expectPdf(await invoiceOf(customer.token, order.orderId))
    await expect(
      shop.db.updateTable('invoices').set({ number: 999 }).where('order_id', '=', order.orderId).execute(),
    ).rejects.toThrow('never changed')
  })

  test('an order that was paid twice has one invoice', async () => {
    const { customer, order, paymentId } = await aPurchase(shop)
    expectPdf(await invoiceOf(customer.token, order.orderId))
    const row = await shop.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    const twin = { ...row, id: randomUUID().replaceAll('-', ''), refund_due: true, delivered_at: null }
    await shop.db
      .insertInto('payments')
      .values({ ...twin, is_invoiced: false, networks: null, next_action: JSON.stringify(row.next_action) })
      .execute()
    await hurry(shop, 'issue-invoices')
    expectPdf(await invoiceOf(customer.token, order.orderId))
    expect(await numbersOf(shop, [order.orderId])).toHaveLength(1)
  })

  test('an invoice that need not be kept any more is gone, and gets no second number', async () => {
    const own = await startTestShop()
    const { customer, order, paymentId } = await aPurchase(own)
    await backdate(own, order.orderId, paymentId, '2015-06-01T00:00:00Z')
    expectPdf(await invoiceOf(customer.token, order.orderId, own))
    await hurry(own, 'tidy-up')
    await until(async () => (await invoiceOf(customer.token, order.orderId, own)).status === 410)
    await hurry(own, 'issue-invoices')
    expectProblem(await invoiceOf(customer.token, order.orderId, own), 410)
  })
})
