import type { EvidenceSection, Fact } from '@hedgerow/documents/evidence-pdf'
import { cancellableUntil } from '@hedgerow/domain/cancellations'
import { cardBrand } from '@hedgerow/domain/cards'
import { declineReason } from '@hedgerow/domain/decline-reasons'
import { disputeReasonWords } from '@hedgerow/domain/dispute-reasons'
import { describeEci } from '@hedgerow/domain/eci'
import { formatCharged } from '@hedgerow/domain/exchange'
import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import { describeOrder } from '@hedgerow/domain/order-description'
import { METHOD_NAMES } from '@hedgerow/domain/payment-methods'
import { labelsOf } from '@hedgerow/domain/pricing'
import { type EvidencePurchase, listAttempts, listDelivered } from '#money/disputes/evidence.queries.ts'
import { time } from '#money/disputes/evidence-text.ts'
import type { Db } from '#platform/database/client.ts'
import type { DisputeRow } from '#platform/database/tables/disputes.table.ts'

/** '10.4 (Other fraud, card absent)' */
const withWords = (reason: string): string => {
  const words = disputeReasonWords(reason)
  return words === undefined ? reason : `${reason} (${words})`
}

const ERASED = 'The account was deleted by its holder since; nothing else of it is kept.'

export const aboutSection = (dispute: DisputeRow, purchase: EvidencePurchase): EvidenceSection => ({
  heading: 'The disputed payment',
  facts: [
    ['Payment', purchase.id],
    ...(dispute.gate_id ? [['Case at the gateway', dispute.gate_id] as const] : []),
    ['Disputed', formatCharged(dispute.amount_minor, dispute.currency)],
    ...(dispute.reason
      ? [['Reason', [withWords(dispute.reason), dispute.reason_group].filter(Boolean).join(', ')] as const]
      : []),
    ['Charged', formatCharged(purchase.charged_minor, purchase.charged_currency)],
    ['Paid', time(purchase.ended_at)],
    [
      'Method',
      `${METHOD_NAMES[purchase.method]}, by ${purchase.gateway === 'gate' ? 'the gateway' : GATEWAY_TITLES[purchase.gateway]}`,
    ],
    ...(purchase.pan_masked ? [['Card', purchase.pan_masked] as const] : []),
    ...(purchase.card_holder ? [['Card holder as typed', purchase.card_holder] as const] : []),
  ],
})

export const orderSection = (purchase: EvidencePurchase): EvidenceSection => ({
  heading: 'What was bought',
  facts: [
    ['Order', purchase.order_id],
    ['Ordered', time(purchase.ordered_at)],
    ['What', describeOrder(purchase, labelsOf(purchase.options))],
    ...(purchase.promocode ? [['Promocode', purchase.promocode] as const] : []),
    ['Total', formatCharged(purchase.amount_minor, purchase.currency)],
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

const acceptedFacts = ({ created_at, terms_version, terms_hash }: EvidencePurchase): Fact[] =>
  terms_version === null || terms_hash === null
    ? [['Accepted with payment', 'Not recorded for this payment.']]
    : [
        ['Accepted with payment', time(created_at)],
        ['Version of the terms', terms_version],
        ['SHA-256 of their text', terms_hash.toString('hex')],
      ]

export const termsSection = (purchase: EvidencePurchase): EvidenceSection => ({
  heading: 'The customer, and the terms accepted',
  facts: [
    ...accountFacts(purchase),
    ...acceptedFacts(purchase),
    ...(purchase.ended_at
      ? [['Could be cancelled until', time(cancellableUntil(purchase.ended_at))] as const]
      : []),
  ],
})

const endOf = (status: string, code: string | null): string =>
  status === 'Success' || !code ? status : `${status}: ${declineReason(code) ?? `code ${code}`}`

/** Recorded facts only: what an issuer did elsewhere is the gateway's to prove, by its ECI. */
const challengeText = ({ challenge_answered_at, gateway }: EvidencePurchase): string => {
  if (gateway !== 'gate')
    return `The card was typed on ${GATEWAY_TITLES[gateway]}’s page, which has the card holder confirm the payment where the issuer asks for it. The ECI says what came of it.`
  return challenge_answered_at
    ? `The issuer asked the card holder to confirm the payment, and the answer was passed on to it on ${time(challenge_answered_at)}.`
    : 'The shop holds no record of a challenge that was answered on its pages.'
}

const authenticationFacts = (purchase: EvidencePurchase): Fact[] => [
  ['3-D Secure', challengeText(purchase)],
  [
    'ECI',
    purchase.eci
      ? describeEci(purchase.eci, purchase.card_brand ?? cardBrand(purchase.pan_masked ?? ''))
      : 'not reported by the gateway',
  ],
]

export const authorisationSection = async (db: Db, purchase: EvidencePurchase): Promise<EvidenceSection> => {
  const attempts = await listAttempts(db, purchase.order_id)
  return {
    heading: 'Authorisation',
    facts: [
      ['Authorisation code', purchase.auth_code ?? 'not given by the gateway'],
      ...(purchase.method === 'card' ? authenticationFacts(purchase) : []),
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

export const deliverySection = async (db: Db, purchase: EvidencePurchase): Promise<EvidenceSection> => {
  const rows = await listDelivered(db, purchase.id)
  return {
    heading: 'Delivery and use',
    text: [
      purchase.delivered_at
        ? `Delivered on ${time(purchase.delivered_at)}: each connection and its configuration have been in the account since then.`
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
