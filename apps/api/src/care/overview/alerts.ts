import type { AlertList, Today } from '@hedgerow/contract/console/today'
import { poolSize } from '@hedgerow/domain/addresses'
import { refundDueBy } from '@hedgerow/domain/cancellations'
import type { ConversationKind } from '@hedgerow/domain/conversations'
import { formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { LEAST_FREE_PART } from '@hedgerow/domain/nodes'
import { measureUnexplained } from '#accounting/settlement/settlement.service.ts'
import { listUnreadable } from '#care/keys/keys.queries.ts'
import { countFailingMails, countSlowJobs } from '#care/overview/alerts.queries.ts'
import { countAttentionItem } from '#care/telemetry/attention-items.ts'
import { countNewConversations } from '#care/telemetry/new-conversations.ts'
import { countDisputeHints, countDisputesToAnswer } from '#care/telemetry/open-disputes.ts'
import { countOpenStatements } from '#care/telemetry/open-statements.ts'
import { countRequestedWithdrawals } from '#care/telemetry/requested-withdrawals.ts'
import { countNearLimits } from '#money/disputes/scheme-months.ts'
import { measureUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import { countOldRates } from '#money/rates/rates.ts'
import { findFirstByHand, findFirstRefused } from '#money/refunds/refunds.service.ts'
import { countOverdue } from '#network/connections/connections.service.ts'
import {
  emptyLists,
  freeOf,
  isFailing,
  listNodeReports,
  type NodeFacts,
  oldLists,
  runsApart,
} from '#network/nodes/nodes.service.ts'
import { measureRecordFaults } from '#people/operators/operator-record.ts'
import type { Db } from '#platform/database/client.ts'
import { countHeldMails } from '#platform/queue/held-mails.ts'
import { countJobs } from '#platform/queue/list-queue.ts'
import { countMissingSterling } from '#sales/invoices/sterling.ts'

/** Something that waits for the operator. Its name is a heading of docs/incidents.md, and an alert of Prometheus. */
type AlertSource = {
  name: string
  count: (db: Db) => Promise<number>
  /** What is counted: one of them, and more. */
  one: string
  many: string
  /** More of them, to be said after how many there are. */
  also?: (db: Db) => Promise<string>
  /** Where they are seen, and by which of its filters: each front has its words for it. */
  list: AlertList
  filters?: Readonly<Record<string, string>>
}

/** The first day by which money has to go back. */
const sendBy = (since: Date | null | undefined): string =>
  since ? `, to be refunded by ${formatDate(refundDueBy(since))}` : ''

const countNodes = (is: (node: NodeFacts) => boolean) => async (db: Db) =>
  (await listNodeReports({ db })).filter(is).length

const countConversations = (of: ConversationKind) => async (db: Db) =>
  (await countNewConversations(db)).find(({ kind }) => kind === of)?.count ?? 0

const isDown = ({ has_agent, is_in_contact, seen_at }: NodeFacts) =>
  has_agent && !is_in_contact && seen_at !== null
const isNearlyFull = (node: NodeFacts) =>
  node.is_open && freeOf(node, Number(node.peers)) < poolSize(node) * LEAST_FREE_PART

/** The most pressing first. A slice that has something for the operator is named here. */
export const ALERT_SOURCES: readonly AlertSource[] = [
  {
    name: 'PaidOrderWaits',
    count: countAttentionItem('no-room'),
    one: 'paid order has no room',
    many: 'paid orders have no room',
    list: 'payments',
    filters: { only: 'no-room' },
  },
  {
    name: 'NodeDown',
    count: countNodes(isDown),
    one: 'node does not answer',
    many: 'nodes do not answer',
    list: 'nodes',
  },
  {
    name: 'NodeFailing',
    count: countNodes(isFailing),
    one: 'node does not serve its customers',
    many: 'nodes do not serve their customers',
    list: 'nodes',
  },
  {
    name: 'RecordChanged',
    count: async (db) => (await measureRecordFaults(db)).count,
    one: 'check of what operators did found it changed',
    many: 'checks of what operators did found it changed',
    list: 'record-checks',
  },
  {
    name: 'QueueSlow',
    count: countSlowJobs,
    one: 'job is late',
    many: 'jobs are late',
    list: 'jobs',
  },
  {
    name: 'JobsGivenUp',
    count: async (db) => (await countJobs(db)).givenUp,
    one: 'job failed and needs you',
    many: 'jobs failed and need you',
    list: 'jobs',
    filters: { state: 'given-up' },
  },
  {
    name: 'MailFailing',
    count: countFailingMails,
    one: 'mail could not be sent yet',
    many: 'mails could not be sent yet',
    list: 'jobs',
  },
  {
    name: 'MailsHeld',
    count: countHeldMails,
    one: 'mail waits because many of its kind were sent',
    many: 'mails wait because many of their kind were sent',
    list: 'jobs',
  },
  {
    name: 'PaidOtherSum',
    count: countAttentionItem('other-sum'),
    one: 'payment brought a different amount than was due',
    many: 'payments brought different amounts than were due',
    list: 'payments',
    filters: { only: 'other-sum' },
  },
  {
    name: 'PaymentsStuck',
    count: countAttentionItem('stuck'),
    one: 'payment has not ended in time',
    many: 'payments have not ended in time',
    list: 'payments',
    filters: { only: 'stuck' },
  },
  {
    name: 'UnknownPayments',
    count: async (db) => (await measureUnknown(db)).count,
    one: 'payment is not known to the shop',
    many: 'payments are not known to the shop',
    list: 'unknown-payments',
  },
  {
    name: 'SettlementDiffers',
    count: async (db) => (await measureUnexplained(db)).count,
    one: 'booking of the gateway does not match the shop',
    many: 'bookings of the gateway do not match the shop',
    list: 'settlement',
  },
  {
    name: 'DisputeOpen',
    count: async (db) => (await countDisputesToAnswer(db))?.count ?? 0,
    one: 'dispute wants an answer',
    many: 'disputes want an answer',
    also: async (db) => {
      const due = (await countDisputesToAnswer(db))?.first_due
      return due ? `, by ${formatUkTime(due)}` : ''
    },
    list: 'disputes',
    filters: { status: 'open' },
  },
  {
    name: 'DisputesNearLimit',
    count: countNearLimits,
    one: 'card scheme’s limit for disputes is near',
    many: 'card schemes’ limits for disputes are near',
    list: 'disputes',
  },
  {
    name: 'DisputeHint',
    count: async (db) => (await countDisputeHints(db))?.count ?? 0,
    one: 'hint of a dispute was not looked after',
    many: 'hints of disputes were not looked after',
    list: 'dispute-hints',
  },
  {
    name: 'InvoiceFailing',
    count: countAttentionItem('invoice-failing'),
    one: 'invoice cannot be issued',
    many: 'invoices cannot be issued',
    list: 'payments',
    filters: { only: 'invoice-failing' },
  },
  {
    name: 'CardTesting',
    count: countAttentionItem('card-testing'),
    one: 'failed payment has led to a pause',
    many: 'failed payments have led to a pause',
    list: 'payments',
    filters: { only: 'card-testing' },
  },
  {
    name: 'CancelledOften',
    count: countAttentionItem('cancelled-often'),
    one: 'cancelled purchase makes the next one wait',
    many: 'cancelled purchases make the next one wait',
    list: 'payments',
    filters: { only: 'cancelled-often' },
  },
  {
    name: 'PoolNearlyFull',
    count: countNodes(isNearlyFull),
    one: 'node is nearly full',
    many: 'nodes are nearly full',
    list: 'nodes',
  },
  {
    name: 'KeysOverdue',
    count: async (db) => (await countOverdue(db)).count,
    one: 'connection should have had new keys more than a day ago',
    many: 'connections should have had new keys more than a day ago',
    list: 'nodes',
  },
  {
    name: 'BlockListEmpty',
    count: countNodes((node) => emptyLists(node).length > 0),
    one: 'node has an empty block list',
    many: 'nodes have empty block lists',
    list: 'nodes',
  },
  {
    name: 'BlockListOld',
    count: countNodes((node) => oldLists(node).length > 0),
    one: 'node has an old block list',
    many: 'nodes have old block lists',
    list: 'nodes',
  },
  {
    name: 'AgentVersionsApart',
    count: countNodes(runsApart),
    one: 'node runs another version than the shop',
    many: 'nodes run other versions than the shop',
    list: 'nodes',
  },
  {
    name: 'RefundByHand',
    count: countAttentionItem('refund-by-hand'),
    one: 'refund must be sent by hand',
    many: 'refunds must be sent by hand',
    also: async (db) => sendBy(await findFirstByHand(db)),
    list: 'payments',
    filters: { only: 'refund-by-hand' },
  },
  {
    name: 'RefundRefused',
    count: countAttentionItem('refund-refused'),
    one: 'refund was refused by the gateway',
    many: 'refunds were refused by the gateway',
    also: async (db) => sendBy(await findFirstRefused(db)),
    list: 'payments',
    filters: { only: 'refund-refused' },
  },
  {
    name: 'RefundStuck',
    count: countAttentionItem('refund-stuck'),
    one: 'refund is owed and stuck',
    many: 'refunds are owed and stuck',
    list: 'payments',
    filters: { only: 'refund-stuck' },
  },
  {
    name: 'CancellationAsked',
    count: async (db) => (await countOpenStatements(db))?.count ?? 0,
    one: 'cancellation was sent without logging in',
    many: 'cancellations were sent without logging in',
    also: async (db) => sendBy((await countOpenStatements(db))?.oldest_at),
    list: 'cancellations',
  },
  {
    name: 'SecretUnreadable',
    count: async (db) => (await listUnreadable(db)).length,
    one: 'sealed row cannot be opened',
    many: 'sealed rows cannot be opened',
    list: 'sealed-rows',
  },
  {
    name: 'RateOld',
    count: countOldRates,
    one: 'currency has no rate from the last 30 days',
    many: 'currencies have no rate from the last 30 days',
    list: 'rates',
  },
  {
    name: 'SterlingRateMissing',
    count: (db) => countMissingSterling(db),
    one: 'month has sales and no rate in pounds',
    many: 'months have sales and no rate in pounds',
    list: 'sterling-rates',
  },
  {
    name: 'SupportUnanswered',
    count: countConversations('support'),
    one: 'support message is unanswered',
    many: 'support messages are unanswered',
    list: 'support',
    filters: { state: 'new' },
  },
  {
    name: 'WithdrawalAsked',
    count: async (db) => (await countRequestedWithdrawals(db))?.count ?? 0,
    one: 'withdrawal is waiting to be paid',
    many: 'withdrawals are waiting to be paid',
    list: 'withdrawals',
    filters: { state: 'requested' },
  },
  {
    name: 'ApplicationNew',
    count: countConversations('application'),
    one: 'application is new',
    many: 'applications are new',
    list: 'applications',
    filters: { state: 'new' },
  },
]

export type Alert = Today['alerts'][number]

/** Everything that waits for the operator now, the most pressing first. */
export const listAlerts = async (db: Db): Promise<Alert[]> => {
  const alerts: Alert[] = []
  for (const { name, count, one, many, also, list, filters = {} } of ALERT_SOURCES) {
    const found = await count(db)
    if (found === 0) continue
    const more = (await also?.(db)) ?? ''
    alerts.push({ name, count: found, what: `${found} ${found === 1 ? one : many}${more}`, list, filters })
  }
  return alerts
}
