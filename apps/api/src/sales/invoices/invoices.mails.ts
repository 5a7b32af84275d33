import type { Brand } from '@hedgerow/brand/brand'
import { legalText } from '@hedgerow/documents/legal-text'
import { cancellableUntil } from '@hedgerow/domain/cancellations'
import { cardBrand } from '@hedgerow/domain/cards'
import { formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { invoiceNumber } from '@hedgerow/domain/invoices'
import { listNames } from '@hedgerow/domain/renewals'
import { describeStatement } from '@hedgerow/domain/statement-descriptor'
import type { With } from '#platform/dependencies.ts'
import { type Letter, renderLetter } from '#platform/mail/layout.ts'
import type { Attachment } from '#platform/mail/mailer.ts'
import { manualLinks } from '#platform/mail/manual-links.ts'
import { findCorrectionToMail } from '#sales/invoices/corrections.queries.ts'
import { presentCreditNote, presentInvoice } from '#sales/invoices/invoices.present.ts'
import { findReceipt } from '#sales/invoices/invoices.queries.ts'
import type { InvoiceDependencies } from '#sales/invoices/pdf-maker.ts'
import type { BuyerToMail } from '#sales/orders/erased-buyers.ts'
import { cancellationForm, findTerms, type Terms } from '#sales/orders/terms.ts'
import { describeEnds, describeTakenBack } from '#sales/renewals/renewals.mails.ts'
import { type Bought, listEnds, readBought } from '#sales/renewals/renewals.queries.ts'

type Deps = With<'db' | 'mailer' | 'settings'> & InvoiceDependencies

const READY = 'Your connections are ready in your profile.'
/** Every node is full for the moment. */
const WAITING = 'We are making room for your connections. They will be in your profile soon.'

type Receipt = NonNullable<Awaited<ReturnType<typeof findReceipt>>>

/** What has become of the purchase since, where its account is deleted, it was cancelled, or its money went back. */
const describeEnding = (
  { cancelled_at, ended_by_dispute_at, is_given_back }: Receipt,
  { isErased }: BuyerToMail,
): string | undefined => {
  if (isErased) return 'Your account has been deleted since.'
  if (cancelled_at) return `You cancelled this purchase on ${formatUkTime(cancelled_at)}.`
  if (ended_by_dispute_at) return 'You disputed this payment with your bank.'
  return is_given_back ? 'All of it has been refunded since.' : undefined
}

const isOver = ({ expires_at, has_ended }: Bought) => expires_at !== null && has_ended

/** Whether there is anything to use by now: a mail may come late. */
const describeUse = (receipt: Receipt, bought: readonly Bought[], ending: string | undefined): string[] => {
  if (ending)
    return [
      ending,
      ...(receipt.delivered_at
        ? describeTakenBack(bought)
        : ['Nothing had been delivered yet, and nothing will be.']),
    ]
  if (!receipt.delivered_at) return [WAITING]
  return [bought.every(isOver) ? 'The connections it bought have ended.' : READY]
}

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

/** New connections that can be used: what keeps its keys is listed apart. */
const listNew = ({ delivered_at, renew }: Receipt, bought: readonly Bought[]): Bought[] => {
  const extended = new Set(renew.map(({ id }) => id))
  return delivered_at ? bought.filter((one) => !extended.has(one.id) && !isOver(one)) : []
}

/** 'Works until', which is the same for all that a payment makes, unless some of it has changed since. */
const describeNewEnds = (connections: readonly Bought[]): NonNullable<Letter['facts']> => {
  const byEnd = Map.groupBy(connections, ({ expires_at }) =>
    expires_at ? formatUkTime(expires_at) : 'No end',
  )
  return [...byEnd].map(([end, ending]) => [
    byEnd.size === 1 ? 'Works until' : `${listNames(ending.map(({ name }) => name))} until`,
    end,
  ])
}

/** The card as its holder knows it; the invoice has the whole of what is kept. */
const paidBy = ({ method, pan }: ReturnType<typeof presentInvoice>['payment']): string =>
  pan.includes('*') ? `${cardBrand(pan) ?? 'Card'} ending ${pan.slice(-4)}` : method

/** Only for what has to be imported: an extended connection goes on by itself. */
const describeSteps = (
  connections: readonly Bought[],
  publicUrl: string,
  isObfuscated: boolean,
): Pick<Letter, 'steps' | 'links'> =>
  connections.length === 0
    ? {}
    : {
        steps: [
          `On the device you want to connect, install the ${isObfuscated ? 'AmneziaWG app, 2.0.0 or newer,' : 'WireGuard app'} from its store.`,
          'Open this email on that device, press the button below and log in.',
          'Pick a connection and add its file to the app, or scan its code from another screen. Use a different connection on each device.',
          'Switch the tunnel on.',
        ],
        links: isObfuscated ? manualLinks(publicUrl, [['AmneziaWG', 'amneziawg']]) : manualLinks(publicUrl),
      }

/** The law wants the right to cancel on something to keep, and with it that we were asked to begin at once. */
const describeCancelling = (
  { snapshot, issued_at }: Receipt,
  terms: Terms | undefined,
  publicUrl: string,
): string[] => {
  const until = cancellableUntil(new Date(snapshot.paidAt))
  if (until < issued_at) return []
  return [
    `You can cancel this purchase until the end of ${formatDate(until)} (UK time), without giving a reason. Use the button beside it in your payment history, or ${publicUrl}/cancel, which needs no log-in. ${terms ? 'When you paid, you asked us to start at once: you' : 'You'} pay only for the time used by then, and we refund the rest.`,
  ]
}

/** By what they are made of: all receipts carry the same. */
const asText = new WeakMap<object, Buffer>()

const textOf = (of: object, read: () => string): Buffer => {
  const made = asText.get(of) ?? Buffer.from(legalText(read()))
  asText.set(of, made)
  return made
}

const TEXT = 'text/plain; charset=utf-8'

/**
 * The contract to keep: the terms as they were accepted, and the form to cancel it by (Consumer Contracts Regulations 2013, reg.
 * 16). As text: with their letters in them, two PDFs were most of what a mail weighs.
 */
const contractOf = (brand: Brand, terms: Terms | undefined): Attachment[] => {
  return [
    ...(terms?.kind === 'pdf'
      ? [{ filename: 'terms_of_service.pdf', content: terms.content, contentType: 'application/pdf' }]
      : []),
    ...(terms?.kind === 'markdown'
      ? [
          {
            filename: 'terms_of_service.txt',
            content: textOf(terms, () => terms.content.toString('utf8')),
            contentType: TEXT,
          },
        ]
      : []),
    {
      filename: 'cancellation_form.txt',
      content: textOf(brand, () => cancellationForm(brand)),
      contentType: TEXT,
    },
  ]
}

/**
 * Thanks for a purchase. Its invoice is made when it is asked for, in the payment history; it comes with the mail only where
 * one is owed, to a business (SI 1995/2518 reg. 13), and where there is no account any more to ask from.
 */
export const mailReceipt = async (deps: Deps, orderId: string, key: string): Promise<void> => {
  const { db, mailer, settings, pdfs } = deps
  const receipt = await findReceipt(db, orderId)
  if (!receipt?.buyer) return
  const { buyer } = receipt
  const { brand, publicUrl, statementDescriptor } = settings
  const terms = receipt.terms_hash ? await findTerms(db, receipt.terms_hash) : undefined
  const invoice = presentInvoice(receipt)
  const bought = readBought(receipt.bought)
  const ending = describeEnding(receipt, buyer)
  const made = ending ? [] : listNew(receipt, bought)
  const { total } = invoice.payment
  const isAttached = buyer.isErased || receipt.snapshot.vat?.number !== undefined
  const letter: Letter = {
    heading: 'Thank you for your purchase',
    paragraphs: [
      `Hello ${buyer.name},`,
      [
        `We received ${invoice.payment.total} for ${invoice.details}.`,
        ...describeUse(receipt, bought, ending),
      ].join(' '),
      ...describeDiscount(invoice),
      ...(ending ? [] : await describeExtension(db, receipt)),
      ...(ending ? [] : describeLocation(receipt)),
    ],
    facts: [
      ...describeNewEnds(made),
      ['Paid', total],
      ['Paid by', paidBy(invoice.payment)],
      ['Invoice', isAttached ? `${invoice.number}, attached` : invoice.number],
    ],
    ...describeSteps(made, publicUrl, receipt.location?.is_obfuscated === true),
    ...(buyer.isErased
      ? {}
      : {
          action: ending
            ? { label: 'Open my payments', url: `${publicUrl}/profile?tab=history` }
            : { label: 'Open my connections', url: `${publicUrl}/profile` },
        }),
    notes: [
      ...(isAttached
        ? []
        : [`Download your invoice from your payment history: ${publicUrl}/profile?tab=history.`]),
      ...(statementDescriptor && receipt.method === 'card' && receipt.gateway === 'gate'
        ? [describeStatement(statementDescriptor)]
        : []),
      ...(ending ? [] : describeCancelling(receipt, terms, publicUrl)),
      ...(terms
        ? [`Attached are the terms that you accepted, version ${terms.version}, and the cancellation form.`]
        : ['The cancellation form is attached.']),
      `If you did not buy this, write to ${brand.company.email}.`,
    ],
  }
  await mailer.send({
    to: buyer.email,
    subject: `Your receipt from ${brand.name}, ${invoice.number}`,
    key,
    ...renderLetter(letter, brand),
    attachments: [
      ...(isAttached
        ? [{ filename: 'invoice.pdf', content: await pdfs.make(invoice), contentType: 'application/pdf' }]
        : []),
      ...contractOf(brand, terms),
    ],
  })
}

const correctedLetter = (of: string, number: string, note: string | undefined): Letter['paragraphs'] => [
  `We have corrected your invoice ${of}. Invoice ${number} takes its place, and credit note ${note} takes the old one back. Both are attached.`,
  'The price is the same and no money moves. There is nothing you need to do, except pass both on if someone keeps your books.',
]

/** The money that a dispute had taken is ours after all. */
const restoredLetter = (of: string, number: string, note: string | undefined): Letter['paragraphs'] => [
  'Your bank had taken back money that you paid us. It was decided later that the payment stands, and the money has come back to us.',
  note
    ? `Invoice ${number} is for what you have paid now. It takes the place of invoice ${of}, which credit note ${note} takes back. Both are attached.`
    : `Invoice ${number}, which is attached, is for that money. It takes the place of invoice ${of}.`,
  'There is nothing you need to do. If your bank has not told you about this, ask them.',
]

/** An invoice in the place of another, with the credit note that takes back what was left of that. */
export const mailCorrection = async (deps: Deps, correctionId: string, key: string): Promise<void> => {
  const { db, mailer, settings, pdfs } = deps
  const found = await findCorrectionToMail(db, correctionId)
  if (!found) return
  const { brand } = settings
  const invoice = presentInvoice(found)
  const { credit_number: noteNumber, credit_snapshot: noteSnapshot, refund_id } = found
  const note =
    noteNumber === null || noteSnapshot === null
      ? undefined
      : presentCreditNote({ ...found, number: noteNumber, snapshot: noteSnapshot })
  const heading = refund_id === null ? 'Your corrected invoice' : 'Your new invoice'
  const of = invoiceNumber(found.of_year, found.of_number)
  const describe = refund_id === null ? correctedLetter : restoredLetter
  const letter: Letter = {
    heading,
    paragraphs: [`Hello ${found.name},`, ...describe(of, invoice.number, note?.number)],
    facts: [
      ['Invoice', `${invoice.number}, ${invoice.payment.total}`],
      ...(note ? [['Credit note', `${note.number}, ${note.total}`] as const] : []),
    ],
    notes: [`If something is ${refund_id === null ? 'still ' : ''}wrong, write to ${brand.company.email}.`],
  }
  await mailer.send({
    to: found.email,
    subject: `${heading} from ${brand.name}, ${invoice.number}`,
    key,
    ...renderLetter(letter, brand),
    attachments: [
      { filename: 'invoice.pdf', content: await pdfs.make(invoice), contentType: 'application/pdf' },
      ...(note
        ? [{ filename: 'credit-note.pdf', content: await pdfs.make(note), contentType: 'application/pdf' }]
        : []),
    ],
  })
}
