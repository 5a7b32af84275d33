import type { ConversationState } from '@hedgerow/domain/conversations'
import type { Network } from '@hedgerow/domain/networks'
import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import { workContext } from '#platform/instrumentation/work-context.ts'

/** Jobs that come again for ever (jobs/recurring-jobs.ts says how often): each plans its next run when it has ended. */
export const RECURRING_JOBS = [
  'check-payments',
  'issue-invoices',
  'ask-vies-again',
  'credit-partners',
  'maintain-nodes',
  'reach-nodes',
  'fetch-settlement',
  'remind-of-ends',
  'renew-keys',
  'watch-disputes',
  'watch-card-gateway',
  'check-record',
  'send-webhooks',
  'read-returned-mails',
  'watch-shop',
  'make-backup',
  'tidy-up',
] as const
export type RecurringJob = (typeof RECURRING_JOBS)[number]

export const isRecurringJob = (name: string): name is RecurringJob =>
  (RECURRING_JOBS as readonly string[]).includes(name)

/** Every job and its payload. Payloads carry ids, never secrets: what a job needs it reads when it runs. */
export type JobPayloads = {
  'mail-confirmation': { customerId: string }
  'mail-reset': { customerId: string }
  /** `dropped`: what was taken from the account with it. */
  'mail-password-changed': { customerId: string; dropped?: readonly string[] }
  'mail-way-back': { customerId: string }
  'mail-way-back-soon': { customerId: string }
  'mail-way-back-ended': { customerId: string }
  'mail-security-change': { customerId: string; eventId: string }
  'mail-email-change': { changeId: string }
  'mail-email-changed': { changeId: string }
  'mail-email-left': { changeId: string }
  'mail-email-back': { changeId: string; dropped?: readonly string[] }
  'mail-email-lost': { changeId: string }
  'mail-farewell': { farewellId: string }
  'mail-moved': { customerId: string }
  /** A node's key, its endpoint or only its port changed. */
  'mail-new-files': { customerId: string; nodeId: string; why: 'key' | 'endpoint' | 'port' }
  /** Connections that were brought from another panel. */
  'mail-brought': { customerId: string }
  'mail-connection': { connectionId: string }
  /** `byUs`: an operator has made them. */
  'mail-new-keys': { connectionId: string; byUs?: true }
  'mail-share-links': { customerId: string }
  /** Keys that are renewed by themselves: some days before, after, and where the new ones are not used. */
  'mail-keys-soon': { customerId: string; connectionIds: readonly string[] }
  'mail-keys-renewed': { customerId: string }
  'mail-keys-unused': { customerId: string; connectionIds: readonly string[] }
  'mail-reminder': { customerId: string; connectionIds: readonly string[] }
  'mail-conversation': { conversationId: string }
  'mail-conversation-received': { conversationId: string }
  'mail-question-received': { conversationId: string }
  /** To the operator, of words without an account. A version that knows no questions leaves their mails to those that do. */
  'mail-question': { conversationId: string; messageId: string }
  'mail-new-message': { conversationId: string; messageId: string }
  'mail-question-reply': { conversationId: string; messageId: string }
  /** With how an application stands, where the answer has changed that. */
  'mail-reply': { conversationId: string; messageId: string; state?: ConversationState<'application'> }
  'mail-application-state': {
    conversationId: string
    state: ConversationState<'application'>
    /** Names this change among all of its application. */
    changeId: string
    messageId?: string
  }
  'mail-declined': { paymentId: string }
  'mail-correction': { correctionId: string }
  'mail-receipt': { orderId: string }
  'mail-refund': { refundId: string }
  'mail-refund-claim': { refundId: string }
  'mail-refund-failed': { refundId: string }
  'mail-refund-twice': { refundId: string }
  'mail-refund-by-hand': { refundId: string }
  'mail-cancellation': { paymentId: string }
  'mail-statement-received': { statementId: string }
  'mail-cancellation-asked': { statementId: string }
  'mail-order-waits': { paymentId: string }
  'mail-second-person': { secondPersonId: string }
  'mail-card-testing': Record<string, never>
  /** Those that were requested since then, by someone who may not be the partner. */
  'refuse-withdrawals': { customerId: string; since: string }
  'mail-withdrawal-requested': { withdrawalId: string }
  'mail-withdrawal-received': { withdrawalId: string }
  'mail-withdrawal-ended': { withdrawalId: string }
  'mail-withdrawal-recalled': { withdrawalId: string }
  'mail-withdrawal-at-bank': { withdrawalId: string }
  'mail-access-changed': { actionId: string }
  'mail-node-down': { nodeId: string }
  'mail-node-back': { nodeId: string }
  'mail-pool-low': { nodeId: string }
  'mail-operator-digest': Record<string, never>
  'mail-check-failing': Record<string, never>
  'send-challenge-result': { paymentId: string } & ({ md: string; pares: string } | { cres: string })
  'send-method-done': { paymentId: string; isDone: boolean }
  'send-refund': { refundId: string }
  /** Of an attempt that was given up. */
  'close-page': { paymentId: string }
  'drop-claim': { refundId: string }
  'deliver-payment': { paymentId: string }
  'change-plan': { changeId: string }
  'change-prices': { changeId: string }
} & Record<RecurringJob, Record<string, never>>

export type JobName = keyof JobPayloads

type JobOptions = {
  /** A job with the same key that has not started is replaced. */
  key?: string
  /** When to run it, from now. */
  inSeconds?: number
  maxAttempts?: number
  /** Leaves one with the same key as it is, also while it runs. */
  isOnce?: boolean
  /** One with the same key that has not been tried is replaced, and runs when that would have run. */
  keepsTime?: boolean
}

/** About a day and a half of growing pauses. */
const MAX_ATTEMPTS = 15

/**
 * How a job is marked with the call that led to it: not in its payload, where only ids of records are, because the call's
 * id is chosen by the caller.
 */
const MARK = 'request:'
/** What strangers can have mailed to anyone is counted by the networks around the caller. */
const NETWORK_MARK = 'network:'
const TO_ANYONE: readonly JobName[] = [
  'mail-confirmation',
  'mail-reset',
  'mail-email-change',
  'mail-question-received',
  'mail-statement-received',
]

/** No call leads to a recurring job: each run has an id of its own. */
const marksFor = (name: JobName): string[] | null => {
  const context = isRecurringJob(name) ? undefined : workContext()
  if (!context) return null
  const networks = (TO_ANYONE.includes(name) && context.networks?.()) || []
  return [
    MARK + context.requestId,
    ...networks.map(({ network, times }) => `${NETWORK_MARK}${times}:${network}`),
  ]
}

/** The call that led to a job, by the job's marks. */
export const requestIdIn = (marks: Readonly<Record<string, true>> | null): string | undefined =>
  Object.keys(marks ?? {})
    .find((mark) => mark.startsWith(MARK))
    ?.slice(MARK.length)

/** The networks around the caller that led to a job, smallest first, by the job's marks; undefined without any. */
export const networksIn = (marks: Readonly<Record<string, true>> | null): Network[] | undefined => {
  const networks = Object.keys(marks ?? {})
    .filter((mark) => mark.startsWith(NETWORK_MARK))
    .map((mark) => mark.slice(NETWORK_MARK.length).split(':'))
    .map(([times, network = '']) => ({ network, times: Number(times) }))
  return networks.length > 0 ? networks.toSorted((a, b) => a.times - b.times) : undefined
}

/** A customer has pressed a button for these, and looks into the inbox. */
const WAITED_FOR: readonly JobName[] = [
  'mail-confirmation',
  'mail-reset',
  'mail-email-change',
  'mail-connection',
  'mail-new-keys',
]
/** There can be thousands of these at once, and no one waits for them. */
const MANY: readonly JobName[] = [
  'mail-new-files',
  'mail-brought',
  'mail-keys-soon',
  'mail-keys-renewed',
  'mail-keys-unused',
  'mail-receipt',
  'mail-conversation',
  'mail-conversation-received',
  'mail-question-received',
  'mail-question',
  'mail-statement-received',
  'mail-cancellation-asked',
]

/**
 * Lower comes first in its lane (platform/queue/lanes.ts): what comes round, of which there is one each, then what moves money and
 * connections, then mails.
 */
const priorityOf = (name: JobName): number => {
  if (isRecurringJob(name)) return -10
  if (!name.startsWith('mail-')) return 0
  if (WAITED_FOR.includes(name)) return 5
  return MANY.includes(name) ? 20 : 10
}

/** Queues a job, in the caller's transaction where there is one: then it exists if and only if the rest does. */
export const addJob = async <N extends JobName>(
  db: Db,
  name: N,
  payload: JobPayloads[N],
  { key, inSeconds = 0, maxAttempts = MAX_ATTEMPTS, isOnce = false, keepsTime = false }: JobOptions = {},
): Promise<void> => {
  await sql`select graphile_worker.add_job(
    ${name},
    payload := ${JSON.stringify(payload)}::json,
    run_at := now() + make_interval(secs => ${inSeconds}),
    job_key := ${key ?? null},
    job_key_mode := ${isOnce ? 'unsafe_dedupe' : keepsTime ? 'preserve_run_at' : 'replace'},
    max_attempts := ${maxAttempts},
    priority := ${priorityOf(name)},
    flags := ${marksFor(name)}::text[]
  )`.execute(db)
}

/** Queues jobs of one kind together, which costs the database a fraction of one after the other. */
export const addJobs = async <N extends JobName>(
  db: Db,
  name: N,
  payloads: readonly JobPayloads[N][],
): Promise<void> => {
  await sql`select from graphile_worker.add_jobs(array(
    select (${name}::text, payload, null, now(), ${MAX_ATTEMPTS}::integer, null, ${priorityOf(name)}::integer,
      ${marksFor(name)}::text[])::graphile_worker.job_spec
    from json_array_elements(${JSON.stringify(payloads)}::json) as payload
  ))`.execute(db)
}
