/** How a payment can be made (spec §2, the tabs of the order checkout). */
export const PAYMENT_METHODS = ['card', 'open_banking', 'blik'] as const

export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** As the tabs and the payment history call them. */
export const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  card: 'Card',
  open_banking: 'Open Banking',
  blik: 'Blik',
}
