import { Badge } from '@hedgerow/ui/badge.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { Table } from '@hedgerow/ui/table.tsx'
import { api, type ReplyOf } from '#lib/api.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { Act } from '#shared/act.tsx'
import { FilterBar } from '#shared/filter-bar.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Job = ReplyOf<'listJobs'>['jobs'][number]

const STATES = [
  ['waiting', 'Waiting'],
  ['running', 'Running'],
  ['given-up', 'Given up'],
] as const
const TONES = { waiting: 'quiet', running: 'good', 'given-up': 'bad' } as const
/** So many tries are as good as without end. */
const ENDLESS = 32_767
const ASKED_EVERY_MS = 10_000

const Acts = ({ job: { id, state, name } }: { job: Job }) => {
  const params = { jobId: id }
  const shared = { may: 'jobs.change', tone: 'quiet', refreshes: ['listJobs', 'getToday'] } as const
  return (
    <span className="flex flex-wrap justify-end gap-1">
      {state !== 'running' && (
        <Act
          {...shared}
          label="Run now"
          title={`Run ${name} now?`}
          run={() => api.call('retryConsoleJob', { params })}
          done="It runs as soon as the shop has time"
        >
          <p>A job that runs twice does no harm.</p>
        </Act>
      )}
      {state === 'given-up' && (
        <Act
          {...shared}
          label="Drop"
          title={`Drop ${name}?`}
          tone="danger"
          verb="Drop"
          run={() => api.call('dropConsoleJob', { params })}
          done="Dropped"
        >
          <p>What it was for is never done. A job that money or connections depend on cannot be dropped.</p>
        </Act>
      )}
    </span>
  )
}

const JobsPage = () => {
  const { values, set } = useQueryString()
  const querystring = Object.fromEntries(
    ['state', 'name'].flatMap((name) => (values[name] ? [[name, values[name]]] : [])),
  )
  const jobs = useData('listJobs', { querystring }, { everyMs: ASKED_EVERY_MS })
  return (
    <Page
      title="Jobs"
      lead="What the shop does in the background: mails, refunds, deliveries, checks."
      actions={
        <Act
          label="Run all given up"
          title="Run every job that was given up?"
          may="jobs.change"
          run={() => api.call('retryAllJobs', {})}
          done="They run as soon as the shop has time"
          refreshes={['listJobs', 'getToday']}
        />
      }
    >
      <div className="mb-4">
        <FilterBar
          filters={[
            { name: 'state', label: 'State', kind: 'choice', options: STATES },
            { name: 'name', label: 'Name', kind: 'text' },
          ]}
          values={values}
          onChange={set}
        />
      </div>
      <Loaded query={jobs}>
        {({ jobs: rows, hasMore }) =>
          rows.length === 0 ? (
            <EmptyState title="No jobs here">Jobs that are done leave the list.</EmptyState>
          ) : (
            <>
              <Table
                caption="Jobs"
                keyOf={({ id }) => id}
                rows={rows}
                columns={[
                  { header: 'Job', isName: true, cell: ({ name }) => name },
                  {
                    header: 'State',
                    cell: ({ state }) => <Badge tone={TONES[state]}>{state.replace('-', ' ')}</Badge>,
                  },
                  {
                    header: 'Tries',
                    cell: ({ tries, mostTries }) =>
                      mostTries < ENDLESS ? `${tries} of ${mostTries}` : String(tries),
                  },
                  { header: 'Next run', cell: ({ runsAt }) => <Time at={runsAt} /> },
                  {
                    header: 'About',
                    cell: ({ about }) => about && <span className="text-sm wrap-anywhere">{about}</span>,
                  },
                  {
                    header: 'Last error',
                    cell: ({ error }) => error && <span className="text-sm wrap-anywhere">{error}</span>,
                  },
                  { header: 'Acts', isBare: true, cell: (job) => <Acts job={job} /> },
                ]}
              />
              {hasMore && (
                <p className="mt-3 text-quiet-ink">There are more. Narrow them by state or name.</p>
              )}
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

export default JobsPage
