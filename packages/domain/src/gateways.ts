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

/** Those whose refunds can fail after they were a success, days later: a bank could not place them. */
export const REFUNDS_CAN_COME_BACK: readonly GatewayName[] = ['stripe']

/** Those that hold no money for the shop: it comes into a wallet of its own, refunds leave that, and they tell of sales alone. */
export const PAID_INTO_WALLET: readonly GatewayName[] = ['btcpay']
