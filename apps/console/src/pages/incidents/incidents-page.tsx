import { Badge } from '@hedgerow/ui/badge.tsx'
import { Card } from '@hedgerow/ui/page/card.tsx'
import { EmptyState } from '@hedgerow/ui/page/empty-state.tsx'
import { api, type ReplyOf } from '#lib/api.ts'
import { Act } from '#shared/act.tsx'
import { Loaded } from '#shared/loaded.tsx'
import { Page } from '#shared/page.tsx'
import { Time } from '#shared/time.tsx'
import { useData } from '#shared/use-data.ts'

type Incident = ReplyOf<'listConsoleIncidents'>[number]

const TEXT_LENGTH = 2_000
const TONES = { planned: 'warning', open: 'bad', over: 'quiet' } as const
const REFRESHED = ['listConsoleIncidents'] as const

const instantOf = (local: string | undefined) => (local ? new Date(local).toISOString() : undefined)
const namesOf = (typed: string | undefined) =>
  (typed ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

const OpenAct = ({ isPlanned }: { isPlanned: boolean }) => (
  <Act
    label={isPlanned ? 'Announce maintenance' : 'Report an incident'}
    title={isPlanned ? 'Announce maintenance' : 'Report an incident'}
    may="incidents.change"
    tone={isPlanned ? 'outline' : 'solid'}
    verb="Publish"
    fields={[
      { name: 'title', label: 'Title' },
      {
        name: 'text',
        label: isPlanned ? 'What will happen' : 'What is the matter',
        kind: 'words',
        most: TEXT_LENGTH,
      },
      {
        name: 'places',
        label: 'Nodes',
        isOptional: true,
        hint: 'Their names, separated by commas; all of them if left out',
      },
      {
        name: 'startsAt',
        label: isPlanned ? 'Begins' : 'Began',
        kind: 'moment',
        isOptional: true,
        hint: 'Now if left out',
      },
      ...(isPlanned ? [{ name: 'endsAt', label: 'Ends', kind: 'moment' as const }] : []),
    ]}
    run={({ title = '', text = '', places, startsAt, endsAt }) =>
      api.call('openConsoleIncident', {
        body: {
          title,
          text,
          places: namesOf(places),
          startsAt: instantOf(startsAt),
          endsAt: isPlanned ? instantOf(endsAt) : undefined,
        },
      })
    }
    done="It is on the status page"
    refreshes={REFRESHED}
  >
    <p>Everybody can read it at once, on the status page and in its feed.</p>
  </Act>
)

const Acts = ({ incident: { id, state } }: { incident: Incident }) => {
  const params = { incidentId: id }
  if (state === 'over') return null
  return (
    <>
      <Act
        label="Add an update"
        title="What is new?"
        may="incidents.change"
        verb="Publish"
        fields={[{ name: 'text', label: 'Update', kind: 'words', most: TEXT_LENGTH }]}
        run={({ text }) => api.call('updateConsoleIncident', { params, body: { text } })}
        done="Published"
        refreshes={REFRESHED}
      />
      <Act
        label="It is over"
        title="Is it over?"
        may="incidents.change"
        verb="Close it"
        fields={[{ name: 'text', label: 'A last word', kind: 'words', most: TEXT_LENGTH, isOptional: true }]}
        run={({ text }) => api.call('closeConsoleIncident', { params, body: { text: text || undefined } })}
        done="Closed"
        refreshes={REFRESHED}
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
  const incidents = useData('listConsoleIncidents', {}, { live: { kinds: ['incident'] } })
  return (
    <Page
      title="Status page"
      lead="What visitors to the status page read."
      actions={
        <>
          <OpenAct isPlanned={false} />
          <OpenAct isPlanned />
        </>
      }
    >
      <Loaded query={incidents}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title="No incidents yet">Incidents and maintenance will stand here.</EmptyState>
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
