import { maskPan } from '@hedgerow/domain/cards'
import { readEci } from '@hedgerow/domain/eci'
import { maskCardNumbers } from '@hedgerow/domain/invoices'
import type { NextAction } from '@hedgerow/domain/next-action'
import { PAYMENT_METHODS, type PaymentMethod } from '@hedgerow/domain/payment-methods'
import { PARTIALLY_PAID, type PaymentStatus, paymentStatusFromGate } from '@hedgerow/domain/payment-status'
import * as z from 'zod/mini'
import { lenient, text } from '#money/gateway/gate/gate-fields.ts'
import { NEXT_ACTION_FIELDS, readNextAction } from '#money/gateway/gate/read-next-action.ts'
import type { PaymentUpdate, RefundUpdate, Sum as SumOfUpdate } from '#money/gateway/payment-update.ts'

const Sum = z.object({ amount: z.int(), currency: z.string() })

const Operation = z.object({
  id: lenient(text),
  type: lenient(z.string()),
  status: lenient(z.string()),
  date: lenient(z.string()),
  request_id: lenient(text),
  merchant_refund_id: lenient(text),
  code: lenient(text),
  eci: lenient(text),
  sum_initial: lenient(Sum),
  /** What the terminal's format calls it. */
  sum: lenient(Sum),
  provider: lenient(z.object({ auth_code: lenient(text) })),
})

const Message = z.object({
  project_id: lenient(z.int()),
  general: lenient(z.object({ project_id: lenient(z.int()), payment_id: lenient(text) })),
  payment: z.object({
    id: text,
    status: z.string(),
    date: lenient(z.string()),
    sum: lenient(Sum),
    result_code: lenient(text),
    method: lenient(z.string()),
  }),
  customer: lenient(z.object({ id: lenient(text) })),
  sum_request: lenient(Sum),
  /** What the terminal's format calls the payment's sum. */
  sum_real: lenient(Sum),
  AuthCode: lenient(text),
  operation: lenient(Operation),
  operations: lenient(z.array(Operation)),
  account: lenient(z.object({ number: lenient(text), card_holder: lenient(text) })),
  ...NEXT_ACTION_FIELDS,
  errors: lenient(z.array(z.object({ code: lenient(text) }))),
})

type Message = z.infer<typeof Message>
type Operation = z.infer<typeof Operation>

const operationsOf = ({ operation, operations = [] }: Message) => [
  ...(operation ? [operation] : []),
  ...operations,
]

/** The sale among the operations: its latest state, by date; one without a date counts as older. */
const latestSale = (message: Message) =>
  operationsOf(message)
    .filter(({ type }) => (type ?? 'sale') === 'sale')
    .reduce<Operation | undefined>(
      (latest, one) => (latest && (latest.date ?? '') > (one.date ?? '') ? latest : one),
      undefined,
    )

const REFUND_TYPES = new Set(['refund', 'reversal'])

const isEnded = (status: string | undefined) => status === 'success' || status === 'decline'

const refundsOf = (message: Message): RefundUpdate[] =>
  operationsOf(message).flatMap((operation) => {
    const { id, type = '', status, request_id, merchant_refund_id, code } = operation
    if (!REFUND_TYPES.has(type) || !isEnded(status)) return []
    const sum = operation.sum_initial ?? operation.sum
    return {
      operationId: id,
      requestId: request_id,
      refundId: merchant_refund_id,
      status: status as RefundUpdate['status'],
      amountMinor: sum?.amount,
      currency: sum?.currency,
      code,
    }
  })

/** Some banks promise the money first and send it later (gate.md §5.2): then this operation follows the sale's. */
const latestConfirmation = (message: Message) =>
  operationsOf(message).findLast(({ type }) => type === 'payment confirmation')

const GIVEN_BACK = new Set(['refunded', 'partially refunded', 'reversed', 'partially reversed'])
const ALL_GIVEN_BACK = new Set(['refunded', 'reversed'])

const succeeded = (refunds: readonly RefundUpdate[]) => refunds.filter(({ status }) => status === 'success')

/** The payment's sum falls with refunds, so what came is known only together with all of them. */
const paidOf = (
  message: Message,
  gateStatus: string,
  asked: SumOfUpdate | undefined,
  refunds: readonly RefundUpdate[],
): SumOfUpdate | undefined => {
  const back = succeeded(refunds)
  if (GIVEN_BACK.has(gateStatus) && back.length === 0) return undefined
  if (back.some(({ amountMinor }) => amountMinor === undefined)) return undefined
  const left = message.payment.sum ?? message.sum_real
  if (!left) return gateStatus === PARTIALLY_PAID ? undefined : asked
  return { ...left, amount: back.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, left.amount) }
}

/**
 * Where money was given back, the sale itself says how it ended: a success that we may never have heard of. Only a sale
 * whose promised money never came was none; and one of which all is back, without a word of how it went back: nothing of
 * it is left to be given anything for. Some providers run 3-D Secure behind a plain redirect; for the page that is
 * a redirect.
 */
const statusOf = (
  status: string,
  sale: Operation | undefined,
  confirmation: Operation | undefined,
  refunds: readonly RefundUpdate[],
  nextAction: NextAction | undefined,
): PaymentStatus => {
  if (GIVEN_BACK.has(status)) {
    if (confirmation?.status === 'decline') return 'Decline'
    if (ALL_GIVEN_BACK.has(status) && succeeded(refunds).length === 0) return 'Decline'
    if (isEnded(sale?.status)) return paymentStatusFromGate(sale?.status ?? '')
  }
  const known = paymentStatusFromGate(status)
  return known === 'awaiting 3ds result' && nextAction?.kind === 'redirect'
    ? 'awaiting redirect result'
    : known
}

const LONGEST_STATUS = 100

const dateOf = (value: string | undefined): Date | undefined => {
  const date = value ? new Date(value) : undefined
  return date && !Number.isNaN(date.getTime()) ? date : undefined
}

const nonEmpty = (value: string | undefined) => value || undefined

/** As callbacks name each method. Banks are named with their country ('Open Banking UK'). */
const GATEWAY_NAMES: Readonly<Partial<Record<PaymentMethod, RegExp>>> = {
  card: /^card$/i,
  open_banking: /^open[ _-]banking/i,
  blik: /^blik$/i,
}

const methodOf = (name = ''): PaymentMethod | undefined =>
  PAYMENT_METHODS.find((method) => GATEWAY_NAMES[method]?.test(name))

const TokenMessage = z.object({
  general: z.object({ project_id: z.int() }),
  token: z.string(),
  request: z.object({}),
})

/**
 * Whether a callback is about a token for a card. We ask for none and keep none; the gateway makes them all the same
 * where its support has switched that on (gate.md §7.1, §13).
 */
export const isOfToken = (body: unknown, projectId: number): boolean =>
  z.safeParse(TokenMessage, body).data?.general.project_id === projectId

/** `projectId`: whose payment it is; one account may have several shops. */
export type GateUpdate = PaymentUpdate & { projectId: number | undefined }

/** Reads a callback or a status answer; undefined when it is neither. */
export const readPaymentUpdate = (body: unknown): GateUpdate | undefined => {
  const parsed = z.safeParse(Message, body)
  if (!parsed.success) return undefined
  const message = parsed.data
  const confirmation = latestConfirmation(message)
  const sale = latestSale(message) ?? confirmation
  const operations = operationsOf(message)
  const isRefundOnly = operations.length > 0 && operations.every(({ type = '' }) => REFUND_TYPES.has(type))
  const gateStatus = message.payment.status.toLowerCase().slice(0, LONGEST_STATUS)
  const refunds = refundsOf(message)
  const nextAction = readNextAction(message, paymentStatusFromGate(gateStatus))
  // The payment's sum falls with refunds; what the customer was asked for stands in the operation.
  // An update of a refund alone says nothing of what was asked for.
  const sum = sale?.sum_initial ?? (isRefundOnly ? undefined : (message.sum_request ?? message.payment.sum))
  return {
    projectId: message.project_id ?? message.general?.project_id,
    paymentId: message.payment.id,
    status: statusOf(gateStatus, sale, confirmation, refunds, nextAction),
    gateStatus,
    amountMinor: sum?.amount,
    currency: sum?.currency,
    paid: paidOf(message, gateStatus, sum, refunds),
    nextAction,
    at: dateOf(sale?.date ?? message.payment.date),
    requestId: sale?.request_id,
    code: sale?.code ?? message.errors?.[0]?.code ?? message.payment.result_code,
    eci: readEci(sale?.eci),
    authCode: nonEmpty(sale?.provider?.auth_code) ?? nonEmpty(message.AuthCode),
    // Masked by the gateway already; masked again, should one ever forget.
    panMasked: nonEmpty(message.account?.number && maskPan(message.account.number)),
    cardHolder: nonEmpty(message.account?.card_holder && maskCardNumbers(message.account.card_holder)),
    refunds,
    isGivenBack: ALL_GIVEN_BACK.has(gateStatus),
    method: methodOf(message.payment.method),
    customerId: nonEmpty(message.customer?.id),
    isRefundOnly,
  }
}
