import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { plainName, withoutGroups } from '@hedgerow/domain/pasted'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Instant } from './fields.ts'
import { PaymentId } from './payments.ts'
import { routes } from './routes.ts'

const params = z.object({ paymentId: PaymentId })

/** A bank that can be paid from. `id` goes into an open-banking payment as `bankId`. */
export const Bank = z.object({
  id: z.string(),
  name: z.string(),
  /** As the gateway names it: a key of BANK_COUNTRIES. */
  country: z.string(),
  currency: z.enum(CURRENCY_CODES),
})
export type Bank = z.infer<typeof Bank>

export const listBanks = endpoint({
  ...routes.listBanks,
  access: 'anyone',
  summary: 'Banks whose customers can pay from their account, by country and name',
  schema: { response: { 200: z.array(Bank) } },
  problems: [503],
})

/** What the ways to pay other than a card can do at the moment, and what every payment has to say. */
export const PaymentMethods = z.object({
  /** There where the customer's country decides the tax: every payment has to name it, and may name a VAT number. */
  asksCountry: z.optional(z.literal(true)),
  /** There where VAT numbers are looked up before anything is charged. */
  looksUpVatNumbers: z.optional(z.literal(true)),
  /** Whether the card is typed on a page of the payment system instead of ours. */
  card: z.object({ hosted: z.boolean() }),
  openBanking: z.object({
    currencies: z.array(z.enum(CURRENCY_CODES)),
    /** There where a payment has to name its bank: the payment system offers no page to choose one on. */
    needsBank: z.optional(z.literal(true)),
  }),
  /** There where operators have turned it on. */
  takesCrypto: z.optional(z.literal(true)),
  blik: z.object({
    /** What one of the currency is worth in PLN, as the operator set it. Currencies without a rate cannot be paid by Blik. */
    rates: z.array(
      z.object({
        currency: z.enum(CURRENCY_CODES),
        /** Millionths of a złoty. */
        rateMicro: z.int(),
        setAt: Instant,
      }),
    ),
  }),
})
export type PaymentMethods = z.infer<typeof PaymentMethods>

export const paymentMethods = endpoint({
  ...routes.paymentMethods,
  access: 'anyone',
  summary: 'What open banking and Blik can be paid with, and at which rate',
  schema: { response: { 200: PaymentMethods } },
})

export const threeDsMethodDone = endpoint({
  ...routes.threeDsMethodDone,
  access: 'issuer',
  summary: "Where the issuer's server says that it has looked at the browser",
  schema: { params, body: z.record(z.string(), z.unknown()), response: { 204: z.null() } },
  problems: [404],
})

/** Answers by the names of the fields; a consent is given by true. */
export const ClarifyPaymentRequest = z.object({
  answers: z.record(
    z.string().check(z.maxLength(100)),
    z.union([
      z.literal(true),
      z.string().check(z.overwrite(plainName), z.maxLength(255, OUR_MESSAGES.textLong(255))),
    ]),
  ),
})
export type ClarifyPaymentRequest = z.infer<typeof ClarifyPaymentRequest>

const taken = { 200: z.object({}) }

export const clarifyPayment = endpoint({
  ...routes.clarifyPayment,
  access: 'anyone',
  limits: [{ calls: 30, minutes: 10, by: 'address' }],
  summary: 'Tells the payment system what it asks for',
  schema: { params, body: ClarifyPaymentRequest, response: taken },
  problems: [404, 409, 502],
})

/** Without a code: agrees that one is sent. */
export const AuthorisePaymentRequest = z.object({
  code: z.optional(
    z
      .string(OUR_MESSAGES.confirmationCode)
      .check(z.overwrite(withoutGroups), z.regex(/^[A-Za-z0-9]{3,12}$/, OUR_MESSAGES.confirmationCode)),
  ),
})
export type AuthorisePaymentRequest = z.infer<typeof AuthorisePaymentRequest>

export const authorisePayment = endpoint({
  ...routes.authorisePayment,
  access: 'anyone',
  limits: [{ calls: 30, minutes: 10, by: 'address' }],
  summary: 'Has a code sent to the card holder, or confirms the payment with it',
  schema: { params, body: AuthorisePaymentRequest, response: taken },
  problems: [404, 409, 502],
})
