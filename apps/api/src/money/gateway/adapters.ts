import { GATEWAYS, type GatewayName } from '@hedgerow/domain/gateways'
import type { Adapter, GatewaySettings } from '#money/gateway/adapter.ts'
import type { BookingSource } from '#money/gateway/booking-source.ts'
import { btcpay } from '#money/gateway/btcpay/adapter.ts'
import { gate } from '#money/gateway/gate/adapter.ts'
import { type Gateway, type Gateways, WITHOUT_KEYS } from '#money/gateway/gateway.ts'
import { stripe } from '#money/gateway/stripe/adapter.ts'

/** A new gateway is a folder, its keys among the settings, and a name here and in domain/gateways. */
export const ADAPTERS = { gate, stripe, btcpay }

type Open = <G extends Gateway>(adapter: Adapter<G>, name: keyof typeof ADAPTERS) => G | undefined

/** Each when it is asked for, so that a program needs the keys of those only that it asks. */
export const openGateways = (open: Open): Gateways => ({
  get gate() {
    return open(gate, 'gate') ?? WITHOUT_KEYS
  },
  get stripe() {
    return open(stripe, 'stripe')
  },
  get btcpay() {
    return open(btcpay, 'btcpay')
  },
})

/** For a program that only asks how payments stand and sends refunds, which tells no gateway an address of ours. */
export const gatewaysWhenAsked = (settings: GatewaySettings): Gateways =>
  openGateways((adapter) => adapter.open(settings, ''))

/** Where an operator approves what the customer has claimed; `ref`: the gateway's id for the refund. */
export const claimPageOf = (
  settings: GatewaySettings,
  name: GatewayName,
  ref: string | null,
): string | undefined => {
  const { claimPage }: Adapter = ADAPTERS[name]
  return ref === null ? undefined : claimPage?.(settings, ref)
}

/** Of all gateways that the shop has the keys of. */
export const bookingSources = (settings: GatewaySettings): BookingSource[] =>
  GATEWAYS.flatMap((name) => ADAPTERS[name].bookings(settings) ?? [])
