import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { EventNews } from '#money/gateway/adapter.ts'
import { parseJson } from '#money/gateway/parse-json.ts'

/** Stripe's own tolerance. Its client looks for stamps that are too old only; one from the future is as wrong. */
const TOLERANCE_S = 300

const MOST_SIGNATURES = 8

/** Of the header `Stripe-Signature`: `t=<seconds>,v1=<hex>[,v1=…][,v0=…]`. Other schemes than v1 count for nothing. */
const partsOf = (header: string) => {
  const parts = header.split(',', MOST_SIGNATURES + 1).map((part) => part.trim().split('=', 2))
  const stamp = parts.find(([name]) => name === 't')?.[1]
  return {
    at: stamp && /^\d{1,12}$/.test(stamp) ? Number(stamp) : undefined,
    signatures: parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : [])),
  }
}

const isSame = (hex: string, expected: Buffer): boolean => {
  const given = /^[0-9a-f]{64}$/.test(hex) ? Buffer.from(hex, 'hex') : undefined
  return given !== undefined && timingSafeEqual(given, expected)
}

/** Whether one of the secrets signed exactly these bytes, now. While a secret is rolled there are two of them, on either side. */
const isSigned = (raw: Buffer, header: string, secrets: readonly string[], now: Date): boolean => {
  const { at, signatures } = partsOf(header)
  if (at === undefined || Math.abs(now.getTime() / 1000 - at) > TOLERANCE_S) return false
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${at}.`).update(raw).digest()
    return signatures.some((one) => isSame(one, expected))
  })
}

/** What a webhook has to tell of. */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'payment_intent.payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
] as const

const Event = z.object({
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})

const PaymentIdOf = z.object({ payment_id: z.string().check(z.regex(/^[0-9a-f]{32}$/)) })
const SessionId = z.string().check(z.regex(/^cs_\w{1,200}$/))

/**
 * What an event is about. It is a hint and no more: the payment it names is asked about; another shop's on the same account names
 * none of ours. Undefined for what no secret signed now, what is no event, or is of the other mode.
 */
export const readEvent = (
  raw: Buffer,
  signature: string,
  secrets: readonly string[],
  now: Date,
  isLive: boolean,
): EventNews | undefined => {
  // The signature first: what nobody signed is not read any further.
  if (!isSigned(raw, signature, secrets, now)) return undefined
  const { data } = z.safeParse(Event, parseJson(raw))
  if (data?.livemode !== isLive) return undefined
  if (data.type.startsWith('charge.dispute.')) return { about: 'disputes' }
  const { id, metadata } = data.data.object
  const { payment_id: paymentId } = z.safeParse(PaymentIdOf, metadata).data ?? {}
  return { about: 'payment', paymentId, ref: z.safeParse(SessionId, id).data ?? null }
}
