import { dropConsoleJob, listJobs, retryAllJobs, retryConsoleJob } from '@hedgerow/contract/console/jobs'
import { Badge } from '@hedgerow/ui/badge.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { CallAct } from '#shared/call-act.tsx'
import { columnsFor, filtersFor } from '#shared/call-list.tsx'
import { List } from '#shared/list.tsx'
import { Page } from '#shared/page.tsx'

type Job = ReplyOf<'listJobs'>['rows'][number]

const TONES = { waiting: 'quiet', running: 'good', 'given-up': 'bad' } as const
/** So many tries are as good as without end. */
const ENDLESS = 32_767
const ASKED_EVERY_MS = 10_000
const REFRESHED = ['listJobs', 'getToday'] as const

const Acts = ({ job: { id, state } }: { job: Job }) => {
  const act = { params: { jobId: id }, refreshes: REFRESHED }
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {state !== 'running' && (
        <CallAct call="retryConsoleJob" endpoint={retryConsoleJob} label="Run now" {...act} />
      )}
      {state === 'given-up' && (
        <CallAct call="dropConsoleJob" endpoint={dropConsoleJob} label="Drop" tone="danger" {...act} />
      )}
    </span>
  )
}

const JobsPage = () => (
  <Page
    title="Jobs"
    lead="What the shop does in the background: mails, refunds, deliveries, checks."
    actions={
      <CallAct
        call="retryAllJobs"
        endpoint={retryAllJobs}
        label="Run all failed jobs"
        tone="outline"
        says={({ retried }: ReplyOf<'retryAllJobs'>) =>
          retried === 0 ? 'No job has failed' : 'They run as soon as the shop has time'
        }
        refreshes={REFRESHED}
      />
    }
  >
    <List<Job>
      call="listJobs"
      file="/api/v1/jobs.csv"
      caption="Jobs"
      everyMs={ASKED_EVERY_MS}
      keyOf={({ id }) => id}
      filters={filtersFor(listJobs.fields)}
      columns={[
        ...columnsFor<Job>(listJobs.columns, {
          state: ({ state }) => <Badge tone={TONES[state]}>{state.replace('-', ' ')}</Badge>,
          tries: ({ tries, mostTries }) => (mostTries < ENDLESS ? `${tries} of ${mostTries}` : String(tries)),
        }),
        { name: 'acts', title: '', cell: (job) => <Acts job={job} />, isAct: true },
      ]}
      empty={{ title: 'No jobs here', text: 'Jobs that are done leave the list.' }}
    />
  </Page>
)

export default JobsPage
