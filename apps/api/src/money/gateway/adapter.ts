import type { IncomingHttpHeaders } from 'node:http'
import type { GatewayName } from '@hedgerow/domain/gateways'
import type { BookingSource } from '#money/gateway/booking-source.ts'
import type { Gateway, OnSilence } from '#money/gateway/gateway.ts'
import type { Finding } from '#platform/doctor/finding.ts'
import type { Settings } from '#platform/settings.ts'

/** What of the settings is about gateways. */
export type GatewaySettings = Pick<Settings, 'gate' | 'stripe' | 'btcpay' | 'dataApi'>

/** What an event says that there is news of. `paymentId`, `claimRef`: undefined where it names none of a shop's. */
export type EventNews =
  | { about: 'disputes' }
  | { about: 'payment'; paymentId: string | undefined; ref: string | null; claimRef?: string | undefined }

/** All that the shop knows of one gateway, each in a folder of its own. What needs its keys is undefined without them. */
export type Adapter<G extends Gateway = Gateway> = {
  open: (settings: GatewaySettings, publicUrl: string, onSilence?: OnSilence) => G | undefined
  /** Calls that are answered here: nobody is asked. */
  local?: readonly (keyof Gateway)[]
  /** By its very bytes. Undefined: no secret of the shop's has signed it now, or it is none. Left out: it sends no events. */
  readEvent?: (
    settings: GatewaySettings,
    raw: Buffer,
    headers: IncomingHttpHeaders,
    now: Date,
  ) => EventNews | undefined
  /** Where an operator approves what customers claim of a refund, by the gateway's id for it. */
  claimPage?: (settings: GatewaySettings, ref: string) => string | undefined
  bookings: (settings: GatewaySettings) => BookingSource | undefined
  /** Of the doctor. */
  check: {
    name: string
    look: (settings: Settings, signal: AbortSignal) => Promise<Finding | readonly Finding[]>
  }
}

export type Adapters = Readonly<Record<GatewayName, Adapter>>
