import { CONVERSATION_TEXT } from '@hedgerow/domain/conversations'
import { BLIK_CURRENCY } from '@hedgerow/domain/exchange'
import { MESSAGES, OUR_MESSAGES } from '@hedgerow/domain/messages'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { anAmount, email, greetedName, Instant, oneLine, optionalText, Uuid } from './fields.ts'
import { PaymentId } from './payments.ts'
import { routes } from './routes.ts'

const currency = z.enum([...CURRENCY_CODES, BLIK_CURRENCY])

/** A connection that the payment made or extended. */
const CancelledConnection = z.object({
  _id: z.string(),
  name: z.string(),
  /** When it ends if the payment is cancelled: at once, or later where other payments bought days of it too. */
  endsAt: Instant,
  endsAtOnce: z.boolean(),
})

/** What cancelling a payment now would come to, or what it came to. */
export const Cancellation = z.object({
  /** What is paid back, in `currency`: the part of the sum paid that was not used, less what was given back before. */
  refund: z.number(),
  /** What the payment was charged in: PLN where it was paid by Blik. */
  currency,
  /** The last moment in which it can be cancelled. */
  until: Instant,
  /** There where it was cancelled. */
  cancelledAt: z.optional(Instant),
  /** The payment system gives nothing back by itself: a person sends the money. */
  isByHand: z.boolean(),
  /** There where it was paid in bitcoin, so that the customer has to say where it goes. */
  isCrypto: z.optional(z.literal(true)),
  /** The customer has to say the password: the log-in is not recent. */
  asksPassword: z.boolean(),
  connections: z.array(CancelledConnection),
})
export type Cancellation = z.infer<typeof Cancellation>

/** `refund` is the sum that was shown: where it was not right within the last 15 minutes, nothing is cancelled and the answer names the new one. */
export const CancelPaymentRequest = z.object({
  refund: z.optional(anAmount(OUR_MESSAGES.refund)),
  password: z.optional(
    z.string(OUR_MESSAGES.passwordToErase).check(z.minLength(1, OUR_MESSAGES.passwordToErase)),
  ),
})
export type CancelPaymentRequest = z.infer<typeof CancelPaymentRequest>

const params = z.object({ paymentId: PaymentId })

export const previewCancellation = endpoint({
  ...routes.previewCancellation,
  access: 'signed-in',
  limits: [
    { calls: 300, minutes: 10, by: 'address' },
    { calls: 600, minutes: 60, by: 'customer' },
  ],
  summary: 'What cancelling a payment within its 14 days would give back, and what it would end',
  schema: { params, response: { 200: Cancellation } },
  problems: [404, 409],
})

export const cancelPayment = endpoint({
  ...routes.cancelPayment,
  access: 'signed-in',
  // And by who tries passwords (`people/accounts/password-tries.ts`).
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 60, minutes: 60, by: 'customer' },
  ],
  summary: 'Cancel a payment within its 14 days: what it bought ends, and what was not used is paid back',
  schema: { params, body: CancelPaymentRequest, response: { 200: Cancellation } },
  problems: [404, 409],
})

/** So many characters name a contract at most. */
const CONTRACT_NAME = { max: 200 } as const

/** Asked of someone who cannot log in; a person reads it, and its receipt is acknowledged by mail. */
export const CancellationForm = z.object({
  name: greetedName(OUR_MESSAGES.conversationNameRequired),
  email: email(OUR_MESSAGES.cancellationEmailRequired, MESSAGES.emailInvalid),
  /** What identifies the contract: the address of the account, the number of an invoice, the id of a payment … */
  contract: oneLine(OUR_MESSAGES.contractRequired, CONTRACT_NAME.max),
  /** Optional: a reason is not needed. */
  message: z.optional(optionalText(CONVERSATION_TEXT.max, OUR_MESSAGES.conversationTextLong)),
})
export type CancellationForm = z.infer<typeof CancellationForm>

/** `id` is made by the sender: a repeated one is the same statement, sent again. */
export const declareCancellation = endpoint({
  ...routes.declareCancellation,
  access: 'anyone',
  // And the mails that go to one address are counted, from all callers (`money/cancellations/statements.service.ts`).
  limits: [
    { calls: 10, minutes: 60, by: 'address' },
    // A browser that is known has a count of its own: others in its network keep no one from cancelling.
    { calls: 10, minutes: 60, by: 'field', field: 'email', ofMailbox: true, andAddress: true },
  ],
  summary: 'Withdraw from a contract without logging in',
  schema: {
    body: z.extend(CancellationForm, { id: Uuid }),
    response: { 201: z.object({ _id: z.string(), receivedAt: Instant }) },
  },
  problems: [409],
})
