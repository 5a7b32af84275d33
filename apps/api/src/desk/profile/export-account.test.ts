import { isoDay } from '@hedgerow/domain/dates'
import { creditNoteNumber, invoiceNumber } from '@hedgerow/domain/invoices'
import { monthOf } from '@hedgerow/domain/periods'
import { expectProblem } from '@hedgerow/testing/problems'
import { describe, expect, test } from 'vitest'
import { noted, refund } from '#testing/credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { anOrder } from '#testing/orders.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const dataOf = (token?: string) => shop.call('GET', '/api/v1/user/data', { token })

describe('GET /api/v1/user/data', () => {
  test('holds the account, its sessions, orders, payments and connections', async () => {
    const { customer, order, paymentId } = await aPurchase(shop, { days: 7 })
    const declined = await anOrder(shop, customer)
    const second = await startPayment(shop, customer, declined, { pan: CARDS.declined })
    await reached(shop, second, 'Decline')
    await shop.call('PUT', '/api/v1/user', { token: customer.token, body: { phone: '+44 1' } })
    const { status, body } = await dataOf(customer.token)
    const profile = (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body
    expect(status).toBe(200)
    expect(body.account).toMatchObject({
      email: customer.email,
      name: customer.name,
      phone: '+44 1',
      promocode: profile.promocode,
      termsAcceptedAt: expect.stringMatching(/Z$/),
      confirmedAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(body.sessions).toHaveLength(1)
    expect(body.orders.map(({ orderId }: { orderId: string }) => orderId)).toEqual([
      order.orderId,
      declined.orderId,
    ])
    expect(body.payments).toMatchObject([
      { paymentId, orderId: order.orderId, status: 'Success', amount: 7, pan: '400000******0077' },
      { paymentId: second, orderId: declined.orderId, status: 'Decline', amount: 30 },
    ])
    expect(body.connections).toMatchObject(profile.connections)
    expect(body.connections[0]).toMatchObject({ paymentId, features: { feature1: false } })
  })

  test('holds the invoices of paid orders as they were issued', async () => {
    const { customer, order } = await aPurchase(shop, { days: 7 }, { card_holder: 'AUGUSTA BYRON' })
    await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token: customer.token })
    const { issued_at, year, number } = await shop.db
      .selectFrom('invoices')
      .selectAll()
      .where('order_id', '=', order.orderId)
      .executeTakeFirstOrThrow()
    const { invoices, payments } = (await dataOf(customer.token)).body
    const rateDay = `${monthOf(isoDay(new Date(payments[0].endedAt)))}-01`
    expect(invoices).toEqual([
      {
        orderId: order.orderId,
        number: invoiceNumber(year, number),
        issuedAt: issued_at.toISOString(),
        paidAt: payments[0].endedAt,
        description: 'PURCHASE: Timed VPN connections',
        details: '7 days, 3 connections',
        method: 'Visa/Mastercard',
        pan: '400000******0077',
        cardHolder: 'AUGUSTA BYRON',
        authCode: payments[0].authCode,
        currency: 'EUR',
        net: 5.83,
        vat: 1.17,
        vatRate: 20,
        total: 7,
        buyer: { name: customer.name, address: [] },
        taxedAs: { treatment: 'uk', country: null },
        sterling: { net: 5.07, vat: 1.02, total: 6.09, rateMicro: 1_150_000, rateDay },
        issuer: expect.objectContaining({ name: 'Hedgerow' }),
      },
    ])
    expect((await dataOf((await aCustomer(shop)).token)).body.invoices).toEqual([])
  })

  test('holds the credit notes of refunds, and nobody else’s', async () => {
    const { customer, paymentId } = await aPurchase(shop, { days: 7 })
    const { id } = await refund(shop, paymentId, '3.00')
    const [note] = await noted(shop, paymentId, 1)
    const { invoices, creditNotes } = (await dataOf(customer.token)).body
    expect(creditNotes).toEqual([
      {
        refundId: id,
        paymentId,
        number: creditNoteNumber(note?.year ?? 0, note?.number ?? 0),
        invoiceNumber: invoices[0].number,
        issuedAt: note?.issued_at.toISOString(),
        refundedAt: expect.stringMatching(/Z$/),
        reason: 'operator',
        description: 'PURCHASE: Timed VPN connections',
        details: '7 days, 3 connections',
        method: 'Visa/Mastercard',
        pan: '400000******0077',
        currency: 'EUR',
        net: 2.5,
        vat: 0.5,
        vatRate: 20,
        total: 3,
        buyer: { name: customer.name, address: [] },
        taxedAs: { treatment: 'uk', country: null },
        // At the rate of the invoice.
        sterling: { ...invoices[0].sterling, net: 2.17, vat: 0.44, total: 2.61 },
        issuer: expect.objectContaining({ name: 'Hedgerow' }),
      },
    ])
    expect((await dataOf((await aCustomer(shop)).token)).body.creditNotes).toEqual([])
  })

  test('comes as a file named after the brand, and is never kept by a cache', async () => {
    const { token } = await aCustomer(shop)
    const { headers } = await dataOf(token)
    expect(headers.get('content-disposition')).toBe('attachment; filename="hedgerow-data.json"')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('holds no password, no token, and nothing of anyone else', async () => {
    const [{ customer }, eve] = await Promise.all([aPurchase(shop), aPurchase(shop)])
    const { text } = await dataOf(customer.token)
    const row = await shop.db
      .selectFrom('customers')
      .select('password_hash')
      .where('id', '=', customer.id)
      .executeTakeFirstOrThrow()
    expect(text).not.toContain(row.password_hash)
    expect(text).not.toContain(customer.token)
    expect(text).not.toContain(CARDS.paid)
    for (const theirs of [eve.customer.email, eve.customer.id, eve.order.orderId, eve.paymentId])
      expect(text).not.toContain(theirs)
  })

  test('holds every order, also where the list of the shop ends', async () => {
    const customer = await aCustomer(shop)
    await Promise.all(Array.from({ length: 105 }, () => anOrder(shop, customer)))
    expect((await dataOf(customer.token)).body.orders).toHaveLength(105)
  })

  test('is refused to whoever is signed out, and when it is asked for too often', async () => {
    expectProblem(await dataOf(), 401)
    const limited = await startTestShop({ env: { RATE_LIMIT_SCALE: '0.1' } })
    const { token } = await aCustomer(limited)
    const ask = () => limited.call('GET', '/api/v1/user/data', { token })
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
    expectProblem(await ask(), 429)
  })
})
