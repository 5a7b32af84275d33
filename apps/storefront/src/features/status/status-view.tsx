import type { Incident, ShopStatus } from '@hedgerow/contract/status'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { Button } from '@hedgerow/ui/button.tsx'
import { Notice } from '@hedgerow/ui/page/notice.tsx'
import { Skeleton } from '@hedgerow/ui/page/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { IncidentCard } from '#features/status/incident-card.tsx'
import { PlaceCard } from '#features/status/place-card.tsx'
import { statusQuery } from '#features/status/status-query.ts'
import { StatusSummary } from '#features/status/status-summary.tsx'

const Incidents = ({ title, incidents }: { title: string; incidents: readonly Incident[] }) =>
  incidents.length > 0 && (
    <section className="mt-10">
      <h2 className="text-2xl">{title}</h2>
      <ul className="mt-4 space-y-4">
        {incidents.map((incident) => (
          <IncidentCard key={incident._id} incident={incident} />
        ))}
      </ul>
    </section>
  )

const Shown = ({ status }: { status: ShopStatus }) => {
  const { places, incidents, firstDay } = status
  return (
    <>
      <StatusSummary status={status} />
      <Incidents title="Current and planned" incidents={incidents.filter(({ state }) => state !== 'over')} />
      <section className="mt-10">
        <h2 className="text-2xl">Locations</h2>
        <ul className="mt-4 space-y-4">
          {places.map((place) => (
            <PlaceCard key={place.name} place={place} firstDay={firstDay} />
          ))}
        </ul>
      </section>
      <Incidents title="Past 90 days" incidents={incidents.filter(({ state }) => state === 'over')} />
      {incidents.length === 0 && <p className="mt-10 text-quiet-ink">No incident in the past 90 days.</p>}
    </>
  )
}

/** The room of a summary and three places. */
const Waiting = () => (
  <>
    <Skeleton label="Loading the status" lines={2} className="py-2" />
    {[1, 2, 3].map((place) => (
      <div
        key={place}
        aria-hidden="true"
        className={`${place === 1 ? 'mt-24' : 'mt-4'} h-44 animate-pulse rounded-card border border-line bg-surface`}
      />
    ))}
  </>
)

/** How the places are and were, and what the operator says of it; read again each minute. */
export const StatusView = () => {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(statusQuery)
  const again = (
    <Button variant="outline" busy={isFetching} onClick={() => void refetch()} className="mt-3">
      Refresh
    </Button>
  )
  if (!data)
    return error ? (
      <Notice kind="problem" title="The status did not load">
        <p>
          This part of the shop is not answering, or you are offline. That tells you nothing about the
          servers.
        </p>
        {again}
      </Notice>
    ) : (
      <Waiting />
    )
  const readAt = formatLocalTime(new Date(dataUpdatedAt))
  return (
    <>
      {error && (
        <Notice kind="warning" title="This page could not be refreshed" className="mb-6">
          <p>{`It shows how things were at ${readAt}.`}</p>
          {again}
        </Notice>
      )}
      <Shown status={data} />
      <p className="mt-10 text-sm text-quiet-ink tabular-nums">
        <span>{`Updated at ${readAt}.`}</span> It updates every minute while this page is open. Days run from
        midnight to midnight, UK time. Incidents are also available as a{' '}
        <a href="/status.atom" className="link">
          feed (Atom)
        </a>
        .
      </p>
    </>
  )
}
