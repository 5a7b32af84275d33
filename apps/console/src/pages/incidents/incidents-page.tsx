import * as incidents from '@hedgerow/contract/console/incidents'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import type { ReplyOf } from '#lib/api.ts'
import { CallAct } from '#shared/call-act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Incident = ReplyOf<'listConsoleIncidents'>[number]

const TONES = { planned: 'warning', open: 'bad', over: 'quiet' } as const
const act = { verb: 'Publish', refreshes: ['listConsoleIncidents'] } as const

const Acts = ({ incident: { id, state } }: { incident: Incident }) => {
  const params = { incidentId: id }
  if (state === 'over') return null
  return (
    <>
      <CallAct
        call="updateConsoleIncident"
        endpoint={incidents.updateConsoleIncident}
        label="Add an update"
        params={params}
        {...act}
      />
      <CallAct
        call="closeConsoleIncident"
        endpoint={incidents.closeConsoleIncident}
        label="Resolve"
        params={params}
        {...act}
        verb="Close"
      />
    </>
  )
}

const OneIncident = ({ incident }: { incident: Incident }) => (
  <Card isSnug>
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div>
        <h2 className="text-lg">{incident.title}</h2>
        <p className="mt-1 text-sm text-quiet-ink">
          <Badge tone={TONES[incident.state]}>{incident.state}</Badge>
          {'\u2002'}
          {incident.isPlanned ? 'Maintenance' : 'Incident'}, {incident.places.join(', ') || 'all nodes'}, from{' '}
          <Time at={incident.startsAt} />
          {incident.endsAt && (
            <>
              {' '}
              to <Time at={incident.endsAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Acts incident={incident} />
      </div>
    </div>
    <ol className="mt-3 space-y-2">
      {incident.updates.map(({ at, text }) => (
        <li key={at}>
          <span className="text-sm text-quiet-ink">
            <Time at={at} />
          </span>
          <p className="whitespace-pre-wrap">{text}</p>
        </li>
      ))}
    </ol>
  </Card>
)

const IncidentsPage = () => {
  const all = useData(
    'listConsoleIncidents',
    { querystring: { isAll: true } },
    { live: { kinds: ['incident'] } },
  )
  return (
    <Page
      title="Status page"
      lead="Shown to visitors of the status page."
      actions={
        <CallAct
          call="openConsoleIncident"
          endpoint={incidents.openConsoleIncident}
          label="Report an incident or maintenance"
          tone="solid"
          {...act}
        />
      }
    >
      <Loaded query={all}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No incidents yet">Incidents and maintenance appear here.</EmptyState>
          ) : (
            <div className="space-y-4">
              {rows.map((incident) => (
                <OneIncident key={incident.id} incident={incident} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  )
}

export default IncidentsPage
