import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { EventNews } from '#money/gateway/adapter.ts'
import { parseJson } from '#money/gateway/parse-json.ts'

/** Of the header `BTCPay-Sig`: `sha256=<hex>` over the bytes. While a secret is replaced, one of two signed. */
const isSigned = (raw: Buffer, header: string, secrets: readonly string[]): boolean => {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1]
  if (hex === undefined) return false
  const given = Buffer.from(hex, 'hex')
  return secrets.some((secret) => timingSafeEqual(given, createHmac('sha256', secret).update(raw).digest()))
}

/** Those that bring news of a payment or of a refund. */
export const BTCPAY_EVENTS = [
  'InvoiceReceivedPayment',
  'InvoiceProcessing',
  'InvoiceExpired',
  'InvoiceSettled',
  'InvoiceInvalid',
  'InvoicePaymentSettled',
  'PayoutCreated',
  'PayoutApproved',
  'PayoutUpdated',
] as const

const Hint = z.object({
  type: z.string().check(z.maxLength(100)),
  storeId: z.string(),
  invoiceId: z.catch(z.optional(z.string().check(z.regex(/^\w[\w-]{0,99}$/))), undefined),
  metadata: z.catch(
    z.optional(z.object({ orderId: z.string().check(z.regex(/^[0-9a-f]{32}$/)) })),
    undefined,
  ),
  pullPaymentId: z.catch(z.optional(z.string().check(z.maxLength(100))), undefined),
})

type Shop = { store: string; webhookSecrets: readonly string[] }

/**
 * What there is news of: a webhook of BTCPay's carries no stamp, so it is a hint and no more. Undefined for what is no event, or
 * what no secret signed. Of another store there is none; payouts name no payment.
 */
export const readHint = (
  raw: Buffer,
  signature: string,
  { store, webhookSecrets }: Shop,
): EventNews | undefined => {
  if (!isSigned(raw, signature, webhookSecrets)) return undefined
  const { data } = z.safeParse(Hint, parseJson(raw))
  if (!data) return undefined
  const { storeId, invoiceId: ref = null, metadata, pullPaymentId: claimRef } = data
  if (storeId !== store) return { about: 'payment', paymentId: undefined, ref: null }
  return { about: 'payment', paymentId: metadata?.orderId, ref, claimRef }
}
