import { formatCharged, formatMinorOf } from '@hedgerow/domain/exchange'
import { isFinal } from '@hedgerow/domain/payment-status'
import type { PaymentFacts } from '#desk/payments/payment-facts.queries.ts'
import type { StatusAnswer } from '#money/gateway/gateway.ts'
import type { PaymentUpdate } from '#money/gateway/payment-update.ts'
import { hasMoney, paidSum } from '#money/refunds/paid-sum.ts'
import { hasGoneBack, type RefundRow } from '#money/refunds/refunds.service.ts'

/** Where the shop and the gateway say different things of a payment, in the words of both. */
export type Difference = {
  what:
    | 'status'
    | 'sum'
    | 'currency'
    | 'refunds'
    | 'delivered without success'
    | 'success without delivery'
    | 'invoice missing'
    | 'answer not readable'
  shop: string
  gateway: string
}

/** What the gateway says, where it answers. */
export type GatewayStatement = Exclude<StatusAnswer, { kind: 'unknown' }>

/** So long after the end updates may be on their way, and the jobs that follow from them at work. */
const SETTLES_WITHIN_MS = 60_000
/** An attempt that the gateway has not seen by then was ended by the shop itself. */
const SEEN_WITHIN_MS = 5 * 60_000

const isOlder = (at: Date | null | undefined, now: Date, ms: number): boolean =>
  !at || now.getTime() - at.getTime() > ms

const statusDiffers = ({ status, received_minor, now }: PaymentFacts, update: PaymentUpdate): boolean => {
  // The gateway calls a success what was none for the shop, because another sum came.
  if (received_minor !== null && update.status === 'Success') return false
  // Which step of its way it has reached is not for the books.
  if (!isFinal(status) && !isFinal(update.status)) return false
  if (status === update.status) return false
  return isFinal(status) || isOlder(update.at, now, SETTLES_WITHIN_MS)
}

const sumOf = (amounts: readonly (number | undefined)[]) =>
  amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)

const compareRefunds = (
  row: PaymentFacts,
  refunds: readonly RefundRow[],
  update: PaymentUpdate,
): Difference[] => {
  const { currency } = paidSum(row)
  // What is sent by hand never passes the gateway, and what a dispute took it does not call a refund.
  const ours = refunds.filter(
    ({ status, is_by_hand, reason }) => status === 'Success' && !is_by_hand && reason !== 'dispute',
  )
  const theirs = update.refunds.filter(({ status }) => status === 'success')
  const given = sumOf(ours.map(({ amount_minor }) => amount_minor))
  const givenThere = sumOf(theirs.map(({ amountMinor }) => amountMinor))
  const strange = theirs.find((refund) => refund.currency !== undefined && refund.currency !== currency)
  if (given === givenThere && !strange) return []
  const there = strange?.currency ?? currency
  const gateway = `${formatMinorOf(givenThere, there)} ${there}`
  return [{ what: 'refunds', shop: `${formatMinorOf(given, currency)} ${currency}`, gateway }]
}

type Told = { amount: number | undefined; currency: string | undefined }

const compareSum = (shop: { minor: number; currency: string }, { amount, currency }: Told): Difference[] => {
  const isOtherCurrency = currency !== undefined && currency !== shop.currency
  const differences: Difference[] = []
  if (amount !== undefined && amount !== shop.minor) {
    const gateway = formatMinorOf(amount, currency ?? shop.currency)
    differences.push({ what: 'sum', shop: formatMinorOf(shop.minor, shop.currency), gateway })
  }
  if (isOtherCurrency) differences.push({ what: 'currency', shop: shop.currency, gateway: currency })
  return differences
}

/** What was asked for; and where that is the same and money came, what came. */
const compareSums = (row: PaymentFacts, update: PaymentUpdate): Difference[] => {
  const charged = { minor: row.charged_minor, currency: row.charged_currency }
  const asked = compareSum(charged, { amount: update.amountMinor, currency: update.currency })
  const hasCome = update.status === 'Success' || row.received_minor !== null
  return asked.length > 0 || !hasCome || !update.paid ? asked : compareSum(paidSum(row), update.paid)
}

const compareUpdate = (
  row: PaymentFacts,
  refunds: readonly RefundRow[],
  update: PaymentUpdate,
): Difference[] => {
  const { status, charged_minor, delivered_at, refund_due, refunded_minor, cancelled_at, now } = row
  const differences: Difference[] = []
  const add = (what: Difference['what'], shop: string, gateway: string) =>
    differences.push({ what, shop, gateway })
  if (statusDiffers(row, update)) add('status', status, update.status)
  differences.push(...compareSums(row, update), ...compareRefunds(row, refunds, update))
  if (delivered_at && update.status !== 'Success')
    add('delivered without success', 'delivered', update.status)
  const isOwed =
    !refund_due &&
    !cancelled_at &&
    !row.disputed_minor &&
    !row.ended_by_dispute_at &&
    refunded_minor < charged_minor
  if (update.status === 'Success' && !delivered_at && isOwed && isOlder(update.at, now, SETTLES_WITHIN_MS))
    add('success without delivery', 'not delivered', update.status)
  return differences
}

/** What the shop can tell by itself. What it owes is told apart, whenever it was paid. */
const compareWithin = (row: PaymentFacts, refunds: readonly RefundRow[]): Difference[] => {
  const { refund_due, is_invoiced, ended_at, now } = row
  const differences: Difference[] = []
  if (!hasMoney(row)) return differences
  if (!refund_due && !is_invoiced && isOlder(ended_at, now, SETTLES_WITHIN_MS))
    differences.push({ what: 'invoice missing', shop: 'no invoice', gateway: '' })
  const given = sumOf(refunds.filter(hasGoneBack).map((one) => one.amount_minor))
  const { minor, currency } = paidSum(row)
  if (given > minor) {
    const shop = `${formatCharged(given, currency)} went back of ${formatCharged(minor, currency)}`
    differences.push({ what: 'refunds', shop, gateway: '' })
  }
  return differences
}

const compareUnseen = ({ status, created_at, delivered_at, now }: PaymentFacts): Difference[] => {
  const isAsExpected = isFinal(status) ? status !== 'Success' : !isOlder(created_at, now, SEEN_WITHIN_MS)
  const gateway = 'never heard of it'
  return [
    ...(isAsExpected ? [] : [{ what: 'status' as const, shop: status, gateway }]),
    ...(delivered_at ? [{ what: 'delivered without success' as const, shop: 'delivered', gateway }] : []),
  ]
}

/** Everything in which the gateway's word of a payment differs from what the shop holds of it. */
export const comparePayment = (
  row: PaymentFacts,
  refunds: readonly RefundRow[],
  word: GatewayStatement,
): Difference[] => {
  const within = compareWithin(row, refunds)
  if (word.kind === 'unseen') return [...compareUnseen(row), ...within]
  if (word.kind === 'unreadable' || word.update.paymentId !== row.id)
    return [{ what: 'answer not readable', shop: row.status, gateway: '' }, ...within]
  return [...compareUpdate(row, refunds, word.update), ...within]
}
