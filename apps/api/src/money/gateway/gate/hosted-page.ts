import { signatureOf } from '@hedgerow/gate/signature'
import {
  type HostedMethod,
  PAGE_OPEN_S,
  type PageSale,
  resultPageOf,
  type Sale,
} from '#money/gateway/gateway.ts'
import type { Gate, Settings } from '#platform/settings.ts'

const OFFERS: Readonly<Partial<Record<HostedMethod, Record<string, string>>>> = {
  card: { force_payment_method: 'card' },
  open_banking: { force_payment_group: 'openbanking' },
}

/** What is known of the payer by name; the page asks for the rest. */
const nameOf = ({ first_name, last_name }: Sale['customer']): Record<string, string> => ({
  ...(first_name ? { customer_first_name: String(first_name) } : {}),
  ...(last_name ? { customer_last_name: String(last_name) } : {}),
})

/** The address of the gateway's Payment Page for a sale, signed as the official SDKs do (gate.md §2, §13). */
export const hostedPageUrl = (
  { gate, publicUrl }: Pick<Settings, 'publicUrl'> & { gate: Gate },
  { paymentId, amountMinor, currency, description, customer, cancelPath, method }: PageSale,
  now: Date,
): string => {
  const result = resultPageOf(publicUrl, paymentId)
  const closesAt = new Date(now.getTime() + PAGE_OPEN_S * 1000)
  const params = {
    project_id: String(gate.projectId),
    payment_id: paymentId,
    payment_amount: String(amountMinor),
    payment_currency: currency,
    payment_description: description,
    customer_id: String(customer.id ?? ''),
    customer_email: String(customer.email ?? ''),
    ...nameOf(customer),
    ...OFFERS[method],
    language_code: 'en',
    best_before: `${closesAt.toISOString().slice(0, 19)}+00:00`,
    merchant_success_url: result,
    merchant_fail_url: result,
    merchant_return_url: `${publicUrl}${cancelPath}`,
    merchant_callback_url: `${publicUrl}/api/v1/payment/callback`,
  }
  const query = new URLSearchParams({ ...params, signature: signatureOf(params, gate.secret) })
  return `${gate.pageUrl}?${query}`
}
