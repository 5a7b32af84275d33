import { createBtcpayClient } from '#money/gateway/btcpay/btcpay-client.ts'
import { createGateClient } from '#money/gateway/gate/gate-client.ts'
import { type Gateways, WITHOUT_KEYS } from '#money/gateway/gateway.ts'
import { createStripeClient } from '#money/gateway/stripe/stripe-client.ts'
import type { Settings } from '#platform/settings.ts'

/** For a program that only asks how payments stand and sends refunds, which tells no gateway an address of ours. */
export const gatewaysWhenAsked = (settings: Pick<Settings, 'gate' | 'stripe' | 'btcpay'>): Gateways => ({
  get gate() {
    const { gate } = settings
    return gate ? createGateClient({ gate, publicUrl: '' }) : WITHOUT_KEYS
  },
  get stripe() {
    const { stripe } = settings
    return stripe ? createStripeClient({ stripe, publicUrl: '' }) : undefined
  },
  get btcpay() {
    const { btcpay } = settings
    return btcpay ? createBtcpayClient({ btcpay, publicUrl: '' }) : undefined
  },
})
