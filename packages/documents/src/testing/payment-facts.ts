import type { PaymentFacts } from '../invoice-pdf.ts'

/** What a paper says of a payment. */
export const PAYMENT: PaymentFacts = {
  timestamp: '21/11/2026 14:05',
  description: 'PURCHASE: Timed VPN connections',
  authCode: '831000',
  method: 'Visa/Mastercard',
  pan: '400000******0077',
  cardHolder: 'ADA LOVELACE',
  total: '£45.17',
}
