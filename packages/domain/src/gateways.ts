import type { PaymentMethod } from './payment-methods.ts'

/** Who carries payments. A payment stays with the gateway that it began at: its refunds and disputes are made there. */
export const GATEWAYS = ['gate', 'stripe', 'btcpay'] as const

export type GatewayName = (typeof GATEWAYS)[number]

/** As operators and records name them. */
export const GATEWAY_TITLES: Readonly<Record<GatewayName, string>> = {
  gate: 'Gate',
  stripe: 'Stripe',
  btcpay: 'BTCPay',
}

/** Who can carry each method. The first does, unless operators have chosen another. */
export const CARRIERS = {
  card: ['gate', 'stripe'],
  open_banking: ['gate'],
  blik: ['gate'],
  crypto: ['btcpay'],
} as const satisfies Readonly<Record<PaymentMethod, readonly GatewayName[]>>

/** Methods that nobody carries until operators turn them on, and what that is called in their place. */
export const NOBODY = 'off'
