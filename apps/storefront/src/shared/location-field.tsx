import { ErrorBoundary } from '@hedgerow/ui/error-boundary.tsx'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { locationsFor, locationsQuery, type Place } from '#shared/locations-query.ts'

/** Loaded where there is something to choose from: it knows where on the earth time zones are. */
const LocationSelect = lazy(() =>
  import('#shared/location-select.tsx').then((m) => ({ default: m.LocationSelect })),
)

type LocationFieldProps = {
  /** Of the plan that is bought. */
  layerId?: string
  place: Place
  onChange: (place: Place) => void
  /** There is nothing new to put anywhere. */
  isKept?: boolean
}

const ANYWHERE = 'Chosen automatically'

/** Where new connections are to be. Its line has the same height whatever there is to say or to choose. */
export const LocationField = ({ layerId, place, onChange, isKept = false }: LocationFieldProps) => {
  const { data, isPending } = useQuery(locationsQuery)
  const places = locationsFor(data ?? [], layerId)
  const [only] = places
  const shown = isKept ? 'Stays the same' : only?.isDemonstration ? 'Demonstration' : (only?.name ?? ANYWHERE)
  const isAsked = places.length > 1 && !isKept
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4">
      {isAsked ? (
        <ErrorBoundary isPart>
          <Suspense fallback={<p className="font-medium">Location</p>}>
            <LocationSelect places={places} place={place} onChange={onChange} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        <>
          <p className="font-medium">Location</p>
          <p className="text-right wrap-anywhere text-quiet-ink">{isPending && !isKept ? '' : shown}</p>
        </>
      )}
    </div>
  )
}
