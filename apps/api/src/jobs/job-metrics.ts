import { source } from '#metrics/read-at-scrape.ts'
import { listQueue, type QueuedJobs } from './job-metrics.queries.ts'

const sum = (jobs: readonly QueuedJobs[]) => jobs.reduce((all, { count }) => all + count, 0)

export const jobSource = source({
  families: {
    hedgerow_jobs: { help: 'Jobs in the queue: waiting, or given up', labelNames: ['state'] },
    hedgerow_queue_jobs: {
      help: 'Jobs in the queue: due now, planned for later, running, or given up',
      // Not "job", which is Prometheus's own.
      labelNames: ['task', 'state'],
    },
    hedgerow_queue_oldest_seconds: { help: 'How long the oldest job has been due', labelNames: ['task'] },
  },
  read: async (db) => {
    const jobs = await listQueue(db)
    const givenUp = jobs.filter(({ state }) => state === 'given_up')
    return {
      hedgerow_jobs: [
        { labels: { state: 'waiting' }, value: sum(jobs) - sum(givenUp) },
        { labels: { state: 'given_up' }, value: sum(givenUp) },
      ],
      hedgerow_queue_jobs: jobs.map(({ task, state, count }) => ({ labels: { task, state }, value: count })),
      // A nought for whatever is there and not due, so that a wait is seen to end.
      hedgerow_queue_oldest_seconds: [...new Set(jobs.map(({ task }) => task))].map((task) => ({
        labels: { task },
        value: jobs.find((one) => one.task === task && one.state === 'due')?.oldest_seconds ?? 0,
      })),
    }
  },
})
