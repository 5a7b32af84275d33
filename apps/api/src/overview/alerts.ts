import { poolSize } from '@hedgerow/domain/addresses'
import type { ConversationKind } from '@hedgerow/domain/conversations'
import { LEAST_FREE_PART } from '@hedgerow/domain/nodes'
import type { Db } from '#database/client.ts'
import type { NodeFacts } from '#nodes/nodes.service.ts'
import { freeOf, listNodeReports } from '#nodes/nodes.service.ts'
import { countFailingMails, countSlowJobs } from '#overview/alerts.queries.ts'
import { countOldRates } from '#payments/rates.ts'
import { measureUnknown } from '#payments/unknown-payments.ts'
import { countJobs } from '#queue/list-queue.ts'
import { countAttentionItem } from '#telemetry/attention-items.ts'
import { countNewConversations } from '#telemetry/new-conversations.ts'
import { countOpenStatements } from '#telemetry/open-statements.ts'
import { countRequestedWithdrawals } from '#telemetry/requested-withdrawals.ts'

/** Something that waits for the operator. Its name is a heading of docs/incidents.md, and an alert of Prometheus. */
type AlertSource = {
  name: string
  count: (db: Db) => Promise<number>
  /** What is counted: one of them, and more. */
  one: string
  many: string
  /** The command that shows them. */
  see: string
}

const countNodes = (is: (node: NodeFacts) => boolean) => async (db: Db) =>
  (await listNodeReports({ db })).filter(is).length

const countConversations = (of: ConversationKind) => async (db: Db) =>
  (await countNewConversations(db)).find(({ kind }) => kind === of)?.count ?? 0

const isDown = ({ has_agent, is_up, seen_at }: NodeFacts) => has_agent && !is_up && seen_at !== null
const isNearlyFull = (node: NodeFacts) =>
  node.is_open && freeOf(node, Number(node.peers)) < poolSize(node) * LEAST_FREE_PART

/** The most pressing first. A slice that has something for the operator is named here. */
export const ALERT_SOURCES: readonly AlertSource[] = [
  {
    name: 'PaidOrderWaits',
    count: countAttentionItem('no-room'),
    one: 'paid order has no room',
    many: 'paid orders have no room',
    see: 'payment list --only no-room',
  },
  {
    name: 'NodeDown',
    count: countNodes(isDown),
    one: 'node is silent',
    many: 'nodes are silent',
    see: 'node list',
  },
  { name: 'QueueSlow', count: countSlowJobs, one: 'job is late', many: 'jobs are late', see: 'job list' },
  {
    name: 'JobsGivenUp',
    count: async (db) => (await countJobs(db)).givenUp,
    one: 'job was given up',
    many: 'jobs were given up',
    see: 'job list --state given-up',
  },
  {
    name: 'MailFailing',
    count: countFailingMails,
    one: 'mail was not taken',
    many: 'mails were not taken',
    see: 'job list',
  },
  {
    name: 'PaidOtherSum',
    count: countAttentionItem('other-sum'),
    one: 'payment was of another sum than was asked for',
    many: 'payments were of other sums than were asked for',
    see: 'payment list --only other-sum',
  },
  {
    name: 'PaymentsStuck',
    count: countAttentionItem('stuck'),
    one: 'payment has not ended in its time',
    many: 'payments have not ended in their time',
    see: 'payment list --only stuck',
  },
  {
    name: 'UnknownPayments',
    count: async (db) => (await measureUnknown(db)).count,
    one: 'payment came that is not known here',
    many: 'payments came that are not known here',
    see: 'payment unknown',
  },
  {
    name: 'InvoiceFailing',
    count: countAttentionItem('invoice-failing'),
    one: 'invoice cannot be issued',
    many: 'invoices cannot be issued',
    see: 'payment list --only invoice-failing',
  },
  {
    name: 'CardTesting',
    count: countAttentionItem('card-testing'),
    one: 'payment in vain has led to a pause',
    many: 'payments in vain have led to a pause',
    see: 'payment list --only card-testing',
  },
  {
    name: 'PoolNearlyFull',
    count: countNodes(isNearlyFull),
    one: 'node is nearly full',
    many: 'nodes are nearly full',
    see: 'node list',
  },
  {
    name: 'RefundByHand',
    count: countAttentionItem('refund-by-hand'),
    one: 'refund is to be sent by hand',
    many: 'refunds are to be sent by hand',
    see: 'payment list --only refund-by-hand',
  },
  {
    name: 'RefundRefused',
    count: countAttentionItem('refund-refused'),
    one: 'refund was refused by the gateway',
    many: 'refunds were refused by the gateway',
    see: 'payment list --only refund-refused',
  },
  {
    name: 'RefundStuck',
    count: countAttentionItem('refund-stuck'),
    one: 'refund is owed and does not move',
    many: 'refunds are owed and do not move',
    see: 'payment list --only refund-stuck',
  },
  {
    name: 'CancellationAsked',
    count: async (db) => (await countOpenStatements(db))?.count ?? 0,
    one: 'cancellation was asked for without a log-in',
    many: 'cancellations were asked for without a log-in',
    see: 'cancellation list',
  },
  {
    name: 'RateOld',
    count: countOldRates,
    one: 'currency has no rate of the last 30 days',
    many: 'currencies have no rate of the last 30 days',
    see: 'rate list',
  },
  {
    name: 'SupportUnanswered',
    count: countConversations('support'),
    one: 'message is not answered',
    many: 'messages are not answered',
    see: 'support list',
  },
  {
    name: 'WithdrawalAsked',
    count: async (db) => (await countRequestedWithdrawals(db))?.count ?? 0,
    one: 'withdrawal waits to be paid',
    many: 'withdrawals wait to be paid',
    see: 'withdrawal list',
  },
  {
    name: 'ApplicationNew',
    count: countConversations('application'),
    one: 'application is new',
    many: 'applications are new',
    see: 'application list',
  },
]

export type Alert = { name: string; count: number; what: string; see: string }

/** Everything that waits for the operator now, the most pressing first. */
export const listAlerts = async (db: Db): Promise<Alert[]> => {
  const alerts: Alert[] = []
  for (const { name, count, one, many, see } of ALERT_SOURCES) {
    const found = await count(db)
    if (found > 0) alerts.push({ name, count: found, what: `${found} ${found === 1 ? one : many}`, see })
  }
  return alerts
}
