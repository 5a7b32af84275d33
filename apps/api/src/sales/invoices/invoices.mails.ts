import { cancellableUntil } from '@hedgerow/domain/cancellations'
import { formatDate, formatDateTime } from '@hedgerow/domain/dates'
import { listNames } from '@hedgerow/domain/renewals'
import type { With } from '#platform/dependencies.ts'
import { type Letter, renderLetter } from '#platform/mail/layout.ts'
import { manualLinks } from '#platform/mail/manual-links.ts'
import { presentInvoice } from '#sales/invoices/invoices.present.ts'
import { findReceipt } from '#sales/invoices/invoices.queries.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'
import { describeEnds } from '#sales/renewals/renewals.mails.ts'
import { listBoughtBy, listEnds } from '#sales/renewals/renewals.queries.ts'

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
  if (!delivered_at || renews.length === 0) return []
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
          `${names} ${renew.length === 1 ? 'keeps its' : 'keep their'} keys, so there is nothing to import again.`,
        ]
      : []),
    ...(replaced > 0
      ? [
          replaced === 1
            ? 'One connection could no longer be extended, so there is a new one in its place.'
            : `${replaced} connections could no longer be extended, so there are new ones in their place.`,
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
        `${instead_of} was full, so your new connections are in ${name}. You can move them at any time, free of charge.`,
      ]
    : [`Your new connections are in ${name}.`]
}

const describeDiscount = ({ discount }: ReturnType<typeof presentInvoice>): string[] =>
  discount ? [`${discount.label}, ${discount.sum}. The price without it is ${discount.price}.`] : []

/** New connections, by their end: what keeps its keys is listed apart. */
const listNew = async (db: Deps['db'], { delivered_at, payment_id, renew }: Receipt) => {
  const extended = new Set(renew.map(({ id }) => id))
  return delivered_at ? (await listBoughtBy(db, payment_id)).filter(({ id }) => !extended.has(id)) : []
}

type New = Awaited<ReturnType<typeof listNew>>

/** 'Works until', which is the same for all that a payment makes, unless some of it has changed since. */
const describeNewEnds = (connections: New): NonNullable<Letter['facts']> => {
  const byEnd = Map.groupBy(connections, ({ expires_at }) =>
    expires_at ? `${formatDateTime(expires_at)} (London time)` : 'No end',
  )
  return [...byEnd].map(([end, ending]) => [
    byEnd.size === 1 ? 'Works until' : `${listNames(ending.map(({ name }) => name))} until`,
    end,
  ])
}

/** Only for what has to be imported: an extended connection goes on by itself. */
const describeSteps = (connections: New, publicUrl: string): Pick<Letter, 'steps' | 'links'> =>
  connections.length === 0
    ? {}
    : {
        steps: [
          'On the device you want to connect, install the WireGuard app from its store.',
          'Open this email on that device, press the button below and log in.',
          'Pick a connection and add its file to the app, or scan its code from another screen. Use a different connection on each device.',
          'Switch the tunnel on.',
        ],
        links: manualLinks(publicUrl),
      }

/** The law wants the right to cancel on something to keep, and with it that we were asked to begin at once. */
const describeCancelling = ({ snapshot, issued_at }: Receipt, publicUrl: string): string[] => {
  const until = cancellableUntil(new Date(snapshot.paidAt))
  if (until < issued_at) return []
  return [
    `You can cancel this purchase until the end of ${formatDate(until)}, without giving a reason. Use the button beside it in your payment history, or ${publicUrl}/cancel, which needs no log-in. By paying you asked us to start at once, so the time used by then is counted, and you get the rest back.`,
  ]
}

/** Thanks for a purchase, with its invoice. */
export const mailReceipt = async (deps: Deps, orderId: string, key: string): Promise<void> => {
  const { db, mailer, settings, pdfs } = deps
  const receipt = await findReceipt(db, orderId)
  if (!receipt) return
  const { brand, publicUrl } = settings
  const invoice = presentInvoice(receipt)
  const made = await listNew(db, receipt)
  const { method, pan, total } = invoice.payment
  const letter: Letter = {
    heading: 'Thank you for your purchase',
    paragraphs: [
      `Hello ${receipt.name},`,
      `We received ${invoice.payment.total} for ${invoice.details}. ${receipt.delivered_at ? READY : WAITING}`,
      ...describeDiscount(invoice),
      ...(await describeExtension(db, receipt)),
      ...describeLocation(receipt),
    ],
    facts: [
      ...describeNewEnds(made),
      ['Paid', total],
      ['Paid by', pan.includes('*') ? `${method} ${pan}` : method],
      ['Invoice', `${invoice.number}, attached`],
    ],
    ...describeSteps(made, publicUrl),
    action: { label: 'Open my connections', url: `${publicUrl}/profile` },
    notes: [
      ...describeCancelling(receipt, publicUrl),
      `If you did not buy this, write to ${brand.company.email}.`,
    ],
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
