import { describeWayBack } from '@hedgerow/domain/cancellations'
import { formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { describeOrder } from '@hedgerow/domain/order-description'
import { isRefundedByHand } from '@hedgerow/domain/payment-methods'
import { findPaymentToCancel, type PaymentToCancel } from '#money/cancellations/cancellations.queries.ts'
import { listRefunds } from '#money/refunds/refunds.service.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import { findBuyer } from '#sales/orders/erased-buyers.ts'
import { describeTakenBack } from '#sales/renewals/renewals.mails.ts'
import { listBoughtBy } from '#sales/renewals/renewals.service.ts'

/** What had been refunded of it when it was cancelled: what goes back for the cancellation is one of the refunds by now. */
const sumGivenBefore = async (db: With<'db'>['db'], { id }: PaymentToCancel) => {
  const refunds = await listRefunds(db, [id])
  const own = refunds.find(({ reason }) => reason === 'cancelled')
  return refunds
    .filter(({ status, created_at }) => status !== 'Decline' && (!own || created_at < own.created_at))
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0)
}

const describeRefund = (
  { cancelled_minor, charged_currency, charged_minor, method }: PaymentToCancel,
  givenMinor: number,
): string => {
  const minor = cancelled_minor ?? 0
  const sum = (of: number) => formatCharged(of, charged_currency)
  const before = `Of ${sum(charged_minor)}, ${sum(givenMinor)} was refunded earlier.`
  if (minor === 0)
    return givenMinor === 0
      ? 'There is nothing to refund. Everything you paid for has been used.'
      : `${before} You have used the rest, so nothing is left to refund.`
  const way = describeWayBack({
    currency: charged_currency,
    isByHand: isRefundedByHand(method),
    ...(method === 'crypto' ? { isCrypto: true } : {}),
  })
  if (givenMinor === 0)
    return `You get ${sum(minor)} of ${sum(charged_minor)} back, for the part you had not used. ${way}`
  return `${before} You now get ${sum(minor)} back, which makes ${sum(givenMinor + minor)} for the part you had not used. ${way}`
}

const describeEnd = async (db: With<'db'>['db'], { id, delivered_at }: PaymentToCancel): Promise<string[]> =>
  delivered_at
    ? describeTakenBack(await listBoughtBy(db, id))
    : ['Nothing had been delivered yet, and nothing will be.']

/** To the customer, to keep: what was cancelled and when, what it ended, and what goes back. */
export const mailCancellation = async (
  { db, mailer, settings }: With<'db' | 'mailer' | 'settings'>,
  paymentId: string,
  key: string,
): Promise<void> => {
  const row = await findPaymentToCancel(db, paymentId)
  const customer = row && (await findBuyer(db, paymentId))
  if (!row?.cancelled_at || !customer) return
  const what = describeOrder(row)
  const letter = {
    heading: 'Your purchase is cancelled',
    paragraphs: [
      `Hello ${customer.name},`,
      `We received your statement on ${formatUkTime(row.cancelled_at)} and have cancelled the purchase.`,
      ...(await describeEnd(db, row)),
      describeRefund(row, await sumGivenBefore(db, row)),
      'Keep this email as proof. Your statement, as we recorded it:',
    ],
    quote: [
      `I cancel the contract for: ${what}`,
      `Paid on ${formatDate(row.ended_at ?? row.cancelled_at)}: ${formatCharged(row.charged_minor, row.charged_currency)}`,
      `Payment: ${row.id}`,
      `Account: ${customer.name}, ${customer.email}`,
    ].join('\n'),
    ...(customer.isErased
      ? {}
      : { action: { label: 'Open my payments', url: `${settings.publicUrl}/profile?tab=history` } }),
    notes: [
      customer.isErased
        ? `If this was not you, write to ${settings.brand.company.email}.`
        : `If this was not you, choose a new password at ${settings.publicUrl}/forgot and write to ${settings.brand.company.email}.`,
    ],
  }
  const subject = `You have cancelled: ${what}`
  await mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, settings.brand) })
}
