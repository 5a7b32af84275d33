import { cancellableUntil } from '@hedgerow/domain/cancellations'
import { formatDate } from '@hedgerow/domain/dates'
import { listNames } from '@hedgerow/domain/renewals'
import type { With } from '#dependencies.ts'
import { presentInvoice } from '#invoices/invoices.present.ts'
import { findReceipt } from '#invoices/invoices.queries.ts'
import type { InvoiceDependencies } from '#invoices/pdf-maker.ts'
import { renderLetter } from '#mail/layout.ts'
import { describeEnds } from '#renewals/renewals.mails.ts'
import { listEnds } from '#renewals/renewals.service.ts'

type Deps = With<'db' | 'mailer' | 'settings'> & InvoiceDependencies

const READY = 'Your connections are ready in your profile.'
/** Every node is full for the moment. */
const WAITING = 'We are making room for your connections. They will be in your profile soon.'

type Receipt = NonNullable<Awaited<ReturnType<typeof findReceipt>>>

/** What became of the connections that were to be extended. */
const describeExtension = async (
  db: Deps['db'],
  { delivered_at, renew, renews }: Receipt,
): Promise<string[]> => {
  if (!delivered_at) return []
  const ends = await listEnds(
    db,
    renew.map(({ id }) => id),
  )
  const names = listNames(renew.map(({ name }) => name))
  const replaced = renews.length - renew.length
  return [
    ...describeEnds(ends, 'now '),
    ...(renew.length > 0
      ? [
          `${names} ${renew.length === 1 ? 'goes' : 'go'} on with the same keys: there is nothing to import again.`,
        ]
      : []),
    ...(replaced > 0
      ? [
          replaced === 1
            ? 'One connection could not be extended any more, so there is a new one in its place.'
            : `${replaced} connections could not be extended any more, so there are new ones in their place.`,
        ]
      : []),
  ]
}

/** Where a location was chosen. */
const describeLocation = ({ delivered_at, location }: Receipt): string[] => {
  if (!delivered_at || !location?.is_chosen) return []
  const { name, instead_of } = location
  return instead_of
    ? [
        `${instead_of} had no room, so your new connections are in ${name}. You can move them at any time, at no charge.`,
      ]
    : [`Your new connections are in ${name}.`]
}

const describeDiscount = ({ discount }: ReturnType<typeof presentInvoice>): string[] =>
  discount ? [`${discount.label}, ${discount.sum}. The price without it is ${discount.price}.`] : []

/** The law wants the right to cancel told on something to keep, and with it that we were asked to begin at once. */
const describeCancelling = ({ snapshot, issued_at }: Receipt, publicUrl: string): string[] => {
  const until = cancellableUntil(new Date(snapshot.paidAt))
  if (until < issued_at) return []
  return [
    `You can cancel this purchase until the end of ${formatDate(until)}, without giving a reason: with the button beside it in your payment history, or without logging in at ${publicUrl}/cancel. By paying you asked us to begin at once, so the time that was used by then is counted, and you get the rest back.`,
  ]
}

/** Thanks for a purchase, with its invoice. */
export const mailReceipt = async (deps: Deps, orderId: string, key: string): Promise<void> => {
  const { db, mailer, settings, pdfs } = deps
  const receipt = await findReceipt(db, orderId)
  if (!receipt) return
  const { brand, publicUrl } = settings
  const invoice = presentInvoice(receipt)
  const letter = {
    heading: 'Thank you for your purchase',
    paragraphs: [
      `Hello ${receipt.name},`,
      `We received ${invoice.payment.total} for ${invoice.details}. ${receipt.delivered_at ? READY : WAITING}`,
      ...describeDiscount(invoice),
      ...(await describeExtension(db, receipt)),
      ...describeLocation(receipt),
      `The invoice ${invoice.number} is attached.`,
      ...describeCancelling(receipt, publicUrl),
    ],
    action: { label: 'Open my connections', url: `${publicUrl}/profile` },
    notes: [`If you did not buy this, write to ${brand.company.email}.`],
  }
  await mailer.send({
    to: receipt.email,
    subject: `Your receipt from ${brand.name}, ${invoice.number}`,
    key,
    ...renderLetter(letter, brand),
    attachments: [
      { filename: 'invoice.pdf', content: await pdfs.make(invoice), contentType: 'application/pdf' },
    ],
  })
}
