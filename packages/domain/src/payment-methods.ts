import { BLIK_CURRENCY, type ChargedCurrency } from './exchange.ts'
import type { CurrencyCode } from './money.ts'

/** How a payment can be made (spec §2, the tabs of the order checkout; the last one only where operators have turned it on). */
export const PAYMENT_METHODS = ['card', 'open_banking', 'blik', 'crypto'] as const

export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

type MethodFacts = {
  /** As the tabs and the payment history call it. */
  name: string
  /**
   * Whether the gateway gives money back by itself; else the operator sends it by hand (gate.md §5.2), or it waits until the
   * customer has said where it is to go.
   */
  refund: 'sent' | 'by-hand' | 'claimed'
  /** What is charged where that is not the price's currency. */
  settlesIn?: typeof BLIK_CURRENCY
}

const FACTS: Readonly<Record<PaymentMethod, MethodFacts>> = {
  card: { name: 'Card', refund: 'sent' },
  open_banking: { name: 'Open Banking', refund: 'by-hand' },
  blik: { name: 'Blik', refund: 'sent', settlesIn: BLIK_CURRENCY },
  crypto: { name: 'Bitcoin and Lightning', refund: 'claimed' },
}

export const METHOD_NAMES = Object.fromEntries(
  PAYMENT_METHODS.map((method) => [method, FACTS[method].name]),
) as Readonly<Record<PaymentMethod, string>>

export const isRefundedByHand = (method: PaymentMethod): boolean => FACTS[method].refund === 'by-hand'

/** Whether the customer has to say where a refund goes. */
export const isRefundClaimed = (method: PaymentMethod): boolean => FACTS[method].refund === 'claimed'

/** The currency in which a price in this one is charged. */
export const chargedCurrency = (method: PaymentMethod, currency: CurrencyCode): ChargedCurrency =>
  FACTS[method].settlesIn ?? currency
