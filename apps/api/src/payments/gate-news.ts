import { maskPan } from '@hedgerow/domain/cards'
import { type PaymentStatus, paymentStatusFromGate } from '@hedgerow/domain/payment-moves'
import * as z from 'zod/mini'
import type { PaymentRow, Prescription } from './payments.table.ts'

/** What a callback or a status answer says of a payment, whichever of the gateway's shapes it came in. */
export type GateNews = {
  projectId: number | undefined
  paymentId: string
  status: PaymentStatus
  /** What the customer was to pay; undefined in news that carry no operation. */
  amountMinor: number | undefined
  currency: string | undefined
  prescription: Prescription | undefined
  /** The gateway's own time of it. */
  at: Date | undefined
  requestId: string | undefined
  code: string | undefined
  authCode: string | undefined
  panMasked: string | undefined
  cardHolder: string | undefined
}

/** What news leave behind in a payment's row, whatever its status. */
export type GateDetails = Partial<
  Pick<PaymentRow, 'news_at' | 'gate_request_id' | 'gate_code' | 'auth_code' | 'pan_masked' | 'card_holder'>
>

export const detailsOf = (news: GateNews): GateDetails => ({
  ...(news.at ? { news_at: news.at } : {}),
  ...(news.requestId ? { gate_request_id: news.requestId } : {}),
  ...(news.code ? { gate_code: news.code } : {}),
  ...(news.authCode ? { auth_code: news.authCode } : {}),
  ...(news.panMasked ? { pan_masked: news.panMasked } : {}),
  ...(news.cardHolder ? { card_holder: news.cardHolder } : {}),
})

/** PostgreSQL keeps neither a half of a character nor the one numbered zero. */
const keepable = (value: string | number) => String(value).toWellFormed().replaceAll('\0', '')
const text = z.pipe(z.union([z.string(), z.number()]), z.transform(keepable))
const Sum = z.object({ amount: z.int(), currency: z.string() })
/** An object of ours to read, or whatever else stands in its place (the gateway sends [] for an empty object). */
const lenient = <T extends z.core.$ZodType>(schema: T) => z.catch(z.optional(schema), undefined)

const Operation = z.object({
  type: lenient(z.string()),
  status: lenient(z.string()),
  date: lenient(z.string()),
  request_id: lenient(text),
  code: lenient(text),
  sum_initial: lenient(Sum),
  provider: lenient(z.object({ auth_code: lenient(text) })),
})

const Redirect = z.object({
  url: text,
  method: lenient(z.string()),
  body: lenient(z.record(z.string(), text)),
})

const Message = z.object({
  project_id: lenient(z.int()),
  general: lenient(z.object({ project_id: lenient(z.int()), payment_id: lenient(text) })),
  payment: z.object({
    id: text,
    status: z.string(),
    date: lenient(z.string()),
    sum: lenient(Sum),
  }),
  operation: lenient(Operation),
  operations: lenient(z.array(Operation)),
  account: lenient(z.object({ number: lenient(text), card_holder: lenient(text) })),
  acs: lenient(z.object({ acs_url: text, pa_req: text, md: text })),
  redirect_data: lenient(Redirect),
  redirectData: lenient(Redirect),
  return_url: lenient(Redirect),
  errors: lenient(z.array(z.object({ code: lenient(text) }))),
})

type Message = z.infer<typeof Message>

/** The sale among the operations: its latest state, by date; news without a date count as older. */
const latestSale = ({ operation, operations = [] }: Message) => {
  const sales = [...(operation ? [operation] : []), ...operations].filter(
    ({ type }) => (type ?? 'sale') === 'sale',
  )
  return sales.reduce<(typeof sales)[number] | undefined>(
    (latest, one) => (latest && (latest.date ?? '') > (one.date ?? '') ? latest : one),
    undefined,
  )
}

const WEB = new Set(['http:', 'https:'])

const isWebAddress = (url: string) => URL.canParse(url) && WEB.has(new URL(url).protocol)

/** Where to send the customer; nothing where what is given is not an address of the web. */
const prescriptionOf = (message: Message): Prescription | undefined => {
  const { acs } = message
  if (acs && isWebAddress(acs.acs_url)) {
    return { kind: 'challenge', acsUrl: acs.acs_url, paReq: acs.pa_req, md: acs.md }
  }
  const redirect = message.redirect_data ?? message.redirectData ?? message.return_url
  if (!redirect || !isWebAddress(redirect.url)) return undefined
  const method = redirect.method?.toUpperCase() === 'GET' ? 'GET' : 'POST'
  return { kind: 'redirect', url: redirect.url, method, body: redirect.body ?? {} }
}

/** Some providers run 3-D Secure behind a plain redirect; for the page that is a redirect. */
const statusOf = (status: string, prescription: Prescription | undefined): PaymentStatus => {
  const known = paymentStatusFromGate(status)
  return known === 'awaiting 3ds result' && prescription?.kind === 'redirect'
    ? 'awaiting redirect result'
    : known
}

const dateOf = (value: string | undefined): Date | undefined => {
  const date = value ? new Date(value) : undefined
  return date && !Number.isNaN(date.getTime()) ? date : undefined
}

const nonEmpty = (value: string | undefined) => value || undefined

/** Reads a callback or a status answer; undefined when it is neither. */
export const readGateNews = (body: unknown): GateNews | undefined => {
  const parsed = z.safeParse(Message, body)
  if (!parsed.success) return undefined
  const message = parsed.data
  const sale = latestSale(message)
  const prescription = prescriptionOf(message)
  // The payment's sum falls with refunds; what the customer was asked for stands in the operation.
  // News of a refund alone say nothing of what was asked for.
  const isOfSale = sale !== undefined || (!message.operation && !message.operations?.length)
  const sum = sale?.sum_initial ?? (isOfSale ? message.payment.sum : undefined)
  return {
    projectId: message.project_id ?? message.general?.project_id,
    paymentId: message.payment.id,
    status: statusOf(message.payment.status, prescription),
    amountMinor: sum?.amount,
    currency: sum?.currency,
    prescription,
    at: dateOf(sale?.date ?? message.payment.date),
    requestId: sale?.request_id,
    code: sale?.code ?? message.errors?.[0]?.code,
    authCode: nonEmpty(sale?.provider?.auth_code),
    // Masked by the gateway already; masked again, should one ever forget.
    panMasked: nonEmpty(message.account?.number && maskPan(message.account.number)),
    cardHolder: nonEmpty(message.account?.card_holder),
  }
}
