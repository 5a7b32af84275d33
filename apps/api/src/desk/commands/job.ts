import * as jobs from '@hedgerow/contract/console/jobs'
import type { Command } from 'commander'
import { jobsRoutes } from '#desk/jobs/jobs.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'

export const addJobs = (program: Command): Command =>
  addCalls(program, {
    name: 'job',
    summary: 'what the shop does in the background',
    description: 'What the shop does in the background: mails, refunds, deliveries, checks.',
    contract: [jobs],
    answer: jobsRoutes,
  })
