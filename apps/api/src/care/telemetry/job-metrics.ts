import { source } from '#care/telemetry/read-at-scrape.ts'
import { listQueue, mailWaitingSeconds, type QueueState } from '#platform/queue/list-queue.ts'

export const jobSource = source({
  families: {
    hedgerow_queue_jobs: {
      help: 'Jobs in the queue: due now, planned for later, running, or given up',
      // Not "job", which is Prometheus's own.
      labelNames: ['task', 'state'],
    },
    hedgerow_mail_waiting_seconds: {
      help: 'How long the oldest mail has waited that was tried and not accepted; 0: none',
    },
    hedgerow_queue_oldest_seconds: { help: 'How long the oldest job has been due', labelNames: ['task'] },
  },
  read: async (db) => {
    const jobs = await listQueue(db)
    const tasks = [...new Set(jobs.map(({ task }) => task))]
    const of = (task: string, state: QueueState) =>
      jobs.find((one) => one.task === task && one.state === state)
    return {
      // Noughts for whatever is there and neither given up nor due: a panel shows them, and a wait is seen to end.
      hedgerow_queue_jobs: [
        ...jobs.map(({ task, state, count }) => ({ labels: { task, state }, value: count })),
        ...tasks
          .filter((task) => !of(task, 'given_up'))
          .map((task) => ({ labels: { task, state: 'given_up' }, value: 0 })),
      ],
      hedgerow_mail_waiting_seconds: [{ value: await mailWaitingSeconds(db) }],
      hedgerow_queue_oldest_seconds: tasks.map((task) => ({
        labels: { task },
        value: of(task, 'due')?.oldest_seconds ?? 0,
      })),
    }
  },
})
