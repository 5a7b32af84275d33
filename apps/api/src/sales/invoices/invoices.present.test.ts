import { expect, test } from 'vitest'
import type { CreditNoteSnapshot, InvoiceSnapshot } from '#platform/database/tables/invoices.table.ts'
import { presentCreditNote, presentInvoice } from '#sales/invoices/invoices.present.ts'

const SOLD: Omit<InvoiceSnapshot, 'cardHolder' | 'authCode' | 'paidAt'> = {
  issuer: { name: 'Hedgerow', company: {} as InvoiceSnapshot['issuer']['company'] },
  ...{ description: 'Connections', details: '30 days', method: 'Card', pan: '400000******0077' },
  ...{ currency: 'EUR', totalMinor: 3000, netMinor: 2500, vatMinor: 500, vatRate: 20 },
}

test('an invoice prints the time of the payment as its tax point, and its own as the time of issue', () => {
  const printed = presentInvoice({
    ...{ year: 2026, number: 7, issued_at: new Date('2026-11-24T08:30:00Z') },
    snapshot: { ...SOLD, cardHolder: 'ADA', authCode: '1', paidAt: '2026-11-21T14:05:00Z' },
  })
  expect([printed.payment.timestamp, printed.issued]).toEqual([
    '21/11/2026 14:05 (UK time)',
    '24/11/2026 08:30 (UK time)',
  ])
})

test('a credit note prints the day of its invoice, that of the refund, and its own', () => {
  const snapshot: CreditNoteSnapshot = {
    ...SOLD,
    invoice: { orderId: 'o', number: '2026-000007', issuedAt: '2026-11-21T14:06:00Z' },
    ...{ refundedAt: '2026-11-27T10:00:00Z', reason: 'operator' },
  }
  const issued_at = new Date('2026-11-28T08:30:00Z')
  const { invoice, refunded, issued } = presentCreditNote({ year: 2026, number: 1, issued_at, snapshot })
  expect({ invoice, refunded, issued }).toEqual({
    invoice: { number: '2026-000007', issued: '21/11/2026 14:06 (UK time)' },
    refunded: '27/11/2026 10:00 (UK time)',
    issued: '28/11/2026 08:30 (UK time)',
  })
})
