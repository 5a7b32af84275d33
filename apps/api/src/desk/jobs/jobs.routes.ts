import * as jobs from '@hedgerow/contract/console/jobs'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import { implementForOperators } from '#desk/console/implement-for-operators.ts'
import type { LocalCalls } from '#desk/console/local-calls.ts'
import { refused } from '#desk/console/refused.ts'
import {
  type ConsoleListDependencies,
  fileColumns,
  type ListDefinition,
  serveList,
} from '#desk/console/serve-list.ts'
import { jobView } from '#desk/jobs/jobs.present.ts'
import { dropJob, retryJob } from '#desk/jobs/jobs.service.ts'
import { Problem } from '#platform/http/problems.ts'
import { type JobFacts, jobOrder, runGivenUp, selectJobFacts } from '#platform/queue/job-facts.ts'

const list: ListDefinition<z.output<typeof jobs.listJobs.schema.querystring>, JobFacts, jobs.JobView> = {
  query: selectJobFacts,
  ...jobOrder,
  show: jobView,
  columns: fileColumns(jobs.listJobs.columns),
}

/** What the shop does in the background. */
export const jobsRoutes = (app: FastifyInstance | LocalCalls, deps: ConsoleListDependencies): void => {
  serveList(app, deps, { list: jobs.listJobs, file: jobs.exportJobs, fileName: 'jobs' }, list)

  implementForOperators(app, deps, jobs.retryConsoleJob, async ({ params }) => {
    const outcome = await retryJob(deps, params.jobId)
    if (outcome === 'none') throw new Problem('job-not-found')
    if (outcome === 'running') throw refused('it is running now')
    return {}
  })

  implementForOperators(app, deps, jobs.retryAllJobs, async () => ({ retried: await runGivenUp(deps.db) }))

  implementForOperators(app, deps, jobs.dropConsoleJob, async ({ params }) => {
    const dropped = await dropJob(deps, params.jobId)
    if (dropped.kind === 'none') throw new Problem('job-not-found')
    if (dropped.kind === 'not-given-up') throw refused('it has not been given up')
    if (dropped.kind === 'needed') throw refused(`${dropped.why}. Run it again instead`)
    return jobView(dropped.job)
  })
}
