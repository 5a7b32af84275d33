import type { Gateway } from '#gateway/gateway.ts'
import type { Fields } from '#v2/field-rules.ts'

/** The part of a body that every call has. It is checked before a call sees it. */
export type General = { project_id: number; payment_id: string; merchant_callback_url?: string }

/** One address under /v2. */
export type GateCall<Body = never> = {
  path: string
  fields: Fields
  /** Sales have fault switches of their own. */
  isSale?: true
  /** Asks how a payment stands, which has a fault switch of its own. */
  isQuestion?: true
  /** A question about the gateway, not about a payment: it needs no payment's id. */
  isWithoutPayment?: true
  /** Returns the whole answer when there is one now, or nothing when the request is accepted for later. */
  handle(body: Body & { general: General }, gateway: Gateway, requestId: string): object | undefined
}
