import { type AlertList, type Today, URGENCIES, type Urgency } from '@hedgerow/contract/console/today'
import { poolSize } from '@hedgerow/domain/addresses'
import { refundDueBy } from '@hedgerow/domain/cancellations'
import type { ConversationKind } from '@hedgerow/domain/conversations'
import { DAY_MS, formatDate, formatUkTime } from '@hedgerow/domain/dates'
import { LEAST_FREE_PART } from '@hedgerow/domain/nodes'
import { measureUnexplained } from '#accounting/settlement/settlement.service.ts'
import { measureProblems } from '#care/doctor/shop-checks.ts'
import { listUnreadable } from '#care/keys/keys.queries.ts'
import { measureFailingMails, measureSlowJobs } from '#care/overview/alerts.queries.ts'
import { type AttentionItem, measureAttentionItems } from '#care/telemetry/attention-items.ts'
import { countNewConversations } from '#care/telemetry/new-conversations.ts'
import { countDisputeHints, countDisputesToAnswer } from '#care/telemetry/open-disputes.ts'
import { countOpenStatements } from '#care/telemetry/open-statements.ts'
import { countRequestedWithdrawals } from '#care/telemetry/requested-withdrawals.ts'
import { countFailingEndpoints } from '#care/webhooks/webhooks.queries.ts'
import { countNearLimits } from '#money/disputes/scheme-months.ts'
import { measureUnknown } from '#money/payments/exceptions/unknown-payments.ts'
import { countOldRates } from '#money/rates/rates.ts'
import { findFirstByHand, findFirstRefused } from '#money/refunds/refunds.service.ts'
import { countOverdue } from '#network/connections/connections.service.ts'
import {
  freeOf,
  isFailing,
  listNodeReports,
  missedLists,
  type NodeFacts,
  oldLists,
  runsApart,
} from '#network/nodes/nodes.service.ts'
import { measureRecordFaults } from '#people/operators/operator-record.ts'
import type { Db } from '#platform/database/client.ts'
import { countHeldMails } from '#platform/queue/held-mails.ts'
import { countJobs } from '#platform/queue/list-queue.ts'
import { countMissingSterling } from '#sales/invoices/sterling.ts'

/** `oldest_seconds`: for how long the first has waited; 0 or absent where that is not known. `only`: which one, where it is one. */
type Waits = { count: number; oldest_seconds?: number; only?: string | null }

/** Something that waits for the operator. Its name is a heading of docs/incidents.md, and an alert of Prometheus. */
type AlertSource = {
  name: string
  /** How soon somebody should look, as its severity in alerts.yml. */
  urgency: Urgency
  measure: (db: Db) => Promise<Waits | undefined>
  /** What is counted: one of them, and more. */
  one: string
  many: string
  /** What is done about it, as a button says it. */
  act: string
  /** When the first is due, and how that is said after how many there are. */
  due?: (db: Db) => Promise<Due | undefined>
  /** Where they are seen, and by which of its filters: each front has its words for it. */
  list: AlertList
  filters?: Readonly<Record<string, string>>
}

type Due = { at: Date; says: string }

/** The first day by which money has to go back. */
const sendBy = (since: Date | null | undefined): Due | undefined => {
  if (!since) return undefined
  const at = refundDueBy(since)
  return { at, says: `, to be refunded by ${formatDate(at)}` }
}

const counted = (count: (db: Db) => Promise<number>) => async (db: Db) => ({ count: await count(db) })

const nodesThat =
  (is: (node: NodeFacts) => boolean, sinceOf: (node: NodeFacts) => Date | null = () => null) =>
  async (db: Db): Promise<Waits> => {
    const nodes = (await listNodeReports({ db })).filter(is)
    const waited = nodes.map((node) => Date.now() - (sinceOf(node)?.getTime() ?? Date.now()))
    return {
      count: nodes.length,
      oldest_seconds: Math.max(0, ...waited) / 1000,
      only: nodes[0]?.name ?? null,
    }
  }

const paymentsThat = (item: AttentionItem) => async (db: Db) =>
  (await measureAttentionItems(db, [item]))[item]

const conversationsOf = (of: ConversationKind) => async (db: Db) =>
  (await countNewConversations(db)).find(({ kind }) => kind === of)

const isDown = ({ has_agent, is_in_contact, seen_at }: NodeFacts) =>
  has_agent && !is_in_contact && seen_at !== null
const isNearlyFull = (node: NodeFacts) =>
  node.is_open && freeOf(node, Number(node.peers)) < poolSize(node) * LEAST_FREE_PART

/** A slice that has something for the operator is named here. */
export const ALERT_SOURCES: readonly AlertSource[] = [
  {
    name: 'CheckFailing',
    urgency: 'now',
    measure: measureProblems,
    one: 'check of the shop failed',
    many: 'checks of the shop failed',
    act: 'See checks',
    list: 'checks',
  },
  {
    name: 'PaidOrderWaits',
    urgency: 'now',
    measure: paymentsThat('no-room'),
    one: 'paid order has no room',
    many: 'paid orders have no room',
    act: 'Make room',
    list: 'payments',
    filters: { only: 'no-room' },
  },
  {
    name: 'NodeDown',
    urgency: 'now',
    measure: nodesThat(isDown, ({ seen_at }) => seen_at),
    one: 'node does not answer',
    many: 'nodes do not answer',
    act: 'Check node',
    list: 'nodes',
  },
  {
    name: 'NodeFailing',
    urgency: 'now',
    measure: nodesThat(isFailing),
    one: 'node does not serve its customers',
    many: 'nodes do not serve their customers',
    act: 'Check node',
    list: 'nodes',
  },
  {
    name: 'RecordChanged',
    urgency: 'now',
    measure: measureRecordFaults,
    one: 'check of what operators did found it changed',
    many: 'checks of what operators did found it changed',
    act: 'See record',
    list: 'record-checks',
  },
  {
    name: 'QueueSlow',
    urgency: 'now',
    measure: measureSlowJobs,
    one: 'job is late',
    many: 'jobs are late',
    act: 'See jobs',
    list: 'jobs',
  },
  {
    name: 'JobsGivenUp',
    urgency: 'today',
    measure: counted(async (db) => (await countJobs(db)).givenUp),
    one: 'job failed and needs you',
    many: 'jobs failed and need you',
    act: 'Try again',
    list: 'jobs',
    filters: { state: 'given-up' },
  },
  {
    name: 'MailFailing',
    urgency: 'now',
    measure: measureFailingMails,
    one: 'mail could not be sent yet',
    many: 'mails could not be sent yet',
    act: 'See emails',
    list: 'jobs',
  },
  {
    name: 'MailsHeld',
    urgency: 'today',
    measure: counted(countHeldMails),
    one: 'mail waits because many of its kind were sent',
    many: 'mails wait because many of their kind were sent',
    act: 'See emails',
    list: 'jobs',
  },
  {
    name: 'PaidOtherSum',
    urgency: 'today',
    measure: paymentsThat('other-sum'),
    one: 'payment brought a different amount than was due',
    many: 'payments brought different amounts than were due',
    act: 'Settle',
    list: 'payments',
    filters: { only: 'other-sum' },
  },
  {
    name: 'PaymentsStuck',
    urgency: 'today',
    measure: paymentsThat('stuck'),
    one: 'payment has not ended in time',
    many: 'payments have not ended in time',
    act: 'Resolve',
    list: 'payments',
    filters: { only: 'stuck' },
  },
  {
    name: 'UnknownPayments',
    urgency: 'today',
    measure: measureUnknown,
    one: 'payment is not known to the shop',
    many: 'payments are not known to the shop',
    act: 'Adopt',
    list: 'unknown-payments',
  },
  {
    name: 'SettlementDiffers',
    urgency: 'today',
    measure: measureUnexplained,
    one: 'booking of the gateway does not match the shop',
    many: 'bookings of the gateway do not match the shop',
    act: 'Explain',
    list: 'settlement',
  },
  {
    name: 'DisputeOpen',
    urgency: 'today',
    measure: countDisputesToAnswer,
    one: 'dispute wants an answer',
    many: 'disputes want an answer',
    due: async (db) => {
      const at = (await countDisputesToAnswer(db))?.first_due
      return at ? { at, says: `, by ${formatUkTime(at)}` } : undefined
    },
    act: 'Answer',
    list: 'disputes',
    filters: { status: 'open' },
  },
  {
    name: 'DisputesNearLimit',
    urgency: 'today',
    measure: counted(countNearLimits),
    one: 'card scheme’s limit for disputes is near',
    many: 'card schemes’ limits for disputes are near',
    act: 'See disputes',
    list: 'disputes',
  },
  {
    name: 'DisputeHint',
    urgency: 'today',
    measure: countDisputeHints,
    one: 'hint of a dispute was not looked after',
    many: 'hints of disputes were not looked after',
    act: 'Check',
    list: 'dispute-hints',
  },
  {
    name: 'InvoiceFailing',
    urgency: 'today',
    measure: paymentsThat('invoice-failing'),
    one: 'invoice cannot be issued',
    many: 'invoices cannot be issued',
    act: 'Check invoice',
    list: 'payments',
    filters: { only: 'invoice-failing' },
  },
  {
    name: 'CardTesting',
    urgency: 'today',
    measure: paymentsThat('card-testing'),
    one: 'failed payment has led to a pause',
    many: 'failed payments have led to a pause',
    act: 'Review',
    list: 'payments',
    filters: { only: 'card-testing' },
  },
  {
    name: 'CancelledOften',
    urgency: 'today',
    measure: paymentsThat('cancelled-often'),
    one: 'cancelled purchase makes the next one wait',
    many: 'cancelled purchases make the next one wait',
    act: 'Review',
    list: 'payments',
    filters: { only: 'cancelled-often' },
  },
  {
    name: 'PoolNearlyFull',
    urgency: 'today',
    measure: nodesThat(isNearlyFull),
    one: 'node is nearly full',
    many: 'nodes are nearly full',
    act: 'Add a node',
    list: 'nodes',
  },
  {
    name: 'KeysOverdue',
    urgency: 'today',
    measure: countOverdue,
    one: 'connection should have had new keys more than a day ago',
    many: 'connections should have had new keys more than a day ago',
    act: 'See connections',
    list: 'connections',
    filters: { keysOverdue: 'true' },
  },
  {
    name: 'BlockListEmpty',
    urgency: 'today',
    measure: nodesThat((node) => missedLists(node).length > 0),
    one: 'node has an empty block list that customers bought a filter by',
    many: 'nodes have empty block lists that customers bought filters by',
    act: 'Check node',
    list: 'nodes',
  },
  {
    name: 'BlockListOld',
    urgency: 'today',
    measure: nodesThat((node) => oldLists(node).length > 0),
    one: 'node has an old block list',
    many: 'nodes have old block lists',
    act: 'Check node',
    list: 'nodes',
  },
  {
    name: 'AgentVersionsApart',
    urgency: 'today',
    measure: nodesThat(runsApart),
    one: 'node runs another version than the shop',
    many: 'nodes run other versions than the shop',
    act: 'Update',
    list: 'nodes',
  },
  {
    name: 'RefundByHand',
    urgency: 'today',
    measure: paymentsThat('refund-by-hand'),
    one: 'refund must be sent by hand',
    many: 'refunds must be sent by hand',
    due: async (db) => sendBy(await findFirstByHand(db)),
    act: 'Send refund',
    list: 'payments',
    filters: { only: 'refund-by-hand' },
  },
  {
    name: 'RefundRefused',
    urgency: 'today',
    measure: paymentsThat('refund-refused'),
    one: 'refund was refused by the gateway',
    many: 'refunds were refused by the gateway',
    due: async (db) => sendBy(await findFirstRefused(db)),
    act: 'Send refund',
    list: 'payments',
    filters: { only: 'refund-refused' },
  },
  {
    name: 'RefundStuck',
    urgency: 'today',
    measure: paymentsThat('refund-stuck'),
    one: 'refund is owed and stuck',
    many: 'refunds are owed and stuck',
    act: 'Check refund',
    list: 'payments',
    filters: { only: 'refund-stuck' },
  },
  {
    name: 'CancellationAsked',
    urgency: 'today',
    measure: countOpenStatements,
    one: 'cancellation was sent without logging in',
    many: 'cancellations were sent without logging in',
    due: async (db) => sendBy((await countOpenStatements(db))?.oldest_at),
    act: 'Handle',
    list: 'cancellations',
  },
  {
    name: 'SecretUnreadable',
    urgency: 'today',
    measure: counted(async (db) => (await listUnreadable(db)).length),
    one: 'sealed row cannot be opened',
    many: 'sealed rows cannot be opened',
    act: 'See connections',
    list: 'sealed-rows',
  },
  {
    name: 'WebhookFailing',
    urgency: 'later',
    measure: countFailingEndpoints,
    one: 'webhook takes no messages',
    many: 'webhooks take no messages',
    act: 'See webhooks',
    list: 'webhooks',
  },
  {
    name: 'RateOld',
    urgency: 'later',
    measure: counted(countOldRates),
    one: 'currency has no rate from the last 30 days',
    many: 'currencies have no rate from the last 30 days',
    act: 'Set rate',
    list: 'rates',
  },
  {
    name: 'SterlingRateMissing',
    urgency: 'later',
    measure: counted(countMissingSterling),
    one: 'month of sales in euros has no rate in pounds',
    many: 'months of sales in euros have no rate in pounds',
    act: 'Set rate',
    list: 'sterling-rates',
  },
  {
    name: 'SupportUnanswered',
    urgency: 'today',
    measure: conversationsOf('support'),
    one: 'support message is unanswered',
    many: 'support messages are unanswered',
    act: 'Reply',
    list: 'support',
    filters: { state: 'new' },
  },
  {
    name: 'WithdrawalAsked',
    urgency: 'today',
    measure: countRequestedWithdrawals,
    one: 'withdrawal is waiting to be paid',
    many: 'withdrawals are waiting to be paid',
    act: 'Pay',
    list: 'withdrawals',
    filters: { state: 'requested' },
  },
  {
    name: 'ApplicationNew',
    urgency: 'later',
    measure: conversationsOf('application'),
    one: 'application is new',
    many: 'applications are new',
    act: 'Decide',
    list: 'applications',
    filters: { state: 'new' },
  },
]

export type Alert = Today['alerts'][number]

/** What is to be done today is overdue after a day, and what can wait is for today after a week. */
const OVERDUE_AFTER_MS: Readonly<Record<Urgency, number>> = { now: 0, today: DAY_MS, later: 7 * DAY_MS }
/** What has a day by which it has to be done is the most pressing so long before. */
const DUE_SOON_MS = 2 * DAY_MS

const urgencyOf = (usual: Urgency, waitedMs: number, due: Due | undefined): Urgency => {
  if (due && due.at.getTime() - Date.now() < DUE_SOON_MS) return 'now'
  if (waitedMs < OVERDUE_AFTER_MS[usual]) return usual
  return usual === 'later' ? 'today' : 'now'
}

const alertOf = async (db: Db, source: AlertSource): Promise<Alert | undefined> => {
  const { name, urgency, one, many, act, list, filters = {} } = source
  const { count = 0, oldest_seconds = 0, only = null } = (await source.measure(db)) ?? {}
  if (count === 0) return undefined
  const due = await source.due?.(db)
  const waitedMs = oldest_seconds * 1000
  return {
    name,
    count,
    what: `${count} ${count === 1 ? one : many}${due?.says ?? ''}`,
    act,
    list,
    filters,
    urgency: urgencyOf(urgency, waitedMs, due),
    since: waitedMs > 0 ? new Date(Date.now() - waitedMs).toISOString() : null,
    only: count === 1 ? only : null,
  }
}

const rankOf = ({ urgency }: Alert) => URGENCIES.indexOf(urgency)
const beganAt = ({ since }: Alert) => (since ? new Date(since).getTime() : Number.POSITIVE_INFINITY)

/** Everything that waits for the operator now: the most pressing first, and of those what has waited longest. */
export const listAlerts = async (db: Db): Promise<Alert[]> => {
  const alerts: Alert[] = []
  for (const source of ALERT_SOURCES) {
    const alert = await alertOf(db, source)
    if (alert) alerts.push(alert)
  }
  // Two of which nobody knows since when they wait stay in the order of the list above.
  return alerts.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      (beganAt(one) < beganAt(other) ? -1 : beganAt(one) > beganAt(other) ? 1 : 0),
  )
}
