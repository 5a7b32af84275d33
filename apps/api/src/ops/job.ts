import { formatDateTime } from '@hedgerow/domain/dates'
import { type Command, Option } from 'commander'
import { JOB_STATES, type JobFacts, type JobState } from '#jobs/job-facts.queries.ts'
import { errorOf, idsOf, retryGivenUp, retryJob, searchJobs } from '#jobs/operate-jobs.ts'
import { changes, reads } from './classes.ts'
import { JSON_OPTION, readCount, readLine } from './options.ts'
import { say, sayJson, sayTable } from './print.ts'
import { Refusal } from './refusal.ts'
import { withDatabase } from './with-database.ts'

const LISTED = 200

const present = (job: JobFacts) => ({
  id: job.id,
  name: job.task,
  state: job.state,
  tries: job.attempts,
  mostTries: job.max_attempts,
  runsAt: job.state === 'waiting' ? job.run_at.toISOString() : null,
  createdAt: job.created_at.toISOString(),
  error: errorOf(job),
  ids: idsOf(job),
})

const aboutOf = (job: JobFacts): string =>
  Object.entries(idsOf(job))
    .map(([name, ids]) => `${name.replace(/Ids?$/, '')} ${ids.join(', ')}`)
    .join('; ')

const row = (job: JobFacts): string[] => [
  job.id,
  job.task,
  job.state,
  `${job.attempts} of ${job.max_attempts}`,
  job.state === 'waiting' ? formatDateTime(job.run_at) : '',
  aboutOf(job),
  errorOf(job) ?? '',
]

type Search = { state?: JobState; name?: string; limit: number; json?: true }

const list = ({ state, name, limit, json }: Search) =>
  withDatabase(async (db) => {
    const found = await searchJobs({ db }, { state, task: name }, limit + 1)
    const jobs = found.slice(0, limit)
    const hasMore = found.length > limit
    if (json) return sayJson({ jobs: jobs.map(present), hasMore })
    if (jobs.length === 0) return say('There is no such job.')
    sayTable(['job', 'name', 'state', 'tries', 'next', 'about', 'error'], jobs.map(row))
    if (hasMore) say(`There are more than these ${limit}. Ask for a state, a name or --limit.`)
  })

type Retry = { allGivenUp?: true; json?: true }

const retryAll = ({ json }: Retry) =>
  withDatabase(async (db) => {
    const retried = await retryGivenUp({ db })
    if (json) return sayJson({ retried })
    say(
      retried === 0 ? 'No job was given up.' : `Run again now: ${retried} ${retried === 1 ? 'job' : 'jobs'}.`,
    )
  })

const retryOne = (id: string, { json }: Retry) =>
  withDatabase(async (db) => {
    const outcome = await retryJob({ db }, id)
    if (outcome === 'none') throw new Refusal(`There is no job ${id}; it may have ended meanwhile.`)
    if (outcome === 'running') throw new Refusal(`Job ${id} runs at this moment.`)
    if (json) return sayJson({ retried: 1 })
    say(`Job ${id} runs again now, as soon as the shop has time for it.`)
  })

const retry = (id: string | undefined, options: Retry, command: Command): Promise<void> => {
  if ((id === undefined) === (options.allGivenUp === undefined))
    command.error('error: name the job, or say --all-given-up')
  return id === undefined ? retryAll(options) : retryOne(id, options)
}

export const addJobs = (program: Command): void => {
  const job = program
    .command('job')
    .summary('what the shop does in the background')
    .description('What the shop does in the background: mails, refunds, deliveries, checks.')
    .helpCommand(false)
  reads(job.command('list'))
    .description(
      'Jobs that wait, run or were given up, the first in turn first. What they are told is shown as ids only.',
    )
    .addOption(new Option('--state <state>', 'in this state').choices(JOB_STATES))
    .option('--name <name>', 'of this name, like mail-receipt', readLine)
    .option('--limit <count>', 'so many at most', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  changes(job.command('retry'))
    .description('Run a job now, whether it waits or was given up. Running one twice does no harm.')
    .argument('[id]', 'the number of the job')
    .option('--all-given-up', 'every job that was given up')
    .addOption(JSON_OPTION)
    .action(retry)
}
