import type { JobView } from '@hedgerow/contract/console/jobs'
import type { JobFacts } from '#platform/queue/job-facts.ts'

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

/** Like `payment 0192…`: nothing of a payload is shown but ids. */
const aboutOf = ({ payload }: JobFacts): string =>
  Object.entries(payload)
    .flatMap(([name, value]) =>
      /Ids?$/.test(name) && isIdOrIds(value)
        ? [`${name.replace(/Ids?$/, '')} ${[value].flat().join(', ')}`]
        : [],
    )
    .join('; ')

export const jobView = (job: JobFacts): JobView => ({
  id: job.id,
  name: job.task,
  state: job.state,
  tries: job.attempts,
  mostTries: job.max_attempts,
  runsAt: job.state === 'waiting' ? job.run_at.toISOString() : null,
  createdAt: job.created_at.toISOString(),
  about: aboutOf(job),
  error: errorOf(job),
})
