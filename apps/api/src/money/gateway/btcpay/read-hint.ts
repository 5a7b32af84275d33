import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'

/** Of the header `BTCPay-Sig`: `sha256=<hex>` over the bytes. While a secret is replaced, one of two signed. */
export const isSignedHint = (raw: Buffer, header: string, secrets: readonly string[]): boolean => {
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

type Hint = {
  storeId: string
  paymentId: string | undefined
  ref: string | null
  claimRef: string | undefined
}

/** What there is news of; undefined for what is no event. `paymentId`: undefined where it names no payment of a shop's; payouts name none. */
export const readHint = (raw: Buffer): Hint | undefined => {
  try {
    const { data } = z.safeParse(Hint, JSON.parse(raw.toString('utf8')))
    if (!data) return undefined
    const { storeId, invoiceId: ref = null, metadata, pullPaymentId: claimRef } = data
    return { storeId, paymentId: metadata?.orderId, ref, claimRef }
  } catch {
    return undefined
  }
}
