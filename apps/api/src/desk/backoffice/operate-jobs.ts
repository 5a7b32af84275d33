import { findPayment } from '#money/payments/payments.service.ts'
import type { With } from '#platform/dependencies.ts'
import { isRecurringJob } from '#platform/queue/add-job.ts'
import {
  deleteGivenUp,
  findJobFacts,
  type JobFacts,
  type JobFilter,
  listJobFacts,
  runGivenUp,
  runNow,
} from '#platform/queue/job-facts.ts'

type Deps = With<'db'>

const JOB_ID = /^\d{1,18}$/

const WORD = /[^\s<>"']+/g
const LONGEST_ERROR = 200

/** What went wrong, in a line: the errors of mail servers name the address that they did not take. */
export const errorOf = ({ last_error }: Pick<JobFacts, 'last_error'>): string | null => {
  const [line = ''] = (last_error ?? '').split('\n')
  return (
    line.replace(WORD, (word) => (/.@./.test(word) ? '(an email address)' : word)).slice(0, LONGEST_ERROR) ||
    null
  )
}

const isIdOrIds = (value: unknown): value is string | string[] =>
  [value].flat().every((one) => typeof one === 'string' && /^[\da-f-]{32,36}$/i.test(one))

/** What it is about: nothing of a payload is shown but ids. */
export const idsOf = ({ payload }: Pick<JobFacts, 'payload'>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) =>
      /Ids?$/.test(name) && isIdOrIds(value) ? [[name, [value].flat()]] : [],
    ),
  )

/** The same in a line, like `payment 0192…`. */
export const aboutOf = (job: Pick<JobFacts, 'payload'>): string =>
  Object.entries(idsOf(job))
    .map(([name, ids]) => `${name.replace(/Ids?$/, '')} ${ids.join(', ')}`)
    .join('; ')

/** As the tool and the console show a job. */
export const jobView = (job: JobFacts) => ({
  id: job.id,
  name: job.task,
  state: job.state,
  tries: job.attempts,
  mostTries: job.max_attempts,
  runsAt: job.state === 'waiting' ? job.run_at.toISOString() : null,
  createdAt: job.created_at.toISOString(),
  error: errorOf(job),
})

/** The first in turn first. */
export const searchJobs = ({ db }: Deps, filter: JobFilter, limit: number): Promise<JobFacts[]> =>
  listJobFacts(db, filter, limit)

/** Runs a job now, as soon as the shop has time; 'running' when it does already. */
export const retryJob = async ({ db }: Deps, id: string): Promise<'retried' | 'running' | 'none'> => {
  if (!JOB_ID.test(id)) return 'none'
  if ((await runNow(db, [id])).length > 0) return 'retried'
  return (await findJobFacts(db, id)) ? 'running' : 'none'
}

export const retryGivenUp = ({ db }: Deps): Promise<number> => runGivenUp(db)

/** Why a job must be run again, and not dropped: money or connections would be lost with it. */
const reasonToKeep = async ({ db }: Deps, { task, payload }: JobFacts): Promise<string | undefined> => {
  if (task === 'send-refund') return 'it sends a refund that is owed'
  if (task === 'deliver-payment') return 'it delivers what was paid for'
  if (isRecurringJob(task)) return 'the shop cannot run without it'
  if (task !== 'send-challenge-result' && task !== 'send-method-done') return undefined
  const payment = await findPayment(db, String(payload.paymentId))
  return payment && !payment.ended_at ? `payment ${payment.id} has not ended, and may wait for it` : undefined
}

/** Whether a job can be dropped, so that a person can be asked first. Changes nothing. */
export const previewDrop = async (
  deps: Deps,
  id: string,
): Promise<{ kind: 'possible'; job: JobFacts } | { kind: 'none' } | { kind: 'refused'; why: string }> => {
  const job = JOB_ID.test(id) ? await findJobFacts(deps.db, id) : undefined
  if (!job) return { kind: 'none' }
  if (job.state !== 'given-up') return { kind: 'refused', why: 'it has not been given up' }
  const why = await reasonToKeep(deps, job)
  return why ? { kind: 'refused', why: `${why}. To run it again, use job retry` } : { kind: 'possible', job }
}

/** Takes a job that can be dropped out of the queue; false where somebody has run it again or dropped it meanwhile. */
export const dropJob = ({ db }: Deps, { id }: Pick<JobFacts, 'id'>): Promise<boolean> => deleteGivenUp(db, id)
