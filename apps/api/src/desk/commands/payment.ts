import { DAY_MS, formatDateTime } from '@hedgerow/domain/dates'
import { formatCharged, formatRate } from '@hedgerow/domain/exchange'
import { formatMoney } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { isFinal, PAYMENT_STATUSES, type PaymentStatus } from '@hedgerow/domain/payment-status'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ATTENTION_ITEMS, type AttentionItem } from '#care/telemetry/attention-items.ts'
import { getPaymentReport, type PaymentReport, searchPayments } from '#desk/backoffice/operate-payments.ts'
import type { PaymentFacts } from '#desk/backoffice/payment-facts.queries.ts'
import { addCancel } from '#desk/commands/cancel-payment.ts'
import { addUnknownPayments } from '#desk/commands/payment-adopt.ts'
import { disputeLine } from '#desk/presentation/present-dispute.ts'
import {
  discountLines,
  discountOf,
  invoiceOf,
  outcomeOf,
  presentPayment,
  presentReport,
  waitsForRoom,
} from '#desk/presentation/present-payment.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, opens, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readDays, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayFacts, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { createGateClient } from '#money/gateway/gate-client.ts'
import {
  previewResolution,
  RESOLUTIONS,
  type Resolution,
  resolvePayment,
} from '#money/payments/exceptions/resolve-payment.ts'
import { paidSum } from '#money/refunds/paid-sum.ts'
import type { RefundRow } from '#money/refunds/refunds.service.ts'
import { readGateSettings } from '#platform/settings.ts'

const LISTED = 200

const readStatus = (text: string): PaymentStatus => {
  const status = PAYMENT_STATUSES.find((one) => one.toLowerCase() === text.toLowerCase())
  if (!status) throw new InvalidArgumentError(`Expected one of: ${PAYMENT_STATUSES.join(', ')}.`)
  return status
}

const time = (at: Date | null) => (at ? formatDateTime(at) : '')

const endOf = ({ status, gate_code }: PaymentFacts): string =>
  status !== 'Success' && gate_code ? `${status} (code ${gate_code})` : status

const statusOf = (row: PaymentFacts): string => {
  const { status, gate_status, next_check_at } = row
  const word =
    gate_status && gate_status !== status.toLowerCase() ? `; the gateway says '${gate_status}'` : ''
  if (isFinal(status)) return `${endOf(row)}${word}`
  return `${status}${word}${next_check_at ? `; the gateway is asked next at ${time(next_check_at)}` : ''}`
}

const chargedOf = (row: PaymentFacts): string => {
  const charged = formatCharged(row.charged_minor, row.charged_currency)
  return row.rate_micro === null
    ? charged
    : `${charged}, for ${formatMoney(row.amount_minor, row.currency)} at ${formatRate(row.rate_micro)}`
}

const receivedOf = (row: PaymentFacts) => {
  if (row.received_minor === null) return []
  const { minor, currency } = paidSum(row)
  return [['Received', `${formatCharged(minor, currency)}, which is not the amount due`] as const]
}

const deliveryOf = (row: PaymentFacts): string => {
  if (row.delivered_at)
    return `${time(row.delivered_at)}; ${row.active_connections} of ${row.connections} connections active`
  if (row.refund_due) return 'none: it buys nothing and is refunded'
  if (row.cancelled_at) return 'none: it was cancelled first'
  if (row.disputed_minor > 0) return 'none: it is disputed, and waits for what becomes of that'
  if (row.ended_by_dispute_at) return 'none: a dispute ended it first'
  return waitsForRoom(row) ? 'waiting for free addresses: no open node has room' : 'none'
}

const cancellationLines = ({ cancelled_at, cancelled_minor, charged_currency }: PaymentFacts) =>
  cancelled_at === null || cancelled_minor === null
    ? []
    : [
        [
          'Cancelled',
          `${time(cancelled_at)}; ${formatCharged(cancelled_minor, charged_currency)} to be refunded`,
        ] as const,
      ]

const REFUND_STATES = { Pending: 'under way', Success: 'refunded', Decline: 'refused' } as const

const refundLine = (refund: RefundRow, payment: PaymentFacts): string => {
  const state =
    refund.status === 'Pending' && refund.is_by_hand ? 'to be sent by hand' : REFUND_STATES[refund.status]
  const why = refund.status === 'Decline' && refund.gate_code ? ` (code ${refund.gate_code})` : ''
  const code = refund.closed_at ? `${why} and no longer owed` : why
  const sum = formatCharged(refund.amount_minor, paidSum(payment).currency)
  return `${sum} ${state}${code}, ${time(refund.ended_at ?? refund.created_at)} (${refund.reason})`
}

const sayReport = ({ payment, refunds, disputes, email }: PaymentReport): void =>
  sayFacts([
    ['Payment', payment.id],
    ['Status', statusOf(payment)],
    ['Method', METHOD_NAMES[payment.method]],
    ['Charged', chargedOf(payment)],
    ...receivedOf(payment),
    ...discountLines(discountOf(payment)),
    ['Started', time(payment.created_at)],
    ['Ended', time(payment.ended_at)],
    ['Order', `${payment.order_id}, ${payment.order_status}: ${describeOrder(payment)}`],
    ['Customer', email ?? (payment.is_unknown ? 'not known' : 'erased account')],
    ['Delivered', deliveryOf(payment)],
    ...cancellationLines(payment),
    ['Invoice', invoiceOf(payment) ?? 'none'],
    ...(refunds.length === 0 ? [['Refunds', 'none'] as const] : []),
    ...refunds.map((refund) => ['Refund', refundLine(refund, payment)] as const),
    ...disputes.map((dispute) => ['Dispute', disputeLine(dispute)] as const),
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
    if (!found) throw new Refusal('No account has this email address.')
    const rows = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ payments: rows.map(presentPayment), hasMore })
    if (rows.length === 0) return say('No payments found.')
    sayTable(PAYMENT_HEADS, rows.map(paymentRow))
    if (hasMore)
      say(
        `There are more than these ${limit}. Narrow the search by --days, --status or --email, or raise --limit.`,
      )
  })

const CONSEQUENCES: Readonly<Record<Resolution, string>> = {
  paid: 'It then counts as paid: what it bought is delivered, or the money is refunded if the order was paid another way.',
  decline: 'It then counts as declined, and the customer is told so.',
  error: 'It then counts as failed, and the customer is told so.',
}

/** What is done is said by the command itself. */
const SILENT = { warn: () => undefined, error: () => undefined }

const SETTLED: Readonly<Record<'settled' | 'by-the-gateway', string>> = {
  settled: 'Settled',
  'by-the-gateway': 'Ended as the gateway says',
}

type Settle = { as: Resolution; although?: true; yes?: true; json?: true }

const settle = (paymentId: string, { as, although, yes, json }: Settle) =>
  withDatabase(async (db) => {
    const request = { paymentId, as, isAlthough: although ?? false }
    const preview = await previewResolution({ db }, request)
    if (preview.kind === 'refused') throw new Refusal(`Not settled: ${preview.why}.`)
    const { charged_minor, charged_currency, status } = preview.payment
    const sum = formatCharged(charged_minor, charged_currency)
    await ask(`Payment ${paymentId} of ${sum} is '${status}'. Settle it as ${as}? ${CONSEQUENCES[as]}`, yes)
    const gate = createGateClient({ gate: readGateSettings(toolRun().env), publicUrl: '' })
    const answer = await resolvePayment({ db, gate, log: SILENT }, request)
    if (answer.kind === 'refused') throw new Refusal(`Not settled: ${answer.why}.`)
    const report = await getPaymentReport({ db }, paymentId)
    if (json) return sayJson({ outcome: answer.kind, payment: report && presentReport(report) })
    const goesBack = report?.payment.refund_due ? ' The money buys nothing and is refunded.' : ''
    say(`${SETTLED[answer.kind]}: payment ${paymentId} is ${answer.status}.${goesBack}`)
  })

export const addPayment = (program: Command): void => {
  const payment = program
    .command('payment')
    .usage('<id> | list [options] | cancel <id> [options] | settle <id> [options] | unknown | adopt <id> …')
    .summary('customers’ payments')
    .description('Show payments, cancel them, and end those that do not end by themselves.')
    .helpCommand(false)
  opens(payment.command('show', { isDefault: true }))
    .description('A payment with its order, refunds, delivery and invoice; "show" may be left out.')
    .argument('<id>', 'the id of the payment')
    .addOption(JSON_OPTION)
    .action(show)
  addCancel(payment)
  reads(payment.command('list'))
    .description('Payments, newest first.')
    .option('--status <status>', `one of: ${PAYMENT_STATUSES.join(', ')}`, readStatus)
    .option('--email <email>', 'of this account')
    .addOption(
      new Option('--only <what>', 'only payments that need you, for this reason').choices(ATTENTION_ITEMS),
    )
    .option(
      '--days <days>',
      `how many days to look back; ${DAYS} by default, or all of them with --only`,
      readDays,
    )
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  changes(payment.command('settle'))
    .description(
      'End a payment that has not ended, when you know from the gateway’s dashboard or from the bank how it did. ' +
        'The gateway is asked first, and its answer counts. A success that it reports later still counts. ' +
        'A declined or failed payment can be settled as paid.',
    )
    .argument('<id>', 'the id of the payment')
    .addOption(
      new Option('--as <end>', 'how it ended; paid means that exactly the amount due has arrived')
        .choices(RESOLUTIONS)
        .makeOptionMandatory(),
    )
    .option('--although', 'settle it although the gateway says that it is under way')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(settle)
  addUnknownPayments(payment)
}
