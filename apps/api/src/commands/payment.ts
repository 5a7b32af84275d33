import { DAY_MS, formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged, formatRate } from '@hedgerow/domain/exchange'
import { formatMoney } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { PAYMENT_STATUSES, type PaymentStatus } from '@hedgerow/domain/payment-status'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { PaymentFacts } from '#backoffice/operate-payments.ts'
import { getPaymentReport, type PaymentReport, searchPayments } from '#backoffice/operate-payments.ts'
import { opens, reads } from '#cli/classes.ts'
import { JSON_OPTION, readCount, readDays } from '#cli/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#cli/print.ts'
import { Refusal } from '#cli/refusal.ts'
import { withDatabase } from '#cli/with-database.ts'
import {
  discountLines,
  discountOf,
  invoiceOf,
  presentPayment,
  presentReport,
  waitsForRoom,
} from '#commands/present-payment.ts'
import type { RefundRow } from '#refunds/refunds.service.ts'
import { ATTENTION_ITEMS, type AttentionItem } from '#telemetry/attention-items.ts'

const LISTED = 200

const readStatus = (text: string): PaymentStatus => {
  const status = PAYMENT_STATUSES.find((one) => one.toLowerCase() === text.toLowerCase())
  if (!status) throw new InvalidArgumentError(`It is one of: ${PAYMENT_STATUSES.join(', ')}.`)
  return status
}

const time = (at: Date | null) => (at ? formatDateTime(at) : '')

const statusOf = ({ status, gate_code, next_check_at }: PaymentFacts): string => {
  if (status === 'Decline' || status === 'Error') return `${status}${gate_code ? ` (code ${gate_code})` : ''}`
  return next_check_at && status !== 'Success'
    ? `${status}; the gateway is asked ${time(next_check_at)}`
    : status
}

const chargedOf = (row: PaymentFacts): string => {
  const charged = formatCharged(row.charged_minor, row.charged_currency)
  return row.rate_micro === null
    ? charged
    : `${charged}, for ${formatMoney(row.amount_minor, row.currency)} at ${formatRate(row.rate_micro)}`
}

const deliveryOf = (row: PaymentFacts): string => {
  if (row.delivered_at)
    return `${time(row.delivered_at)}; ${row.active_connections} of ${row.connections} connections active`
  if (row.refund_due) return 'none: it buys nothing, and goes back'
  return waitsForRoom(row) ? 'waits for free addresses: no open node has room' : 'none'
}

const REFUND_STATES = { Pending: 'under way', Success: 'gone back', Decline: 'refused' } as const

const refundLine = (refund: RefundRow, { charged_currency }: PaymentFacts): string => {
  const state =
    refund.status === 'Pending' && refund.is_by_hand ? 'to be sent by hand' : REFUND_STATES[refund.status]
  const why = refund.status === 'Decline' && refund.gate_code ? ` (code ${refund.gate_code})` : ''
  const code = refund.closed_at ? `${why} and not owed any more` : why
  const sum = formatCharged(refund.amount_minor, charged_currency)
  return `${sum} ${state}${code}, ${time(refund.ended_at ?? refund.created_at)} (${refund.reason})`
}

const sayReport = ({ payment, refunds, email }: PaymentReport): void =>
  sayFacts([
    ['Payment', payment.id],
    ['Status', statusOf(payment)],
    ['Method', METHOD_NAMES[payment.method]],
    ['Charged', chargedOf(payment)],
    ...discountLines(discountOf(payment)),
    ['Started', time(payment.created_at)],
    ['Ended', time(payment.ended_at)],
    ['Order', `${payment.order_id}, ${payment.order_status}: ${describeOrder(payment)}`],
    ['Customer', email ?? 'the account is erased'],
    ['Delivered', deliveryOf(payment)],
    ['Invoice', invoiceOf(payment) ?? 'none'],
    ...(refunds.length === 0 ? [['Refunds', 'none'] as const] : []),
    ...refunds.map((refund) => ['Refund', refundLine(refund, payment)] as const),
  ])

const show = (id: string, { json }: { json?: true }) =>
  withDatabase(async (db) => {
    const report = await getPaymentReport({ db }, id)
    if (!report) throw new Refusal(`There is no payment ${id}.`)
    return json ? sayJson(presentReport(report)) : sayReport(report)
  })

type Search = {
  only?: AttentionItem
  status?: PaymentStatus
  email?: string
  days?: number
  limit: number
  json?: true
}

const DAYS = 7

/** What came of it, in a word or two. */
const outcomeOf = (row: PaymentFacts): string => {
  if (row.refunded_minor > 0) return `${formatCharged(row.refunded_minor, row.charged_currency)} back`
  if (row.refund_due) return 'refund due'
  if (waitsForRoom(row)) return 'no room yet'
  return row.delivered_at ? 'delivered' : ''
}

export const PAYMENT_HEADS = ['payment', 'started', 'status', 'method', 'charged', 'outcome'] as const

export const paymentRow = (row: PaymentFacts): string[] => [
  row.id,
  time(row.created_at),
  row.status,
  METHOD_NAMES[row.method],
  formatCharged(row.charged_minor, row.charged_currency),
  outcomeOf(row),
]

const list = ({ only, status, email, days, limit, json }: Search) =>
  withDatabase(async (db) => {
    const since = new Date(only && days === undefined ? 0 : Date.now() - (days ?? DAYS) * DAY_MS)
    const found = await searchPayments({ db }, { since, attentionItem: only, status, email }, limit + 1)
    if (!found) throw new Refusal('No account has this e-mail.')
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ payments: rows.map(presentPayment), hasMore })
    if (rows.length === 0) return say('There is no such payment.')
    sayTable(PAYMENT_HEADS, rows.map(paymentRow))
    if (hasMore)
      say(`There are more than these ${limit}. Ask for fewer days, a status, an e-mail or --limit.`)
  })

export const addPayment = (program: Command): void => {
  const payment = program
    .command('payment')
    .usage('<id> | list [options]')
    .summary('how payments stand')
    .description('Show how payments stand.')
    .helpCommand(false)
  opens(payment.command('show', { isDefault: true }))
    .description('A payment with its order, refunds, delivery and invoice; "show" may be left out.')
    .argument('<id>', 'the id of the payment')
    .addOption(JSON_OPTION)
    .action(show)
  reads(payment.command('list'))
    .description('Payments, the newest first.')
    .option('--status <status>', `one of: ${PAYMENT_STATUSES.join(', ')}`, readStatus)
    .option('--email <email>', 'of the account')
    .addOption(
      new Option('--only <what>', 'those that there is something to do about').choices(ATTENTION_ITEMS),
    )
    .option('--days <days>', `so many days back; without --only, ${DAYS} if left out`, readDays)
    .option('--limit <count>', 'so many at most', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
}
