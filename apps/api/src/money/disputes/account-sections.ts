import type { EvidenceSection } from '@hedgerow/documents/evidence-pdf'
import { formatCharged } from '@hedgerow/domain/exchange'
import { counted } from '@hedgerow/domain/order-description'
import { SECURITY_EVENTS } from '@hedgerow/domain/security-events'
import {
  type EvidencePurchase,
  listEarlier,
  listEvents,
  listWords,
} from '#money/disputes/evidence.queries.ts'
import { time } from '#money/disputes/evidence-text.ts'
import type { Db } from '#platform/database/client.ts'

const NETWORKS = new Map([
  [true, 'yes'],
  [false, 'no'],
])

export const earlierSection = async (db: Db, purchase: EvidencePurchase): Promise<EvidenceSection> => ({
  heading: 'Earlier payments by this card',
  text: [
    'Payments of the same account by a card of which the same digits are shown, before this one, that were neither disputed nor given back. Networks are kept for some time only, and as a hash.',
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

export const eventSection = async (db: Db, customerId: string): Promise<EvidenceSection> => ({
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

export const wordsSection = async (db: Db, customerId: string): Promise<EvidenceSection> => ({
  heading: 'Messages with the support',
  table: {
    heads: ['When', 'From', 'Text'],
    widths: [0.2, 0.14, 0.66],
    rows: (await listWords(db, customerId)).map((one) => [time(one.created_at), one.author, one.text]),
  },
})
