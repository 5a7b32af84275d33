import { CARD_HOLDER, CARD_YEARS, fullYear, isCardExpired, PAN_LENGTH } from '@hedgerow/domain/cards'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { PAYMENT_STATUSES } from '@hedgerow/domain/payment-moves'
import * as z from 'zod/mini'
import { endpoint, Problem } from './endpoint.ts'
import { acceptTerms, CurrencyInput, Total, Uuid, wholeNumber } from './fields.ts'
import { routes } from './routes.ts'

const digitsOnly = z.overwrite((value: string) => value.replaceAll(' ', ''))

/** The card as the form holds it (spec §5). It passes through to the gateway and is kept nowhere. */
const card = {
  pan: z
    .string(OUR_MESSAGES.panRequired)
    .check(
      digitsOnly,
      z.minLength(1, OUR_MESSAGES.panRequired),
      z.minLength(PAN_LENGTH.min, OUR_MESSAGES.panLength),
      z.maxLength(PAN_LENGTH.max, OUR_MESSAGES.panLength),
      z.regex(/^[0-9]*$/, OUR_MESSAGES.panLength),
    ),
  card_holder: z
    .string(OUR_MESSAGES.cardHolderRequired)
    .check(
      z.trim(),
      z.minLength(1, OUR_MESSAGES.cardHolderRequired),
      z.maxLength(255, OUR_MESSAGES.nameLong),
      z.regex(CARD_HOLDER, OUR_MESSAGES.cardHolderCharacters),
    ),
  month: wholeNumber(OUR_MESSAGES.monthRequired, 1, 12),
  /** Two digits as the form shows them, or four. */
  year: wholeNumber(OUR_MESSAGES.yearRequired, 0, 9999),
  cvv: z
    .string(OUR_MESSAGES.cvvRequired)
    .check(z.minLength(1, OUR_MESSAGES.cvvRequired), z.regex(/^[0-9]{3,4}$/, OUR_MESSAGES.cvvLength)),
  acceptTerms,
}

/** What 3-D Secure wants to know of the browser (EMV 3DS); the server adds the headers and the address. */
const Browser = z.object({
  language: z.optional(z.string().check(z.maxLength(35))),
  screen_res: z.optional(z.string().check(z.regex(/^\d{1,5}x\d{1,5}$/))),
  color_depth: z.optional(z.int().check(z.gte(1), z.lte(48))),
  timezone_offset: z.optional(z.string().check(z.regex(/^-?\d{1,4}$/))),
  timezone_name: z.optional(z.string().check(z.maxLength(64), z.regex(/^[\w+\-/]*$/))),
  java_enabled: z.optional(z.boolean()),
})

type Expiry = { month: number; year: number }

const notExpired = z.refine<Expiry>(({ month, year }) => !isCardExpired(month, year, new Date()), {
  path: ['year'],
  error: OUR_MESSAGES.expired,
})

const yearOffered = z.refine<Expiry>(
  ({ year }) => fullYear(year) < new Date().getUTCFullYear() + CARD_YEARS,
  { path: ['year'], error: OUR_MESSAGES.yearRequired },
)

/** Card payment of an order (spec §3): the total and currency are what the customer saw, and are compared. */
export const PayByCardRequest = z
  .object({ total: Total, currency: CurrencyInput, ...card, browser: z.optional(Browser) })
  .check(notExpired, yearOffered)
export type PayByCardRequest = z.infer<typeof PayByCardRequest>

/** The fields that the card form itself holds; the page adds total, currency and browser. */
export const CardForm = z.object(card).check(notExpired, yearOffered)

export const payByCard = endpoint({
  ...routes.payByCard,
  access: 'signed-in',
  summary: 'Pay an order by card',
  schema: {
    params: z.object({ id: Uuid }),
    body: PayByCardRequest,
    response: {
      200: z.object({ paymentId: z.string() }),
      401: Problem,
      404: Problem,
      409: Problem,
      422: Problem,
      429: Problem,
      502: Problem,
    },
  },
})

/** Card form of a plan's checkout (spec §3): `id` is the plan's; its price is the shop's to know. */
export const PayPlanByCardRequest = z
  .object({ id: Uuid, ...card, browser: z.optional(Browser) })
  .check(notExpired, yearOffered)
export type PayPlanByCardRequest = z.infer<typeof PayPlanByCardRequest>

export const payPlanByCard = endpoint({
  ...routes.payPlanByCard,
  access: 'signed-in',
  summary: 'Buy a price plan by card; answers the id of the payment',
  schema: {
    body: PayPlanByCardRequest,
    response: {
      200: z.object({ _id: z.string() }),
      401: Problem,
      404: Problem,
      409: Problem,
      422: Problem,
      429: Problem,
      502: Problem,
    },
  },
})

export const PaymentStatusReply = z.object({
  status: z.enum(PAYMENT_STATUSES),
  /** JSON text: ChallengeMetadata or RedirectMetadata while the customer has to go somewhere, else '{}'. */
  metadata: z.string(),
})
export type PaymentStatusReply = z.infer<typeof PaymentStatusReply>

/** In `metadata` while the status is 'awaiting 3ds result'. */
export type ChallengeMetadata = { acs_url: string; pa_req: string; md: string; term_url: string }
/** In `metadata` while the status is 'awaiting redirect result'. */
export type RedirectMetadata = { url: string; method: 'GET' | 'POST'; body: Record<string, string> }

/** 128 random bits, in hexadecimal. */
export const PaymentId = z.string().check(z.regex(/^[0-9a-f]{32}$/))

export const paymentStatus = endpoint({
  ...routes.paymentStatus,
  access: 'anyone',
  summary: 'How a payment stands; the id is the only key to it',
  schema: {
    params: z.object({ paymentId: PaymentId }),
    response: { 200: PaymentStatusReply, 404: Problem },
  },
})

export const paymentChallenge = endpoint({
  ...routes.paymentChallenge,
  access: 'issuer',
  summary: "Where the issuer's page sends the customer back with the outcome of 3-D Secure",
  schema: {
    params: z.object({ paymentId: PaymentId }),
    body: z.record(z.string(), z.unknown()),
    response: { 303: z.null(), 404: Problem },
  },
})

export const gateCallback = endpoint({
  ...routes.gateCallback,
  access: 'gateway',
  summary: 'Signed news of a payment from the gateway',
  schema: {
    body: z.record(z.string(), z.unknown()),
    response: { 200: z.object({}), 400: Problem, 404: Problem },
  },
})
