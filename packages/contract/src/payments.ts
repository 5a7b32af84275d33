import { CARD_YEARS, fullYear, isCardExpired, PAN_LENGTH } from '@hedgerow/domain/cards'
import { BLIK_CURRENCY } from '@hedgerow/domain/exchange'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { ORDER_STATUSES } from '@hedgerow/domain/order-status'
import { CARD_HOLDER, plainName, withoutGroups } from '@hedgerow/domain/pasted'
import { PAYMENT_METHODS } from '@hedgerow/domain/payment-methods'
import { PAYMENT_STATUSES } from '@hedgerow/domain/payment-status'
import { REFUND_STATUSES } from '@hedgerow/domain/refund-status'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  acceptTerms,
  CurrencyInput,
  CurrencyReply,
  Instant,
  locationChoice,
  nameForPayment,
  optionalEmail,
  PageQuery,
  PromocodeField,
  RenewField,
  Total,
  Uuid,
  wholeNumber,
} from './fields.ts'
import { machineRoutes } from './machine-routes.ts'
import { routes } from './routes.ts'
import { saleTo } from './vat-fields.ts'

/** 128 random bits, in hexadecimal. */
export const PaymentId = z.string().check(z.regex(/^[0-9a-f]{32}$/))

const digitsOnly = z.overwrite(withoutGroups)

/** The card as the form holds it (spec §5). It passes through to the gateway and is kept nowhere. */
const card = {
  pan: z
    .string(OUR_MESSAGES.panRequired)
    .check(
      digitsOnly,
      z.minLength(1, OUR_MESSAGES.panRequired),
      z.minLength(PAN_LENGTH.min, OUR_MESSAGES.panLength),
      z.maxLength(PAN_LENGTH.max, OUR_MESSAGES.panLength),
      z.regex(/^\d*$/, OUR_MESSAGES.panLength),
    ),
  card_holder: z
    .string(OUR_MESSAGES.cardHolderRequired)
    .check(
      z.overwrite(plainName),
      z.minLength(1, OUR_MESSAGES.cardHolderRequired),
      z.maxLength(255, OUR_MESSAGES.nameLong),
      z.regex(CARD_HOLDER, OUR_MESSAGES.cardHolderCharacters),
    ),
  month: wholeNumber(OUR_MESSAGES.monthRequired, 1, 12),
  /** Two digits as the form shows them, or four. */
  year: wholeNumber(OUR_MESSAGES.yearRequired, 0, 9999),
  cvv: z
    .string(OUR_MESSAGES.cvvRequired)
    .check(
      z.overwrite(withoutGroups),
      z.minLength(1, OUR_MESSAGES.cvvRequired),
      z.regex(/^\d{3,4}$/, OUR_MESSAGES.cvvLength),
    ),
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

/** Month and year are judged as soon as both are there, whatever is still missing elsewhere in the form. */
const areChosen = ({ value }: { value: unknown }) => {
  const { month, year } = (value ?? {}) as Record<string, unknown>
  return Number.isInteger(month) && Number(month) >= 1 && Number(month) <= 12 && Number.isInteger(year)
}

const notExpired = z.refine<Expiry>(({ month, year }) => !isCardExpired(month, year, new Date()), {
  path: ['year'],
  error: OUR_MESSAGES.expired,
  when: areChosen,
})

const yearOffered = z.refine<Expiry>(
  ({ year }) => fullYear(year) < new Date().getUTCFullYear() + CARD_YEARS,
  { path: ['year'], error: OUR_MESSAGES.yearRequired, when: areChosen },
)

/**
 * The attempt under way that the customer has left, to pay anew. Only one that waits for the customer can be left: what
 * a bank is working on may succeed at any moment.
 */
const instead = z.optional(PaymentId)

/** Card payment of an order (spec §3): the total and currency are what the customer saw, and are compared. */
export const PayByCardRequest = z
  .object({
    total: Total,
    currency: CurrencyInput,
    ...card,
    browser: z.optional(Browser),
    instead,
    ...saleTo,
  })
  .check(notExpired, yearOffered)
export type PayByCardRequest = z.infer<typeof PayByCardRequest>

/** The fields that the card form itself holds; the page adds total, currency and browser. */
export const CardForm = z.object(card).check(notExpired, yearOffered)

const paymentLimits = {
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 100, minutes: 60, by: 'customer', sharedAs: 'payments' },
  ],
  /** More than any form of a payment needs. */
  bodyBytes: 8 * 1024,
} as const

export const payByCard = endpoint({
  ...routes.payByCard,
  access: 'signed-in',
  ...paymentLimits,
  summary: 'Pay an order by card',
  schema: {
    params: z.object({ id: Uuid }),
    body: PayByCardRequest,
    response: { 200: z.object({ paymentId: z.string() }) },
  },
  problems: [404, 409, 502],
})

/** Someone's code, and what the page showed with it: nobody is charged another sum than the one they saw. */
export const planPromocode = { promocode: z.optional(PromocodeField), total: z.optional(Total) }

/**
 * Names one purchase, so that it is paid once however often it is sent: while its payment is under way, or once it has
 * succeeded, the answer is that payment. The page makes it.
 */
export const purchaseId = z.optional(Uuid)

/** Connections that the plan extends; the others that it buys are new. */
export const planRenewal = { renew: z._default(RenewField, []) }

/** Card form of a plan's checkout (spec §3): `id` is the plan's; its price is the shop's to know. */
export const PayPlanByCardRequest = z
  .object({
    id: Uuid,
    purchaseId,
    ...card,
    browser: z.optional(Browser),
    instead,
    ...planPromocode,
    ...planRenewal,
    ...locationChoice,
    ...saleTo,
  })
  .check(notExpired, yearOffered)
export type PayPlanByCardRequest = z.infer<typeof PayPlanByCardRequest>

export const payPlanByCard = endpoint({
  ...routes.payPlanByCard,
  access: 'signed-in',
  ...paymentLimits,
  summary: 'Buy a price plan by card; answers the id of the payment',
  schema: { body: PayPlanByCardRequest, response: { 200: z.object({ _id: z.string() }) } },
  problems: [404, 409, 502],
})

/** Who pays, where the payment is made on a page of a bank or of Blik (spec §5). */
const payer = {
  firstName: nameForPayment(OUR_MESSAGES.firstNameRequired),
  lastName: nameForPayment(OUR_MESSAGES.lastNameRequired),
  email: optionalEmail(MESSAGES.emailInvalid),
  acceptTerms,
}

/** The fields of the Open Banking and the Blik form; the page adds total and currency. */
export const PayerForm = z.object(payer)

/** `settles` is the sum in PLN that was shown, so that nobody pays another one after the rate has changed. */
export const PayByBlikRequest = z.object({
  total: Total,
  currency: CurrencyInput,
  ...payer,
  settles: z.optional(Total),
  instead,
  ...saleTo,
})
export type PayByBlikRequest = z.infer<typeof PayByBlikRequest>

/** Without `bankId` the customer chooses the bank on a page of the payment system. */
export const PayByOpenBankingRequest = z.object({
  total: Total,
  currency: CurrencyInput,
  ...payer,
  bankId: z.optional(z.string(OUR_MESSAGES.bank).check(z.regex(/^[\w-]{1,64}$/, OUR_MESSAGES.bank))),
  instead,
  ...saleTo,
})
export type PayByOpenBankingRequest = z.infer<typeof PayByOpenBankingRequest>

/** The address to pay to stands on the page of the payment system. */
export const PayByCryptoRequest = z.object({
  total: Total,
  currency: CurrencyInput,
  acceptTerms,
  instead,
  ...saleTo,
})
export type PayByCryptoRequest = z.infer<typeof PayByCryptoRequest>

const started = { 200: z.object({ paymentId: z.string() }) }
/** 409 comes with the code 'method-not-open' where the order cannot be paid this way. */
const notStarted = [404, 409, 502, 503]

export const payByOpenBanking = endpoint({
  ...routes.payByOpenBanking,
  access: 'signed-in',
  ...paymentLimits,
  summary: "Pay an order from the customer's bank account",
  schema: { params: z.object({ id: Uuid }), body: PayByOpenBankingRequest, response: started },
  problems: notStarted,
})

export const payByBlik = endpoint({
  ...routes.payByBlik,
  access: 'signed-in',
  ...paymentLimits,
  summary: 'Pay an order by Blik',
  schema: { params: z.object({ id: Uuid }), body: PayByBlikRequest, response: started },
  problems: notStarted,
})

export const payByCrypto = endpoint({
  ...routes.payByCrypto,
  access: 'signed-in',
  ...paymentLimits,
  summary: 'Pay an order in bitcoin, on the chain or over Lightning',
  schema: { params: z.object({ id: Uuid }), body: PayByCryptoRequest, response: started },
  problems: notStarted,
})

/** One attempt to pay an order. */
export const PaymentHistoryItem = z.object({
  _id: z.string(),
  orderId: z.string(),
  createdAt: Instant,
  /** When its outcome became known. */
  endedAt: z.optional(Instant),
  /** What the order is for. */
  description: z.string(),
  /** The promocode that it was started with: its total is the price less the discount. */
  promocode: z.optional(z.string()),
  price: z.optional(z.number()),
  discount: z.optional(z.number()),
  total: z.number(),
  currency: CurrencyReply,
  method: z.enum(PAYMENT_METHODS),
  /** There where it is known that a payment in bitcoin came by one of its two ways. */
  paidWith: z.optional(z.string()),
  /** First six and last four digits. */
  pan: z.optional(z.string()),
  cardHolder: z.optional(z.string()),
  authCode: z.optional(z.string()),
  /** What the card's statement will show as the payee, where that is known. */
  statementDescriptor: z.optional(z.string()),
  status: z.enum(PAYMENT_STATUSES),
  orderStatus: z.enum(ORDER_STATUSES),
  /** What was paid instead of the total, where the method settles in another currency. */
  charged: z.optional(z.object({ total: z.number(), currency: z.literal(BLIK_CURRENCY) })),
  /** Why it was declined, where that may be shown. */
  reason: z.optional(z.string()),
  /** There when the money buys nothing (the order was paid by another payment), so that it goes back. */
  refundDue: z.optional(z.literal(true)),
  /** There when money came, but not as it was asked for: it bought nothing, and goes back. */
  isCharged: z.optional(z.literal(true)),
  /** What came then, where that is known. */
  received: z.optional(z.object({ total: z.number(), currency: z.string() })),
  /** There while the customer's bank has promised the money: it may take a week to come. */
  isPromised: z.optional(z.literal(true)),
  /** There when it was left for another attempt before it ended. */
  isLeft: z.optional(z.literal(true)),
  /** There while the card holder's bank wants money of it back: how much is held until that is decided. */
  disputed: z.optional(z.object({ total: z.number(), currency: z.string() })),
  /** There while it can be cancelled: the last moment of its 14 days. */
  cancellableUntil: z.optional(Instant),
  /** There once it was cancelled. */
  cancelledAt: z.optional(Instant),
  /** What was given back, or is on its way. */
  refunds: z.array(
    z.object({
      _id: z.string(),
      /** There once it is issued: 'CN-2026-000001'. */
      creditNote: z.optional(z.string()),
      total: z.number(),
      /** What was charged, or what came in its place: any of ISO 4217. */
      currency: z.string(),
      status: z.enum(REFUND_STATUSES),
      /** There while it waits for the customer: where they say which wallet it goes to. */
      claimUrl: z.optional(z.string()),
      /** There where the bank took it back, by a dispute. */
      isDispute: z.optional(z.literal(true)),
      /** There where that came back to us since: when. */
      reversedAt: z.optional(Instant),
      /** By which the customer's bank finds it, where the card network's number is known. */
      reference: z.optional(z.string()),
      createdAt: Instant,
      endedAt: z.optional(Instant),
    }),
  ),
  /**
   * There where its invoice was corrected, or restored as lost money came back: each time a credit note took back what was left
   * of it, and another invoice took its place.
   */
  corrections: z.optional(
    z.array(
      z.object({
        _id: z.string(),
        creditNote: z.optional(z.string()),
        invoice: z.string(),
        isRestored: z.optional(z.literal(true)),
        createdAt: Instant,
      }),
    ),
  ),
})
export type PaymentHistoryItem = z.infer<typeof PaymentHistoryItem>

export const paymentHistory = endpoint({
  ...routes.paymentHistory,
  access: 'signed-in',
  summary:
    "The account's attempts to pay, newest first, a hundred at once; the header Link leads to the next",
  schema: { querystring: PageQuery, response: { 200: z.array(PaymentHistoryItem) } },
})

export const PaymentStatusReply = z.object({
  status: z.enum(PAYMENT_STATUSES),
  /** JSON text: one of the metadata below, by the status; else '{}'. */
  metadata: z.string(),
})
export type PaymentStatusReply = z.infer<typeof PaymentStatusReply>

/** In `metadata` while the status is 'awaiting 3ds result'. */
export type ChallengeMetadata = { acs_url: string; pa_req: string; md: string; term_url: string }
/** In its place while the issuer first looks at the browser: a form to be posted into a hidden frame. */
export type FrameMetadata = { iframe: { url: string; fields: Record<string, string> } }
/** In `metadata` while the status is 'awaiting redirect result'. */
export type RedirectMetadata = {
  url: string
  method: 'GET' | 'POST'
  body: Record<string, string>
  /** The page is none of a bank's: it says how much bitcoin to send, and where. */
  isCrypto?: true
  /** A part of it has come, and the rest may. */
  isPart?: true
}
/** In `metadata` while the status is 'awaiting clarification'. */
export type ClarificationMetadata = {
  fields: {
    name: string
    label: string
    type: 'text' | 'consent'
    text?: string
    isRequired: boolean
    error?: string
  }[]
}
/** In `metadata` while the status is 'awaiting customer action'. */
export type ActionMetadata = { display: { type: string; title: string; data: string }[] }
/** In `metadata` while the status is 'awaiting merchant auth'. */
export type AuthorisationMetadata = { stage: 'start' | 'finish' }
/**
 * In `metadata` while the status is 'processing' and the customer's bank has promised the money, which may take a week to
 * come: the page where it can be paid another way meanwhile.
 */
/** `isCrypto`: the network has seen it, and a block has to confirm it. */
export type PromiseMetadata = { promised: { again: string; isCrypto?: true } }
/**
 * In `metadata` when it was not paid: why, where that may be shown, and the page where it can be tried again. `isCharged`
 * where money came all the same, of which the reason tells that it goes back.
 */
export type DeclineMetadata = { reason?: string; isCharged?: true; again: string }

export const paymentStatus = endpoint({
  ...routes.paymentStatus,
  access: 'anyone',
  summary: 'How a payment stands; the id is the only key to it',
  schema: { params: z.object({ paymentId: PaymentId }), response: { 200: PaymentStatusReply } },
  problems: [404],
})

export const paymentChallenge = endpoint({
  ...routes.paymentChallenge,
  access: 'issuer',
  summary: "Where the issuer's page sends the customer back with the outcome of 3-D Secure",
  schema: {
    params: z.object({ paymentId: PaymentId }),
    body: z.record(z.string(), z.unknown()),
    response: { 303: z.null() },
  },
  problems: [404],
})

export const gateCallback = endpoint({
  ...machineRoutes.gateCallback,
  access: 'gateway',
  // A gateway that sends what we do not believe sends it again, for days: its good ones are found by asking meanwhile.
  limits: [{ calls: 60, minutes: 10, by: 'address', counts: 'refusals' }],
  summary: 'Signed update of a payment from the gateway',
  /** A dozen times the longest that is known (packages/gate). */
  bodyBytes: 32 * 1024,
  schema: { body: z.record(z.string(), z.unknown()), response: { 200: z.object({}) } },
  problems: [400, 404, 429, 503],
})

/** The body as it came: what is signed are its bytes. */
export const stripeEvent = endpoint({
  ...machineRoutes.stripeEvent,
  access: 'gateway',
  limits: [{ calls: 60, minutes: 10, by: 'address', counts: 'refusals' }],
  summary: 'Signed event of a Stripe account',
  bodyBytes: 256 * 1024,
  schema: { body: z.instanceof(Uint8Array), response: { 200: z.object({}) } },
  problems: [400, 404, 429, 503],
})

export const btcpayEvent = endpoint({
  ...machineRoutes.btcpayEvent,
  access: 'gateway',
  limits: [{ calls: 60, minutes: 10, by: 'address', counts: 'refusals' }],
  summary: 'Signed event of a BTCPay Server',
  bodyBytes: 256 * 1024,
  schema: { body: z.instanceof(Uint8Array), response: { 200: z.object({}) } },
  problems: [400, 404, 429, 503],
})
