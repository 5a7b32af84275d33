import type { Place } from '@hedgerow/contract/status'
import { timeZonePlace } from '@hedgerow/domain/time-zone-places'
import { ErrorBoundary } from '@hedgerow/ui/error-boundary.tsx'
import WorldMap, { type MapSpot } from '@hedgerow/ui/world-map.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { describeUptime } from '#features/status/describe-days.ts'
import { HistoryBars } from '#features/status/history-bars.tsx'
import { statusQuery } from '#features/status/status-query.ts'
import { locationsQuery } from '#shared/locations-query.ts'

const LOOKS: Readonly<Record<Place['state'], { word: string; look: string }>> = {
  up: { word: 'Up', look: 'fill-hedge' },
  down: { word: 'Down', look: 'fill-berry' },
  maintenance: { word: 'Maintenance', look: 'fill-straw' },
  unknown: { word: 'Not checked yet', look: 'fill-outline' },
  demonstration: { word: 'Demonstration', look: 'fill-outline' },
}

const SHOWN = 6

/** Each city, how it is and how it was, beside a map of them. */
const Places = () => {
  const { data } = useQuery(statusQuery)
  const { data: locations = [] } = useQuery(locationsQuery)
  const places = data?.places ?? []
  const spots = places.flatMap(({ name, state }): MapSpot[] => {
    const where = timeZonePlace(locations.find((one) => one.name === name)?.timeZone ?? '')
    return where ? [{ id: name, name, look: LOOKS[state].look, ...where }] : []
  })
  if (places.length === 0) return null
  return (
    <div className={spots.length > 0 ? 'grid items-center gap-x-12 gap-y-6 md:grid-cols-2' : ''}>
      <div>
        <ul>
          {places.slice(0, SHOWN).map((place) => (
            <li key={place.name} className="border-t border-line py-3">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="font-semibold">{place.name}</span>
                <span className="text-quiet-ink tabular-nums">
                  {place.state === 'up' ? describeUptime(place) : LOOKS[place.state].word}
                </span>
              </p>
              {place.days.length > 0 && (
                <div className="mt-1 *:h-5">
                  <HistoryBars days={place.days} label={describeUptime(place)} />
                </div>
              )}
            </li>
          ))}
        </ul>
        {places.some(({ state }) => state === 'demonstration') && (
          <p className="text-quiet-ink">
            These stand in for servers while you try the shop. Nothing runs there.
          </p>
        )}
        <Link to="/status" className="link inline-flex min-h-11 items-center">
          {places.length > SHOWN ? `All ${places.length} places and their history` : 'Status and history'}
        </Link>
      </div>
      {spots.length > 0 && <WorldMap spots={spots} isClose />}
    </div>
  )
}

const PlacesStrip = () => (
  <ErrorBoundary isPart>
    <Places />
  </ErrorBoundary>
)

export default PlacesStrip
