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

/** Where new connections are to be, once there is more than one place to choose from. */
export const LocationField = ({ layerId, place, onChange, isKept = false }: LocationFieldProps) => {
  const { data } = useQuery(locationsQuery)
  const places = locationsFor(data ?? [], layerId)
  // One that needs another app is taken only by who chooses it.
  if (places.length < 2 && !places.some(({ isObfuscated }) => isObfuscated)) return null
  return (
    <div className="mt-4 flex min-h-12 flex-wrap items-center justify-between gap-x-4">
      {isKept ? (
        <>
          <p className="font-medium">Location</p>
          <p className="text-right text-quiet-ink">Stays the same</p>
        </>
      ) : (
        <ErrorBoundary isPart>
          <Suspense fallback={<p className="font-medium">Location</p>}>
            <LocationSelect places={places} place={place} onChange={onChange} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  )
}
