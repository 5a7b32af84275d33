/** Who carries payments. A payment stays with the gateway that it began at: its refunds and disputes are made there. */
export const GATEWAYS = ['gate', 'stripe'] as const

export type GatewayName = (typeof GATEWAYS)[number]

/** As operators and records name them. */
export const GATEWAY_TITLES: Readonly<Record<GatewayName, string>> = { gate: 'Gate', stripe: 'Stripe' }
