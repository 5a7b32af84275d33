import type { EvidenceData, EvidenceSection, Fact } from '@hedgerow/documents/evidence-pdf'
import { cancellableUntil } from '@hedgerow/domain/cancellations'
import { formatDateTime } from '@hedgerow/domain/dates'
import { declineReason } from '@hedgerow/domain/decline-reasons'
import { formatCharged } from '@hedgerow/domain/exchange'
import { creditNoteNumber } from '@hedgerow/domain/invoices'
import { counted, describeOrder } from '@hedgerow/domain/order-description'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { labelsOf } from '@hedgerow/domain/pricing'
import { SECURITY_EVENTS } from '@hedgerow/domain/security-events'
import type { Db } from '#database/client.ts'
import type { DisputeRow } from '#database/tables/disputes.table.ts'
import type { With } from '#dependencies.ts'
import { findDispute, listDisputesOf } from '#disputes/disputes.queries.ts'
import {
  type EvidencePurchase,
  findPurchase,
  listAttempts,
  listDelivered,
  listEarlier,
  listEvents,
  listNotes,
  listStatements,
  listWords,
} from '#disputes/evidence.queries.ts'
import { invoiceSection } from '#disputes/invoice-section.ts'
import { listRefunds } from '#refunds/refunds.service.ts'
import type { Settings } from '#settings.ts'

const time = (at: Date | null): string => (at ? formatDateTime(at) : '')
const ERASED = 'The account was deleted by its holder since; nothing else of it is kept.'

const aboutSection = (dispute: DisputeRow, purchase: EvidencePurchase): EvidenceSection => ({
  heading: 'The disputed payment',
  facts: [
    ['Payment', purchase.id],
    ...(dispute.gate_id ? [['Case at the gateway', dispute.gate_id] as const] : []),
    ['Disputed', formatCharged(dispute.amount_minor, dispute.currency)],
    ...(dispute.reason
      ? [['Reason', [dispute.reason, dispute.reason_group].filter(Boolean).join(', ')] as const]
      : []),
    ['Charged', formatCharged(purchase.charged_minor, purchase.charged_currency)],
    ['Paid', time(purchase.ended_at)],
    ['Method', METHOD_NAMES[purchase.method]],
    ...(purchase.pan_masked ? [['Card', purchase.pan_masked] as const] : []),
    ...(purchase.card_holder ? [['Card holder as typed', purchase.card_holder] as const] : []),
  ],
})

const orderSection = (purchase: EvidencePurchase): EvidenceSection => ({
  heading: 'What was bought, and what was shown',
  text: [
    'Before paying, the checkout shows what is bought, for how long, and the total with VAT, directly above a button that names the sum. The details of a card are typed on that page, or on the payment page of the gateway.',
  ],
  facts: [
    ['Order', purchase.order_id],
    ['Ordered', time(purchase.ordered_at)],
    ['What', describeOrder(purchase, labelsOf(purchase.options))],
    ...(purchase.promocode ? [['Promocode', purchase.promocode] as const] : []),
    ['Total shown', formatCharged(purchase.amount_minor, purchase.currency)],
  ],
})

const accountFacts = (purchase: EvidencePurchase): Fact[] =>
  purchase.email === null
    ? [['Account', ERASED]]
    : [
        ['Name', purchase.name ?? ''],
        ['Email', purchase.email],
        ['Account opened', time(purchase.signed_up_at)],
        ['Email confirmed', purchase.confirmed_at ? time(purchase.confirmed_at) : 'no'],
        ['Terms accepted', time(purchase.terms_accepted_at)],
      ]

/** Accepting them is part of every payment: the checkout takes none without. */
const termsSection = (purchase: EvidencePurchase): EvidenceSection => ({
  heading: 'The customer, and the terms accepted',
  text: [
    'An account is opened with an email address that is confirmed by a mailed link. The terms are accepted when it is opened, and again with each payment: no payment is taken without. They say that the service begins at once on the customer’s request, and how to cancel within 14 days.',
  ],
  facts: [
    ...accountFacts(purchase),
    ['Accepted with payment', time(purchase.created_at)],
    ...(purchase.ended_at
      ? [['Could be cancelled until', time(cancellableUntil(purchase.ended_at))] as const]
      : []),
  ],
})

const endOf = (status: string, code: string | null): string =>
  status === 'Success' || !code ? status : `${status}: ${declineReason(code) ?? `code ${code}`}`

const authorisationSection = async (db: Db, purchase: EvidencePurchase): Promise<EvidenceSection> => {
  const attempts = await listAttempts(db, purchase.order_id)
  return {
    heading: 'Authorisation',
    facts: [
      ['Authorisation code', purchase.auth_code ?? 'not told by the gateway'],
      [
        '3-D Secure',
        purchase.answered === null
          ? 'The issuer asked the card holder nothing on the shop’s pages: it allowed the payment without, or asked on the payment page of the gateway.'
          : 'The issuer asked the card holder, the answer was passed on, and the issuer then allowed the payment.',
      ],
      ['ECI', 'Kept by the gateway, with its operation of this payment.'],
      ['Request at the gateway', purchase.gate_request_id ?? 'not kept'],
    ],
    table: {
      heads: ['Attempt', 'Card', 'How it ended'],
      widths: [0.24, 0.3, 0.46],
      rows: attempts.map((one) => [
        time(one.created_at),
        one.pan_masked ?? METHOD_NAMES[one.method],
        endOf(one.status, one.gate_code),
      ]),
    },
  }
}

const NETWORKS = new Map([
  [true, 'yes'],
  [false, 'no'],
])

const earlierSection = async (db: Db, purchase: EvidencePurchase): Promise<EvidenceSection> => ({
  heading: 'Earlier payments by this card',
  text: [
    'Payments of the same account by the same card, before this one, that were neither disputed nor given back. Networks are kept for some time only, and as a hash.',
  ],
  table: {
    heads: ['Paid', 'Amount', 'Same network', 'Payment'],
    widths: [0.22, 0.16, 0.16, 0.46],
    rows: (await listEarlier(db, purchase.id)).map((one) => [
      time(one.ended_at),
      formatCharged(one.charged_minor, one.charged_currency),
      one.is_same_network === null ? 'not kept' : (NETWORKS.get(one.is_same_network) ?? ''),
      one.id,
    ]),
  },
})

const deliverySection = async (db: Db, purchase: EvidencePurchase): Promise<EvidenceSection> => {
  const rows = await listDelivered(db, purchase.id)
  return {
    heading: 'Delivery and use',
    text: [
      purchase.delivered_at
        ? `Delivered on ${time(purchase.delivered_at)}: each connection and its configuration have been in the account since then, and the shop mails a receipt${purchase.email ? ` to ${purchase.email}` : ''} with every delivery.`
        : 'Not delivered.',
      'A connection counts as used on a day on which a device held its keys and made a WireGuard handshake with our server. The shop keeps the first and the last such day of each connection, and neither times, traffic, destinations nor addresses.',
    ],
    table: {
      heads: ['Connection', 'Made or extended', 'Ends', 'First used on', 'Last used on', 'Location'],
      widths: [0.17, 0.2, 0.2, 0.135, 0.135, 0.16],
      rows: rows.map((row) => [
        row.name,
        `${time(row.made_at)}${row.is_renewal ? ', extended' : ''}`,
        row.expires_at ? time(row.expires_at) : 'never',
        row.first_on ?? 'not used',
        row.last_on ?? 'not used',
        row.location ?? '',
      ]),
    },
  }
}

const REFUNDS = { Pending: 'under way', Success: 'given back', Decline: 'not given back' } as const

const refundSection = async (db: Db, purchase: EvidencePurchase): Promise<EvidenceSection> => {
  const notes = new Map((await listNotes(db, purchase.id)).map((note) => [note.refund_id, note]))
  const refunds = await listRefunds(db, [purchase.id])
  const statements = purchase.email === null ? [] : await listStatements(db, purchase.email)
  return {
    heading: 'Refunds and cancellations',
    facts: [
      ['Cancelled', purchase.cancelled_at ? time(purchase.cancelled_at) : 'The purchase was not cancelled.'],
      ...statements.map(
        (one) =>
          ['Said without logging in', `${time(one.received_at)}: ${one.contract}. ${one.message}`] as const,
      ),
    ],
    table: {
      none: 'There was no refund.',
      heads: ['Asked for', 'Amount', 'Ended', 'Credit note', 'Operation at the gateway'],
      widths: [0.22, 0.15, 0.25, 0.19, 0.19],
      rows: refunds.map((one) => {
        const note = notes.get(one.id)
        return [
          time(one.created_at),
          formatCharged(one.amount_minor, purchase.received_currency ?? purchase.charged_currency),
          `${REFUNDS[one.status]}${one.ended_at ? `, ${time(one.ended_at)}` : ''}`,
          note ? creditNoteNumber(note.year, note.number) : '',
          one.gate_operation_id ?? '',
        ]
      }),
    },
  }
}

const eventSection = async (db: Db, customerId: string): Promise<EvidenceSection> => ({
  heading: 'Activity of the account',
  text: [
    'What happened to the account, the newest first, with the coarse network (the first three bytes of an IPv4 address, the first six of an IPv6 one). It is kept for 90 days.',
  ],
  table: {
    heads: ['When', 'Browser', 'Network', 'What'],
    widths: [0.2, 0.22, 0.2, 0.38],
    rows: (await listEvents(db, customerId)).map((one) => [
      time(one.created_at),
      one.browser ?? '',
      one.network ?? '',
      `${SECURITY_EVENTS[one.kind as keyof typeof SECURITY_EVENTS] ?? one.kind}${one.times > 1 ? `, ${counted(one.times, 'time')}` : ''}`,
    ]),
  },
})

const wordsSection = async (db: Db, customerId: string): Promise<EvidenceSection> => ({
  heading: 'Messages with the support',
  table: {
    heads: ['When', 'From', 'Text'],
    widths: [0.2, 0.14, 0.66],
    rows: (await listWords(db, customerId)).map((one) => [time(one.created_at), one.author, one.text]),
  },
})

const disputesSection = async (db: Db, dispute: DisputeRow): Promise<EvidenceSection[]> => {
  const others = (await listDisputesOf(db, [dispute.payment_id])).filter(({ id }) => id !== dispute.id)
  if (others.length === 0) return []
  return [
    {
      heading: 'Other disputes of this payment',
      table: {
        heads: ['Opened', 'Amount', 'Status'],
        widths: [0.3, 0.3, 0.4],
        rows: others.map((one) => [
          time(one.opened_at),
          formatCharged(one.amount_minor, one.currency),
          one.status,
        ]),
      },
    },
  ]
}

/** All that the shop holds of a disputed purchase and may show its bank; undefined when there is no such dispute. */
export const gatherEvidence = async (
  { db, settings }: With<'db'> & { settings: Pick<Settings, 'brand'> },
  disputeId: string,
  made: Date,
): Promise<EvidenceData | undefined> => {
  const dispute = await findDispute(db, disputeId)
  const purchase = dispute && (await findPurchase(db, dispute.payment_id))
  if (!dispute || !purchase) return undefined
  const { customer_id: customerId } = purchase
  return {
    issuer: settings.brand,
    made,
    title: 'Evidence on a disputed payment',
    summary: [
      `${settings.brand.company.legalName} answers the dispute of ${formatCharged(dispute.amount_minor, dispute.currency)}, opened on ${time(dispute.opened_at)}, with what it holds of the purchase. All times are London’s. Made on ${time(made)}.`,
    ],
    sections: [
      aboutSection(dispute, purchase),
      orderSection(purchase),
      termsSection(purchase),
      await authorisationSection(db, purchase),
      await deliverySection(db, purchase),
      await refundSection(db, purchase),
      ...(await disputesSection(db, dispute)),
      ...(customerId === null
        ? []
        : [
            await earlierSection(db, purchase),
            await eventSection(db, customerId),
            await wordsSection(db, customerId),
          ]),
      ...invoiceSection(purchase),
    ],
  }
}
