import { isSignedBy } from '@hedgerow/gate/signature'
import type { SandboxSettings } from '#settings.ts'
import * as is from '#v2/field-rules.ts'
import { checkFields } from '#v2/field-rules.ts'

/** What the shop says of a payment in the address of the Payment Page. */
export type PageQuery = {
  payment_id: string
  payment_amount: string
  payment_currency: string
  payment_description?: string
  customer_id: string
  best_before?: string
  merchant_success_url: string
  merchant_fail_url: string
  merchant_return_url?: string
  merchant_callback_url: string
}

const FIELDS = [
  is.required('payment_id', is.text()),
  is.required('payment_amount', is.matching(/^[1-9]\d{0,12}$/, 'minor units')),
  is.required('payment_currency', is.currency),
  is.optional('payment_description', is.text()),
  is.required('customer_id', is.text()),
  is.required('merchant_success_url', is.webAddress),
  is.required('merchant_fail_url', is.webAddress),
  is.optional('merchant_return_url', is.webAddress),
  is.required('merchant_callback_url', is.webAddress),
]

/** Who asks, whether it is really them, and only then what. Returns why not, in words, where the page cannot be shown. */
export const readPageQuery = (
  query: Record<string, unknown>,
  { projectId, secret }: SandboxSettings,
  now: Date,
): PageQuery | string => {
  if (query.project_id !== String(projectId)) return 'The shop is not known here.'
  if (!isSignedBy(query, secret)) return 'What the shop says of this payment was changed on the way.'
  try {
    checkFields(query, FIELDS)
  } catch {
    return 'The shop did not say all that is needed of this payment.'
  }
  const closes = typeof query.best_before === 'string' ? Date.parse(query.best_before) : Number.NaN
  if (closes < now.getTime()) return 'The time to pay here is over. Nothing was charged.'
  return query as PageQuery
}
