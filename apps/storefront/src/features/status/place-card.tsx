import type { Place } from '@hedgerow/contract/status'
import type { PlaceState } from '@hedgerow/domain/uptime'
import { Badge, type BadgeTone } from '@hedgerow/ui/badge.tsx'
import { daysNotUp, describeUptime, percent } from '#features/status/describe-days.ts'
import { HistoryBars } from '#features/status/history-bars.tsx'

const STATES: Readonly<Record<PlaceState, { tone: BadgeTone; label: string }>> = {
  up: { tone: 'good', label: 'Up' },
  down: { tone: 'bad', label: 'Down' },
  maintenance: { tone: 'warning', label: 'Maintenance' },
  unknown: { tone: 'quiet', label: 'Not checked yet' },
  demonstration: { tone: 'quiet', label: 'Demonstration' },
}

const LISTED = 14

const History = ({ place, firstDay }: { place: Place; firstDay: string }) => {
  const described = describeUptime(place)
  const notUp = daysNotUp(place, firstDay)
  const unwatched = place.days.filter((day) => day === null).length
  return (
    <>
      <p className="mt-1 mb-3 tabular-nums">{described}</p>
      <HistoryBars days={place.days} label={described} />
      <p className="mt-2 flex justify-between gap-x-4 text-sm text-quiet-ink">
        <span>{`${place.days.length} days ago`}</span>
        <span>Today</span>
      </p>
      {notUp.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="inline-flex min-h-11 items-center text-hedge underline underline-offset-4">
            {`Days with downtime: ${notUp.length}`}
          </summary>
          <ul className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(min(11rem,100%),1fr))] gap-x-4 gap-y-1 tabular-nums">
            {notUp.slice(0, LISTED).map(({ day, uptime }) => (
              <li key={day}>{`${day}: ${percent(uptime)}`}</li>
            ))}
          </ul>
          {notUp.length > LISTED && <p className="mt-1">{`and ${notUp.length - LISTED} before that`}</p>}
        </details>
      )}
      {unwatched > 0 && unwatched < place.days.length && (
        <p className="mt-1 text-sm text-quiet-ink">
          {`A short dash is a day without a record${unwatched === 1 ? '.' : `: ${unwatched} of them.`}`}
        </p>
      )}
    </>
  )
}

/** One place: how it is, and how it was. */
export const PlaceCard = ({ place, firstDay }: { place: Place; firstDay: string }) => {
  const { tone, label } = STATES[place.state]
  return (
    <li className="rounded-card border border-line bg-surface p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="max-w-full text-xl">{place.name}</h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {place.state === 'demonstration' ? (
        <p className="mt-2 text-quiet-ink">
          This stands in for a server while you try the shop. Nothing runs there, so there is nothing to
          measure.
        </p>
      ) : (
        <History place={place} firstDay={firstDay} />
      )}
    </li>
  )
}
