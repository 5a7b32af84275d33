import * as z from 'zod/mini'
import { address, aRange, expand, flag, LIST, metadata, text, whole } from '#stripe/check-params.ts'
import { isCurrency } from '#stripe/money.ts'
import { NO_EVIDENCE } from '#stripe/no-evidence.ts'

const currency = z
  .pipe(
    text(3),
    z.transform((code) => code.toLowerCase()),
  )
  .check(z.refine(isCurrency, 'Invalid currency'))

const suffix = text(22).check(z.regex(/^[^<>\\'"*]*$/, 'Characters that no statement shows'))
const count = whole.check(
  z.refine((value) => value >= 1 && value <= 1_000_000, 'Must be greater than or equal to 1'),
)
const amount = whole.check(
  z.refine((value) => value >= 0 && value <= 99_999_999, 'Must be from 0 to 99999999'),
)
const positive = whole.check(z.refine((value) => value >= 1, 'This value must be greater than or equal to 1'))
const optional = z.optional

export const SESSION = z.strictObject({
  adaptive_pricing: optional(z.strictObject({ enabled: flag })),
  allow_promotion_codes: optional(flag),
  automatic_tax: optional(z.strictObject({ enabled: flag })),
  billing_address_collection: optional(z.enum(['auto', 'required'])),
  branding_settings: optional(
    z.strictObject({
      background_color: optional(text(20)),
      border_style: optional(z.enum(['pill', 'rectangular', 'rounded'])),
      button_color: optional(text(20)),
      display_name: optional(text(100)),
      font_family: optional(text(50)),
    }),
  ),
  cancel_url: optional(address),
  client_reference_id: optional(text(200)),
  custom_text: optional(z.strictObject({ submit: optional(z.strictObject({ message: text(1_200) })) })),
  customer_creation: optional(z.enum(['always', 'if_required'])),
  customer_email: optional(text(800).check(z.regex(/^[^@\s]{1,64}@[^@\s]{1,255}$/, 'Invalid email address'))),
  expand,
  expires_at: optional(whole),
  line_items: z
    .array(
      z.strictObject({
        quantity: count,
        price_data: z.strictObject({
          currency,
          unit_amount: amount,
          tax_behavior: optional(z.enum(['exclusive', 'inclusive', 'unspecified'])),
          product_data: z.strictObject({
            name: text(250),
            description: optional(text(500)),
            images: optional(z.array(address)),
            metadata: optional(metadata),
          }),
        }),
      }),
    )
    .check(z.maxLength(100)),
  locale: optional(text(10)),
  metadata: optional(metadata),
  mode: z.enum(['payment'], 'The sandbox has the mode payment only'),
  payment_intent_data: optional(
    z.strictObject({
      description: optional(text(1_000)),
      metadata: optional(metadata),
      receipt_email: optional(text(255)),
      statement_descriptor: optional(suffix),
      statement_descriptor_suffix: optional(suffix),
    }),
  ),
  payment_method_types: optional(z.array(z.enum(['card', 'sepa_debit', 'bacs_debit']))),
  submit_type: optional(z.enum(['auto', 'book', 'donate', 'pay', 'subscribe'])),
  success_url: address,
  ui_mode: optional(z.enum(['hosted_page'], 'The sandbox has hosted pages only')),
})
export type SessionParams = z.output<typeof SESSION>

export const REFUND = z.strictObject({
  amount: optional(positive),
  charge: optional(text(255)),
  expand,
  metadata: optional(metadata),
  payment_intent: optional(text(255)),
  reason: optional(z.enum(['duplicate', 'fraudulent', 'requested_by_customer'])),
})
export type RefundParams = z.output<typeof REFUND>

const NAMES = Object.keys(NO_EVIDENCE).filter((name) => name !== 'enhanced_evidence')
const EVIDENCE = z.strictObject(Object.fromEntries(NAMES.map((name) => [name, optional(text(20_000))])))

export const DISPUTE = z.strictObject({
  evidence: optional(EVIDENCE),
  expand,
  metadata: optional(metadata),
  submit: optional(flag),
})
export type DisputeParams = z.output<typeof DISPUTE>

export const ENDPOINT = z.strictObject({
  api_version: optional(text(50)),
  description: optional(text(500)),
  enabled_events: z.array(text(100)).check(z.maxLength(200)),
  expand,
  metadata: optional(metadata),
  url: address,
})

export const ENDPOINT_CHANGE = z.strictObject({
  description: optional(text(500)),
  disabled: optional(flag),
  enabled_events: optional(z.array(text(100)).check(z.maxLength(200))),
  expand,
  metadata: optional(metadata),
  url: optional(address),
})

export const ONLY_EXPAND = z.strictObject({ expand })

const id = optional(text(255))
export const LIST_OF = {
  sessions: z.strictObject({ ...LIST, payment_intent: id, status: optional(text(20)) }),
  refunds: z.strictObject({ ...LIST, charge: id, payment_intent: id }),
  disputes: z.strictObject({ ...LIST, charge: id, payment_intent: id }),
  charges: z.strictObject({ ...LIST, payment_intent: id }),
  intents: z.strictObject(LIST),
  transactions: z.strictObject({ ...LIST, currency: id, payout: id, source: id, type: id }),
  payouts: z.strictObject({ ...LIST, arrival_date: aRange, status: id }),
  events: z.strictObject({
    ...LIST,
    delivery_success: optional(flag),
    type: id,
    types: optional(z.array(text(100)).check(z.maxLength(20))),
  }),
  endpoints: z.strictObject(LIST),
}

/** Of any of them. */
export type ListParams = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
  expand?: string[] | undefined
  types?: string[] | undefined
  delivery_success?: boolean | undefined
}
