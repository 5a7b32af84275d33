import { randomUUID } from 'node:crypto'
import { isoDay } from '@hedgerow/domain/dates'
import type { Reply } from '@hedgerow/testing/call'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { expectAlike, expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { noted, notesOf, paidTwice, refund } from '#testing/credit-notes.ts'
import { aCustomer } from '#testing/customers.ts'
import { postpone } from '#testing/jobs.ts'
import { anOrder } from '#testing/orders.ts'
import { answerElsewhere, payByBlik, startBy } from '#testing/payment-methods.ts'
import { aPurchase, reached } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'
import { openSecondFront, shopOfFile, startTestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const noteOf = (token: string | undefined, id: string, { call } = shop as Pick<typeof shop, 'call'>) =>
  call('GET', `/api/v1/refunds/${id}/credit-note`, { token })

const expectPdf = (reply: Reply) => {
  expect(reply.status, reply.text.slice(0, 500)).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/pdf')
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="credit-note.pdf"')
  expect(reply.headers.get('cache-control')).toBe('no-store')
  return reply.bytes
}

const aProfile = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  addressString: '12 St James’s Square',
  addressCity: 'London',
}

describe.skipIf(!hasPdfTools)('GET /api/v1/refunds/:id/credit-note', () => {
  test('names the invoice, whom it is to, and what went back, in pounds too', async () => {
    const customer = await aCustomer(shop)
    await shop.call('PUT', '/api/v1/user', { token: customer.token, body: aProfile })
    const { paymentId, order } = await aPurchase(shop, {}, {}, customer)
    const { id } = await refund(shop, paymentId, '10.00')
    const { text, isClean } = await readPdf(expectPdf(await noteOf(customer.token, id)))
    const [year, month] = isoDay(new Date()).split('-')
    for (const part of [
      `Number CN-${year}-`,
      `Credits invoice ${year}-`,
      'Ada Lovelace',
      '12 St James’s Square',
      'Net credited €8.33',
      'VAT 20% included €1.67',
      'Total credited €10.00',
      'Net in pounds £',
      `HMRC's rate of 1.15 EUR to the pound, from 01/${month}/${year}`,
      '400000******0077',
    ])
      expect(text).toContain(part)
    expect(isClean).toBe(true)
    const invoice = await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, {
      token: customer.token,
    })
    const { text: invoiced } = await readPdf(invoice.bytes)
    for (const part of ['Ada Lovelace', 'VAT in pounds £', 'Paid (tax point)'])
      expect(invoiced).toContain(part)
  })

  test('of what was paid in złoty says both sums', async () => {
    const customer = await aCustomer(shop)
    const paymentId = await startBy(payByBlik, shop, customer, await anOrder(shop, customer))
    await reached(shop, paymentId, 'awaiting redirect result')
    await answerElsewhere(shop, paymentId, 'approve', '123456')
    await reached(shop, paymentId, 'Success')
    const { id } = await refund(shop, paymentId, '20.00')
    const { text } = await readPdf(expectPdf(await noteOf(customer.token, id)))
    expect(text).toMatch(/Total credited €\d+\.\d\d Paid back 20\.00 PLN/)
    expect(text).toContain('PLN to the euro')
    expect(text).not.toContain('Card number')
  })

  test('is the same file each time, from another process, and after company and profile have changed', async () => {
    const own = await startTestShop()
    const { customer, paymentId } = await aPurchase(own)
    const { id } = await refund(own, paymentId)
    const first = expectPdf(await noteOf(customer.token, id, own))
    expect(expectPdf(await noteOf(customer.token, id, own))).toEqual(first)
    await own.call('PUT', '/api/v1/user', { token: customer.token, body: { firstName: 'Augusta' } })
    const env = {
      ...own.env,
      BRAND_NAME: 'Coppice',
      BRAND_COMPANY: 'Coppice Limited',
      BRAND_VAT_NUMBER: 'GB9',
    }
    const rebranded = await openSecondFront({ ...own, env })
    expect(expectPdf(await noteOf(customer.token, id, rebranded))).toEqual(first)
  })
})

describe('GET /api/v1/refunds/:id/credit-note', () => {
  test('is no one else’s', async () => {
    const [{ customer, paymentId }, eve] = await Promise.all([aPurchase(shop), aCustomer(shop)])
    const { id } = await refund(shop, paymentId, '3.00')
    const hidden = expectProblem(await noteOf(eve.token, id), 404)
    expectAlike(hidden, expectProblem(await noteOf(eve.token, randomUUID()), 404))
    expectProblem(await noteOf(undefined, id), 401)
    expectProblem(await noteOf(eve.token, 'x'), 404)
    expectPdf(await noteOf(customer.token, id))
  })

  test('issues what the round has not come to, once, however many ask at once', async () => {
    const own = await startTestShop()
    await postpone(own, 'issue-invoices')
    const { customer, paymentId } = await aPurchase(own)
    const { id } = await refund(own, paymentId)
    const replies = await Promise.all(Array.from({ length: 4 }, () => noteOf(customer.token, id, own)))
    for (const reply of replies) expectPdf(reply)
    expect((await notesOf(own, paymentId)).map(({ number }) => number)).toEqual([1])
  })

  test('is not there while the money is under way, nor of what bought nothing', async () => {
    const { customer, first } = await paidTwice(shop)
    const twice = await until(async () => (await refundsOf(shop, first))[0])
    const reply = expectProblem(await noteOf(customer.token, twice.id), 404)
    expect(reply.body.detail).toBe('There is no credit note for this refund.')
    await until(async () => (await refundsOf(shop, first))[0]?.status === 'Success')
    expectProblem(await noteOf(customer.token, twice.id), 404)
    expect(await notesOf(shop, first)).toEqual([])
  })
})

test('the payment history says which credit note a refund has', async () => {
  const { customer, paymentId } = await aPurchase(shop)
  const { id } = await refund(shop, paymentId, '4.00')
  const [note] = await noted(shop, paymentId, 1)
  const [item] = (await shop.call('GET', '/api/v1/payment/history', { token: customer.token })).body
  expect(item.refunds).toMatchObject([
    { _id: id, creditNote: `CN-${note?.year}-${String(note?.number).padStart(6, '0')}`, total: 4 },
  ])
})
