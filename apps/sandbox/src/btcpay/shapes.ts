import * as z from 'zod/mini'
import { isCurrency } from '#btcpay/money.ts'

const METADATA_BYTES = 10_000
const MOST = 1_000_000

const text = (most: number) => z.string().check(z.minLength(1), z.maxLength(most))
const address = text(2_000).check(
  z.refine((value) => ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? ''), 'Not a valid URL'),
)
const decimal = z
  .union([z.string(), z.pipe(z.number(), z.transform(String))])
  .check(z.regex(/^\d{1,9}(\.\d{1,8})?$/, 'Not a decimal'))
const currency = z
  .pipe(
    text(3),
    z.transform((code) => code.toUpperCase()),
  )
  .check(z.refine(isCurrency, 'Invalid currency'))
const minutes = z.number().check(z.gte(0.5, 'Expiration time must be at least 30 seconds'), z.lte(MOST))
const given = z.nullish

export const PAYMENT_METHODS = ['BTC-CHAIN', 'BTC-LN'] as const
const method = z.enum(PAYMENT_METHODS, 'Invalid PaymentMethodId')

export const SPEEDS = { HighSpeed: 1, MediumSpeed: 1, LowMediumSpeed: 2, LowSpeed: 6 } as const

export const INVOICE = z.object({
  amount: decimal.check(z.refine((value) => Number(value) > 0, 'The sandbox has no invoices without a sum')),
  currency,
  metadata: z._default(
    z
      .record(z.string().check(z.maxLength(100)), z.unknown())
      .check(z.refine((all) => JSON.stringify(all).length <= METADATA_BYTES, 'Metadata is too large')),
    {},
  ),
  checkout: z._default(
    z.object({
      speedPolicy: given(z.enum(['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed'])),
      expirationMinutes: given(minutes),
      monitoringMinutes: given(minutes),
      paymentTolerance: given(z.number().check(z.gte(0), z.lte(100))),
      paymentMethods: given(z.array(method).check(z.maxLength(10))),
      redirectURL: given(address),
      redirectAutomatically: given(z.boolean()),
      defaultLanguage: given(text(20)),
    }),
    {},
  ),
})
export type InvoiceParams = z.output<typeof INVOICE>

export const MARK = z.object({ status: z.enum(['Settled', 'Invalid']) })

export const REFUND = z.object({
  name: given(text(50)),
  description: given(z.string().check(z.maxLength(5_000))),
  payoutMethods: given(z.array(method).check(z.maxLength(10))),
  refundVariant: z.enum(
    ['RateThen', 'CurrentRate', 'Fiat', 'OverpaidAmount', 'Custom'],
    '`refundVariant` is mandatory',
  ),
  customAmount: given(decimal),
  customCurrency: given(text(5)),
})
export type RefundParams = z.output<typeof REFUND>

export const WEBHOOK = z.object({
  enabled: z._default(z.boolean(), true),
  automaticRedelivery: z._default(z.boolean(), true),
  url: address,
  secret: given(text(500)),
  authorizedEvents: z._default(
    z.object({
      everything: z._default(z.boolean(), true),
      specificEvents: z._default(z.array(text(100)).check(z.maxLength(100)), []),
    }),
    { everything: true, specificEvents: [] },
  ),
})

const numbers = z.pipe(z.string().check(z.regex(/^\d{1,12}$/, 'Not a number')), z.transform(Number))
const flag = z.pipe(
  z.enum(['true', 'false', 'True', 'False']),
  z.transform((value) => value.toLowerCase() === 'true'),
)
const oneOrMore = z.optional(
  z.union([
    z.pipe(
      text(255),
      z.transform((one) => [one]),
    ),
    z.array(text(255)).check(z.maxLength(100)),
  ]),
)

export const SEARCH = z.object({
  orderId: oneOrMore,
  status: oneOrMore,
  startDate: z.optional(numbers),
  endDate: z.optional(numbers),
  includeArchived: z.optional(flag),
  skip: z.optional(numbers),
  take: z.optional(numbers),
})
export type Search = z.output<typeof SEARCH>
