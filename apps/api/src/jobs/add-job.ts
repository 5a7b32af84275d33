import { sql } from 'kysely'
import type { Db } from '#database/client.ts'

/** Jobs that come round for ever: each plans its next run. */
export const ROUNDS = [
  'check-payments',
  'issue-invoices',
  'credit-partners',
  'see-to-nodes',
  'remind-of-ends',
  'tidy-up',
] as const
export type Round = (typeof ROUNDS)[number]

/** Every job and what it is told. Payloads carry ids, never secrets: what a job needs it reads when it runs. */
export type JobPayloads = {
  'mail-confirmation': { customerId: string }
  'mail-reset': { customerId: string }
  'mail-password-changed': { customerId: string }
  'mail-farewell': { farewellId: string }
  'mail-moved': { customerId: string }
  'mail-connection': { connectionId: string }
  'mail-new-keys': { connectionId: string }
  'mail-reminder': { customerId: string; connectionIds: readonly string[] }
  'mail-enquiry': { enquiryId: string }
  'mail-enquiry-received': { enquiryId: string }
  'mail-declined': { paymentId: string }
  'mail-receipt': { orderId: string }
  'mail-refund': { refundId: string }
  'mail-refund-failed': { refundId: string }
  'mail-refund-by-hand': { refundId: string }
  'mail-order-waits': { paymentId: string }
  'mail-withdrawal-asked': { withdrawalId: string }
  'mail-withdrawal-received': { withdrawalId: string }
  'mail-withdrawal-ended': { withdrawalId: string }
  'mail-node-down': { nodeId: string }
  'mail-node-back': { nodeId: string }
  'mail-pool-low': { nodeId: string }
  'send-challenge-result': { paymentId: string } & ({ md: string; pares: string } | { cres: string })
  'send-method-done': { paymentId: string; isDone: boolean }
  'send-refund': { refundId: string }
  'deliver-payment': { paymentId: string }
} & Record<Round, Record<string, never>>

export type JobName = keyof JobPayloads

type JobOptions = {
  /** A job with the same key that has not started is replaced. */
  key?: string
  /** When to run it, from now. */
  inSeconds?: number
  maxAttempts?: number
}

/** About a day and a half of growing pauses. */
const MAX_ATTEMPTS = 15

/** Queues a job, in the caller's transaction where there is one: then it exists if and only if the rest does. */
export const addJob = async <N extends JobName>(
  db: Db,
  name: N,
  payload: JobPayloads[N],
  { key, inSeconds = 0, maxAttempts = MAX_ATTEMPTS }: JobOptions = {},
): Promise<void> => {
  await sql`select graphile_worker.add_job(
    ${name},
    payload := ${JSON.stringify(payload)}::json,
    run_at := now() + make_interval(secs => ${inSeconds}),
    job_key := ${key ?? null},
    max_attempts := ${maxAttempts}
  )`.execute(db)
}
