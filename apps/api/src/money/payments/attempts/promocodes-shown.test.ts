import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { mailbox } from '@hedgerow/testing/mailbox'
import { describe, expect, test } from 'vitest'
import { aPartner } from '#testing/partners.ts'
import { aPurchase, CARDS, reached, startPayment } from '#testing/payments.ts'
import { anOrderWith, buyWith, enterPromocode } from '#testing/promocodes.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

describe('what was taken off is shown', () => {
  test('in the payment history, attempt by attempt', async () => {
    const { promocode, ...partner } = await aPartner(shop)
    const { customer, order } = await anOrderWith(shop, { promocode, ...partner })
    await reached(shop, await startPayment(shop, customer, order, { pan: CARDS.declined }), 'Decline')
    await enterPromocode(shop, customer, order, null)
    await reached(shop, await startPayment(shop, customer, { ...order, total: 30 }), 'Success')
    const { body } = await shop.call('GET', '/api/v1/payment/history', { token: customer.token })
    expect(body).toMatchObject([
      { total: 30, status: 'Success' },
      { total: 27, price: 30, discount: 3, promocode, status: 'Decline' },
    ])
    expect(body[0]).not.toHaveProperty('promocode')
  })

  test('in the file with all data', async () => {
    const partner = await aPartner(shop)
    const { promocode } = partner
    const { customer, order, paymentId } = await buyWith(shop, partner)
    await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token: customer.token })
    const { body } = await shop.call('GET', '/api/v1/user/data', { token: customer.token })
    expect(body.orders).toMatchObject([{ price: 30, discount: 3, total: 27, promocode }])
    expect(body.payments).toMatchObject([{ paymentId, amount: 27, promocode }])
    expect(body.invoices).toMatchObject([
      { price: 30, discount: 3, net: 22.5, vat: 4.5, total: 27, promocode },
    ])
  })

  test.skipIf(!hasPdfTools)('on the invoice, whose VAT is of what was paid', async () => {
    const partner = await aPartner(shop)
    const { customer, order } = await buyWith(shop, partner)
    const path = `/api/v1/orders/${order.orderId}/invoice`
    const { bytes } = await shop.call('GET', path, { token: customer.token })
    const { text, isClean } = await readPdf(bytes)
    for (const part of [
      'Price €30.00',
      `Promocode ${partner.promocode} −€3.00`,
      'Net €22.50',
      'VAT 20% included €4.50',
      'Total €27.00',
    ])
      expect(text).toContain(part)
    expect(isClean).toBe(true)
  })

  test('in the receipt', async () => {
    const partner = await aPartner(shop)
    const { customer } = await buyWith(shop, partner)
    const { text } = await mailbox(shop).latest(customer.email, 'Your receipt')
    expect(text).toContain('We received €27.00')
    expect(text).toContain(`Promocode ${partner.promocode}, −€3.00. The price without it is €30.00.`)
  })

  test('nowhere, where nothing was', async () => {
    const { customer, order } = await aPurchase(shop)
    const { text } = await mailbox(shop).latest(customer.email, 'Your receipt')
    expect(text).not.toMatch(/promocode/i)
    const { snapshot } = await shop.db
      .selectFrom('invoices')
      .select('snapshot')
      .where('order_id', '=', order.orderId)
      .executeTakeFirstOrThrow()
    expect(Object.keys(snapshot)).not.toContain('discount')
  })
})
