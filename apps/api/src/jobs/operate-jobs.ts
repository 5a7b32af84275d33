import type { Dependencies } from '#dependencies.ts'
import {
  findJobFacts,
  type JobFacts,
  type JobFilter,
  listJobFacts,
  runGivenUp,
  runNow,
} from './job-facts.queries.ts'

type Deps = Pick<Dependencies, 'db'>

const JOB_ID = /^\d{1,18}$/

const EMAIL = /[^\s@<>"']+@[^\s@<>"']+/g
const LONGEST_ERROR = 200

/** What went wrong, in a line: the errors of mail servers name the address that they did not take. */
export const errorOf = ({ last_error }: Pick<JobFacts, 'last_error'>): string | null => {
  const [line = ''] = (last_error ?? '').split('\n')
  return line.replace(EMAIL, '(an e-mail)').slice(0, LONGEST_ERROR) || null
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
