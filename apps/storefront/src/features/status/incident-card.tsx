import type { Incident } from '@hedgerow/contract/status'
import { formatLocalTime } from '@hedgerow/domain/dates'
import { Badge } from '@hedgerow/ui/badge.tsx'
import { Time } from '#shared/time.tsx'

const at = (instant: string) => formatLocalTime(new Date(instant))

const badgeOf = ({ isPlanned, state }: Incident) => {
  if (state === 'over') return <Badge tone="quiet">{isPlanned ? 'Done' : 'Over'}</Badge>
  if (!isPlanned) return <Badge tone="bad">Open</Badge>
  return <Badge tone="warning">{state === 'planned' ? 'Planned' : 'Under way'}</Badge>
}

const spanOf = ({ startsAt, endsAt }: Incident): string =>
  endsAt ? `${at(startsAt)} to ${at(endsAt)}` : `Since ${at(startsAt)}`

/** What the operator says of one incident, as plain text. */
export const IncidentCard = ({ incident }: { incident: Incident }) => (
  <li className="rounded-card border border-line bg-surface p-5">
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <h3 className="min-w-[min(8rem,100%)] flex-1 text-xl">{incident.title}</h3>
      {badgeOf(incident)}
    </div>
    <p className="mt-1 text-sm text-quiet-ink tabular-nums">
      {`${incident.isPlanned ? 'Maintenance' : 'Incident'}, ${incident.places.join(', ') || 'all locations'}. ${spanOf(incident)}`}
    </p>
    <ol className="mt-4 space-y-4">
      {incident.updates.map(({ at: written, text }) => (
        <li key={written + text} className="border-l-2 border-line pl-4">
          <p className="text-sm text-quiet-ink tabular-nums">
            <Time at={written} />
          </p>
          <p className="max-w-measure whitespace-pre-line">{text}</p>
        </li>
      ))}
    </ol>
  </li>
)
