import { refundDueBy } from '@hedgerow/domain/cancellations'
import { formatDate } from '@hedgerow/domain/dates'
import { formatCharged } from '@hedgerow/domain/exchange'
import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import { formatMinor } from '@hedgerow/domain/money'
import { describeOrder } from '@hedgerow/domain/order-description'
import { isRefundClaimed, isRefundedByHand, METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { claimPageOf } from '#money/gateway/adapters.ts'
import { leftOf, paidSum } from '#money/refunds/paid-sum.ts'
import { findRefund, listReferences, type RefundWithPayment } from '#money/refunds/refunds.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import { type OperatorLetter, operatorMail } from '#platform/mail/operator-letter.ts'
import { creditNoteToMail, type NoteToMail } from '#sales/invoices/credit-notes.service.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'
import { findBuyer } from '#sales/orders/erased-buyers.ts'
import { describeTakenBack } from '#sales/renewals/renewals.mails.ts'
import { listBoughtBy } from '#sales/renewals/renewals.service.ts'

type Deps = With<'db' | 'mailer' | 'settings'>

const REASONS: Readonly<Record<RefundWithPayment['reason'], string>> = {
  operator: '',
  'at-the-gateway': '',
  'paid-twice': 'The order had already been paid, so this payment was one too many.',
  'account-erased': 'The account had been deleted when the payment came in.',
  'other-sum': 'It was not the price of the order, so it bought nothing.',
  cancelled: 'You cancelled it. Our email about that says what has ended.',
  dispute: '',
}

const sumOf = (refund: RefundWithPayment) => formatCharged(refund.amount_minor, paidSum(refund).currency)

const describeWay = ({ method, is_by_hand }: RefundWithPayment): string => {
  if (isRefundClaimed(method))
    return is_by_hand ? 'We sent it to you ourselves.' : 'It went to the wallet that you named.'
  const way =
    is_by_hand && !isRefundedByHand(method)
      ? `It could not go back the way it came (${METHOD_NAMES[method]}), so we have sent it another way.`
      : `It goes back the way it came (${METHOD_NAMES[method]}).`
  return `${way} Banks take up to ten working days to show it.`
}

/** So that money that the bank cannot find is not disputed. The number is known when the settlement has told it. */
const describeReference = (reference: string | undefined, isToldLater: boolean): string[] => {
  if (reference) return [`If your bank cannot find it, give them this reference: ${reference}.`]
  return isToldLater
    ? [
        'Your payment history will show a reference for your bank to find it by, once the card network has given it one.',
      ]
    : []
}

/** It could not be made now: the customer does not wait for it to learn where their money is. */
const LATER = 'later'

/** Throws only while too many documents are being made, so that the mail comes again with it. */
const noteOf = async (
  deps: Deps & With<'log'> & InvoiceDependencies,
  refund: RefundWithPayment,
): Promise<NoteToMail | typeof LATER | undefined> => {
  try {
    return await creditNoteToMail(deps, refund)
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unavailable') throw error
    const { id: refundId, payment_id: paymentId } = refund
    deps.log.error({ refundId, paymentId, err: error }, 'a refund is mailed without its credit note')
    return LATER
  }
}

const describeNote = (note: NoteToMail | typeof LATER | undefined): string[] => {
  if (note === undefined) return []
  return note === LATER
    ? ['You will find the credit note in your payment history soon.']
    : [`Attached is the credit note, ${note.number}. It takes this amount off your invoice.`]
}

const attached = (note: NoteToMail | typeof LATER | undefined) =>
  note === undefined || note === LATER
    ? {}
    : { attachments: [{ filename: 'credit-note.pdf', content: note.pdf, contentType: 'application/pdf' }] }

/** The money is on its way back; with the credit note, where what was refunded has an invoice. */
export const mailRefund = async (
  deps: Deps & With<'log'> & InvoiceDependencies,
  refundId: string,
  key: string,
): Promise<void> => {
  const { db, mailer, settings } = deps
  const refund = await findRefund(db, refundId)
  const customer = refund && (await findBuyer(db, refund.payment_id))
  if (!refund || !customer) return
  const note = await noteOf(deps, refund)
  const reference = (await listReferences(db, [refund.payment_id])).get(refund.id)
  const isToldLater =
    settings.dataApi !== null && refund.method === 'card' && !refund.is_by_hand && !customer.isErased
  const isWhole = leftOf(refund) === 0
  const isTakenBack =
    isWhole && !refund.is_kept_in_dispute && refund.delivered_at !== null && refund.reason !== 'cancelled'
  const isDispute = refund.reason === 'dispute'
  const paid = `${sumOf(refund)} of your payment (${describeOrder(refund)})`
  const letter = {
    heading: isDispute ? 'Your bank has taken the money back' : 'Your money is on its way back',
    paragraphs: [
      `Hello ${customer.name},`,
      ...(isDispute
        ? [
            `You disputed a payment with your bank, and it was decided that ${paid} goes back to you.`,
            'Your bank will pay it to you. There is no further refund from us.',
          ]
        : [
            `We have refunded ${paid}.`,
            ...(REASONS[refund.reason] ? [REASONS[refund.reason]] : []),
            describeWay(refund),
            ...describeReference(reference, isToldLater),
          ]),
      ...describeNote(note),
      ...(isTakenBack ? describeTakenBack(await listBoughtBy(db, refund.payment_id)) : []),
    ],
    ...(customer.isErased
      ? {}
      : { action: { label: 'Open my payments', url: `${settings.publicUrl}/profile?tab=history` } }),
    notes: [`If something is wrong, write to ${settings.brand.company.email}.`],
  }
  const subject = isDispute
    ? `Your bank has taken back ${sumOf(refund)}`
    : `We have refunded ${sumOf(refund)}`
  await mailer.send({
    to: customer.email,
    subject,
    key,
    ...renderLetter(letter, settings.brand),
    ...attached(note),
  })
}

/** What repeats the refund; of a part, with its sum, since without one all of it would go back. */
const refundCommand = (refund: RefundWithPayment) =>
  `refund ${refund.payment_id}${refund.amount_minor === paidSum(refund).minor ? '' : ` --amount ${formatMinor(refund.amount_minor)}`}`

const sentCommand = ({ payment_id, id }: RefundWithPayment) => `refund resolve ${payment_id} ${id} --as sent`

const mailOperator = async (
  deps: Deps,
  refundId: string,
  key: string,
  letterOf: (refund: RefundWithPayment) => Omit<OperatorLetter, 'page'>,
) => {
  const refund = await findRefund(deps.db, refundId)
  if (!refund) return
  const page = { label: 'Open the payment', path: `/payments/${refund.payment_id}` }
  await deps.mailer.send({ ...operatorMail({ ...letterOf(refund), page }, deps.settings), key })
}

/** To the operator: the gateway will not give the money back. */
export const mailRefundFailed = (deps: Deps, refundId: string, key: string) =>
  mailOperator(deps, refundId, key, (refund) => ({
    heading: 'A refund was refused',
    paragraphs: [
      `The gateway refused to refund ${sumOf(refund)} of payment ${refund.payment_id} (code ${refund.gate_code ?? 'not given'}).`,
      `The customer is still waiting for this money. It must be sent by ${formatDate(refundDueBy(refund.owed_since))}.`,
      'Once the cause is gone, refund it again. Or send the money another way, and record it as sent.',
    ],
    commands: [
      ['Refund it again', refundCommand(refund)],
      ['Once it was sent another way', sentCommand(refund)],
    ],
  }))

/** To the operator: the gateway has given back what had gone back already, or more than was left. */
export const mailRefundTwice = (deps: Deps, refundId: string, key: string) =>
  mailOperator(deps, refundId, key, (refund) => ({
    heading: 'Money may have been refunded twice',
    paragraphs: [
      `${refund.reason === 'dispute' ? 'A lost dispute has taken' : 'The gateway refunded'} ${sumOf(refund)} of payment ${refund.payment_id}, on top of what had been refunded, is being refunded, was sent by hand or was not owed.`,
      'Only the customer can return what was refunded too much. Ask them.',
    ],
    commands: [['See what was refunded', `payment show ${refund.payment_id}`]],
  }))

/** What to do about one that is not sent by itself. */
const byHandWords = (refund: RefundWithPayment, settings: Deps['settings']): string[] => {
  const { method, gateway, payment_id: payment, gate_request_id: ref } = refund
  const by = `by ${formatDate(refundDueBy(refund.owed_since))} at the latest`
  if (isRefundClaimed(method)) {
    const page = claimPageOf(settings, gateway, ref)
    const name = GATEWAY_TITLES[gateway]
    return [
      `The customer has claimed ${sumOf(refund)} of payment ${payment}. Approve the claim in ${name} and pay it, ${by}${page ? `: ${page}` : '.'}`,
      `The shop learns from ${name} that it is paid.`,
    ]
  }
  const why = isRefundedByHand(method)
    ? `${METHOD_NAMES[method]} makes no refunds.`
    : `A refund by ${METHOD_NAMES[method].toLowerCase()} came back (${refund.gate_code ?? 'no reason given'}).`
  return [
    `${why} Send ${sumOf(refund)} to the account that made payment ${payment}, ${by}.`,
    'Once it is sent, record it as sent.',
  ]
}

/** To the operator: this method has no refunds, this one came back, or its customer has claimed it, so the operator sends it. */
export const mailRefundByHand = (deps: Deps, refundId: string, key: string) =>
  mailOperator(deps, refundId, key, (refund) => ({
    heading: 'A refund must be sent by hand',
    paragraphs: byHandWords(refund, deps.settings),
    // What is claimed is paid where it is claimed, and the shop learns of it.
    ...(isRefundClaimed(refund.method) ? {} : { commands: [['Once it is sent', sentCommand(refund)]] }),
  }))

/** To the customer: the refund waits until they say where it goes. */
export const mailRefundClaim = async (
  { db, mailer, settings }: Deps,
  refundId: string,
  key: string,
): Promise<void> => {
  const refund = await findRefund(db, refundId)
  const customer = refund && (await findBuyer(db, refund.payment_id))
  if (!customer || refund.status !== 'Pending' || !refund.claim_url) return
  const letter = {
    heading: 'Your refund is ready to claim',
    paragraphs: [
      `Hello ${customer.name},`,
      `We are refunding ${sumOf(refund)} of your payment (${describeOrder(refund)}).`,
      ...(REASONS[refund.reason] ? [REASONS[refund.reason]] : []),
      `You paid with bitcoin, so we need to know where to send it. Open the link below and give the address of your wallet. You will get bitcoin worth ${sumOf(refund)} on the day we send it.`,
      'Anyone who has the link can claim the refund, so do not share it.',
    ],
    action: { label: 'Claim my refund', url: refund.claim_url },
    notes: [
      ...(customer.isErased ? [] : ['You will find the same link in your payment history.']),
      `If something is wrong, write to ${settings.brand.company.email}.`,
    ],
  }
  const subject = `Claim your refund of ${sumOf(refund)}`
  await mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, settings.brand) })
}
