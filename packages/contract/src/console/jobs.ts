import * as z from 'zod/mini'
import { columnsOf } from './columns.ts'
import { choice, optional, shapeOf, text } from './fields.ts'
import { csvQuery, listQuery, pageOf, Time } from './lists.ts'
import { operatorEndpoint } from './operator-endpoint.ts'
import { consoleRoutes } from './routes.ts'

export const JobView = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['waiting', 'running', 'given-up']),
  tries: z.int(),
  mostTries: z.int(),
  runsAt: z.nullable(Time),
  createdAt: Time,
  error: z.nullable(z.string()),
  /** What it is about: of its data only ids are shown. */
  about: z.string(),
})
export type JobView = z.infer<typeof JobView>

const jobColumns = columnsOf<JobView>([
  { name: 'name', title: 'Job', kind: 'word' },
  { name: 'id', title: 'Number', kind: 'word' },
  { name: 'state', title: 'Status', kind: 'word' },
  { name: 'tries', title: 'Tries', kind: 'word' },
  { name: 'mostTries', title: 'Most tries', kind: 'word', isExtra: true },
  { name: 'runsAt', title: 'Next run', kind: 'time', sort: 'runsAt' },
  { name: 'createdAt', title: 'Created', kind: 'time', sort: 'createdAt', isExtra: true },
  { name: 'about', title: 'About', kind: 'word' },
  { name: 'error', title: 'Last error', kind: 'text' },
])

const jobFilters = {
  state: optional(
    choice('Status', [
      ['waiting', 'Waiting'],
      ['running', 'Running'],
      ['given-up', 'Given up'],
    ]),
  ),
  name: optional(text('Name', z.string().check(z.maxLength(60)), { hint: 'Like mail-receipt' })),
}
const SORTS = ['runsAt', '-createdAt'] as const
const seesJobs = {
  access: 'operator',
  permission: 'jobs.see',
  consequence: 'looks',
  record: 'reads',
  command: 'job list',
  columns: jobColumns,
} as const

export const listJobs = operatorEndpoint({
  ...consoleRoutes.listJobs,
  ...seesJobs,
  summary: 'What the shop does in the background, the next to run first. Of its data only ids are shown',
  fields: jobFilters,
  schema: { querystring: listQuery(SORTS, shapeOf(jobFilters)), response: { 200: pageOf(JobView) } },
})

export const exportJobs = operatorEndpoint({
  ...consoleRoutes.exportJobs,
  ...seesJobs,
  isDownload: true,
  summary: 'The same as CSV',
  schema: { querystring: csvQuery(SORTS, shapeOf(jobFilters)), response: {} },
})

const ofJob = z.object({ jobId: z.string().check(z.maxLength(60)) })
const changesJobs = { access: 'operator', permission: 'jobs.change' } as const

export const retryConsoleJob = operatorEndpoint({
  ...consoleRoutes.retryConsoleJob,
  ...changesJobs,
  consequence: 'stays',
  record: { changes: 'job retry', subject: 'jobId' },
  summary: 'Run a job now, whether it waits or was given up. A job that runs twice does no harm',
  done: 'It runs as soon as the shop has time',
  schema: { params: ofJob, response: { 200: z.object({}) } },
  problems: [404, 409],
})

export const retryAllJobs = operatorEndpoint({
  ...consoleRoutes.retryAllJobs,
  ...changesJobs,
  consequence: 'stays',
  record: { changes: 'job retry-all' },
  summary: 'Run every job that was given up',
  schema: { response: { 200: z.object({ retried: z.int() }) } },
})

export const dropConsoleJob = operatorEndpoint({
  ...consoleRoutes.dropConsoleJob,
  ...changesJobs,
  consequence: 'customers',
  record: { changes: 'job drop', subject: 'jobId' },
  summary:
    'Delete a job that was given up, with its data. A job that money or connections depend on cannot be dropped',
  asks: 'Drop this job? What it was for is never done.',
  columns: jobColumns,
  done: 'Dropped',
  schema: { params: ofJob, response: { 200: JobView } },
  problems: [404, 409],
})
