import { describe, expect, test } from 'vitest'
import { readBtcpayInvoice } from '#money/gateway/btcpay/btcpay-bookings.ts'

const PAYMENT = 'a'.repeat(32)

const anInvoice = (status: string, additionalStatus = 'None', more: object = {}) => ({
  ...{ id: 'inv1', storeId: 'store', amount: '33.50', paidAmount: '33.50', currency: 'GBP' },
  ...{ status, additionalStatus, createdTime: 1_790_000_000, checkoutLink: 'https://pay.example/i/inv1' },
  metadata: { orderId: PAYMENT },
  ...more,
})

const bookingOf = (row: unknown, confirmed = 0) => {
  const read = readBtcpayInvoice(row, 'store', confirmed)
  return read.kind === 'operation' ? [read.operation.status, read.operation.initial.minor] : read.kind
}

describe('an invoice of BTCPay', () => {
  test.each([
    ['settled', anInvoice('Settled'), ['success', 3350]],
    [
      'paid too much, of which the shop counts its price',
      anInvoice('Settled', 'PaidOver', { paidAmount: '50' }),
      ['success', 3350],
    ],
    ['paid late', anInvoice('Expired', 'PaidLate'), ['success', 3350], 3350],
    ['paid late, and not confirmed', anInvoice('Expired', 'PaidLate'), 'left-out'],
    ['paid in part', anInvoice('Expired', 'PaidPartial', { paidAmount: '20.1' }), ['success', 2010], 2010],
    ['marked invalid, though it may have been settled', anInvoice('Invalid', 'Marked'), ['decline', 3350]],
    ['not paid', anInvoice('Expired', 'None', { paidAmount: '0' }), 'left-out'],
    ['not confirmed', anInvoice('Processing'), 'left-out'],
    ['of another store', anInvoice('Settled', 'None', { storeId: 'other' }), 'left-out'],
    ['of somebody else', anInvoice('Settled', 'None', { metadata: { orderId: 'A-17' } }), 'left-out'],
    ['without an order', anInvoice('Settled', 'None', { metadata: {} }), 'left-out'],
    ['without a time', anInvoice('Settled', 'None', { createdTime: 'now' }), 'unreadable'],
    ['without a sum', anInvoice('Settled', 'None', { amount: 'much' }), 'unreadable'],
    ['that is none', null, 'unreadable'],
  ])('%s', (_, row, booking, confirmed = 0) => expect(bookingOf(row, confirmed)).toEqual(booking))
})
