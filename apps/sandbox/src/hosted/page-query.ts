import { isSignedBy } from '@hedgerow/gate/signature'
import * as z from 'zod/mini'
import type { SandboxSettings } from '#settings.ts'
import * as is from '#v2/field-rules.ts'

/** What the shop says of a payment in the address of the Payment Page. */
export type PageQuery = {
  payment_id: string
  payment_amount: string
  payment_currency: string
  payment_description?: string
  customer_id: string
  /** Narrows what can be paid with. */
  force_payment_group?: string
  best_before?: string
  merchant_success_url: string
  merchant_fail_url: string
  merchant_return_url?: string
  merchant_callback_url: string
}

const FIELDS = z.object({
  payment_id: is.required(is.text()),
  payment_amount: is.required(is.matching(/^[1-9]\d{0,12}$/, 'minor units')),
  payment_currency: is.required(is.currency),
  payment_description: z.optional(is.text()),
  customer_id: is.required(is.text()),
  force_payment_group: z.optional(is.text()),
  merchant_success_url: is.required(is.webAddress),
  merchant_fail_url: is.required(is.webAddress),
  merchant_return_url: z.optional(is.webAddress),
  merchant_callback_url: is.required(is.webAddress),
})

/** Who asks, whether it is really them, and only then what. Returns why not, in words, where the page cannot be shown. */
export const readPageQuery = (
  query: Record<string, unknown>,
  { projectId, secret }: SandboxSettings,
  now: Date,
): PageQuery | string => {
  if (query.project_id !== String(projectId)) return 'This shop is not known here.'
  if (!isSignedBy(query, secret)) return 'The details of this payment were changed on the way here.'
  try {
    is.checkFields(query, FIELDS)
  } catch {
    return 'The shop did not send all the details of this payment.'
  }
  const closes = typeof query.best_before === 'string' ? Date.parse(query.best_before) : Number.NaN
  if (closes < now.getTime()) return 'The time to pay here is over. Nothing was charged.'
  return query as PageQuery
}
