import { findPayment } from '#money/payments/payments.service.ts'
import type { With } from '#platform/dependencies.ts'
import { isRecurringJob } from '#platform/queue/add-job.ts'
import { deleteGivenUp, findJobFacts, type JobFacts, runNow } from '#platform/queue/job-facts.ts'

type Deps = With<'db'>

const JOB_ID = /^\d{1,18}$/

/** Runs a job now, as soon as the shop has time; 'running' when it does already. */
export const retryJob = async ({ db }: Deps, id: string): Promise<'retried' | 'running' | 'none'> => {
  if (!JOB_ID.test(id)) return 'none'
  if ((await runNow(db, [id])).length > 0) return 'retried'
  return (await findJobFacts(db, id)) ? 'running' : 'none'
}

/** Why a job must be run again, and not dropped: money or connections would be lost with it. */
const reasonToKeep = async ({ db }: Deps, { task, payload }: JobFacts): Promise<string | undefined> => {
  if (task === 'send-refund') return 'it sends a refund that is owed'
  if (task === 'drop-claim') return 'it takes back a refund that is no longer to be claimed'
  if (task === 'deliver-payment') return 'it delivers what was paid for'
  if (task === 'refuse-withdrawals') return 'it refuses withdrawals that someone else may have requested'
  if (isRecurringJob(task)) return 'the shop cannot run without it'
  if (task !== 'send-challenge-result' && task !== 'send-method-done') return undefined
  const payment = await findPayment(db, String(payload.paymentId))
  return payment && !payment.ended_at ? `payment ${payment.id} has not ended, and may wait for it` : undefined
}

type Dropped =
  | { kind: 'dropped'; job: JobFacts }
  | { kind: 'none' }
  | { kind: 'not-given-up' }
  | { kind: 'needed'; why: string }

/** Takes a job out of the queue that was given up and that nothing depends on. */
export const dropJob = async (deps: Deps, id: string): Promise<Dropped> => {
  const job = JOB_ID.test(id) ? await findJobFacts(deps.db, id) : undefined
  if (!job) return { kind: 'none' }
  if (job.state !== 'given-up') return { kind: 'not-given-up' }
  const why = await reasonToKeep(deps, job)
  if (why) return { kind: 'needed', why }
  return (await deleteGivenUp(deps.db, id)) ? { kind: 'dropped', job } : { kind: 'none' }
}
