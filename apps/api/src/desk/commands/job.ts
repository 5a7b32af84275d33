import { formatDateTime } from '@hedgerow/domain/dates'
import { type Command, Option } from 'commander'
import {
  aboutOf,
  dropJob,
  errorOf,
  idsOf,
  jobView,
  previewDrop,
  retryGivenUp,
  retryJob,
  searchJobs,
} from '#desk/backoffice/operate-jobs.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readLine, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { JOB_STATES, type JobFacts, type JobState } from '#platform/queue/job-facts.ts'

const LISTED = 200

const present = (job: JobFacts) => ({ ...jobView(job), ids: idsOf(job) })

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
    if (jobs.length === 0) return say('No jobs found.')
    sayTable(['job', 'name', 'state', 'tries', 'next', 'about', 'error'], jobs.map(row))
    if (hasMore)
      say(`There are more than these ${limit}. Narrow the search by --state or --name, or raise --limit.`)
  })

const noJob = (id: string) => new Refusal(`There is no job ${id}. It may have finished meanwhile.`)

type Retry = { allGivenUp?: true; json?: true }

const retryAll = ({ json }: Retry) =>
  withDatabase(async (db) => {
    const retried = await retryGivenUp({ db })
    if (json) return sayJson({ retried })
    say(
      retried === 0
        ? 'No job has been given up.'
        : `The running shop runs ${retried} ${retried === 1 ? 'job' : 'jobs'} again now.`,
    )
  })

const retryOne = (id: string, { json }: Retry) =>
  withDatabase(async (db) => {
    const outcome = await retryJob({ db }, id)
    if (outcome === 'none') throw noJob(id)
    if (outcome === 'running') throw new Refusal(`Job ${id} is running now.`)
    if (json) return sayJson({ retried: 1 })
    say(`The running shop runs job ${id} again as soon as it has time.`)
  })

const retry = (id: string | undefined, options: Retry, command: Command): Promise<void> => {
  if ((id === undefined) === (options.allGivenUp === undefined))
    command.error('error: name the job, or add --all-given-up')
  return id === undefined ? retryAll(options) : retryOne(id, options)
}

const nameOf = (job: JobFacts): string => [job.task, aboutOf(job)].filter(Boolean).join(', ')

const drop = (id: string, { yes, json }: { yes?: true; json?: true }) =>
  withDatabase(async (db) => {
    const preview = await previewDrop({ db }, id)
    if (preview.kind === 'none') throw noJob(id)
    if (preview.kind === 'refused') throw new Refusal(`Job ${id} is not dropped: ${preview.why}.`)
    const { job } = preview
    await ask(`Drop job ${id} (${nameOf(job)})? It will never be done.`, yes)
    if (!(await dropJob({ db }, job))) throw new Refusal(`Job ${id} was meanwhile run again or dropped.`)
    if (json) return sayJson({ dropped: 1 })
    say(`Dropped: job ${id} (${nameOf(job)}). It will never be done.`)
  })

export const addJobs = (program: Command): void => {
  const job = program
    .command('job')
    .summary('what the shop does in the background')
    .description('What the shop does in the background: mails, refunds, deliveries, checks.')
    .helpCommand(false)
  reads(job.command('list'))
    .description(
      'Jobs that are waiting, running or given up, the next to run first. Of their data only ids are shown.',
    )
    .addOption(new Option('--state <state>', 'in this state').choices(JOB_STATES))
    .option('--name <name>', 'with this name, like mail-receipt', readLine)
    .option('--limit <count>', 'show at most this many', readCount, LISTED)
    .addOption(JSON_OPTION)
    .action(list)
  changes(job.command('retry'))
    .description('Run a job now, whether it is waiting or was given up. Running one twice does no harm.')
    .argument('[id]', 'the number of the job')
    .option('--all-given-up', 'every job that was given up')
    .addOption(JSON_OPTION)
    .action(retry)
  changes(job.command('drop'))
    .description(
      'Delete a job that was given up, with its data: what it was for is never done. ' +
        'A job that money or connections depend on cannot be dropped.',
    )
    .argument('<id>', 'the number of the job')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(drop)
}
