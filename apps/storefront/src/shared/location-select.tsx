import type { OpenLocation } from '@hedgerow/contract/locations'
import { byNearness, kilometresApart } from '@hedgerow/domain/nearest'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { useEffect, useId } from 'react'
import type { Place } from '#shared/locations-query.ts'

const AUTOMATIC = ''

/** The nearest with room, as far as time zones tell. Those that are kept for what is bought go before the others. */
const nearestOf = (
  places: readonly OpenLocation[],
  timeZone: string | undefined,
): OpenLocation | undefined => {
  const withRoom = places.filter(({ hasRoom }) => hasRoom)
  const own = withRoom.filter(({ layer }) => layer)
  const [nearest] = byNearness(own.length > 0 ? own : withRoom, timeZone)
  return nearest && Number.isFinite(kilometresApart(nearest.timeZone, timeZone)) ? nearest : undefined
}

const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

type LocationSelectProps = {
  places: readonly OpenLocation[]
  place: Place
  onChange: (place: Place) => void
}

export const LocationSelect = ({ places, place, onChange }: LocationSelectProps) => {
  const id = useId()
  const nearest = nearestOf(places, ownTimeZone())
  const near = nearest?._id
  const automatic: Place = near ? { near } : {}
  // One that closed since the address was written is not chosen any more.
  const chosen = places.find(({ _id }) => _id === place.location)?._id
  const isSettled = chosen ? true : place.location === undefined && place.near === near
  useEffect(() => {
    if (!isSettled) onChange(automatic)
  }, [isSettled, near])
  return (
    <>
      <label htmlFor={id} className="font-medium">
        Location
      </label>
      <div className="min-w-0 grow basis-48">
        <BareSelect
          id={id}
          value={chosen ?? AUTOMATIC}
          onChange={({ target: { value } }) =>
            onChange(value === AUTOMATIC ? automatic : { location: value })
          }
        >
          <option value={AUTOMATIC}>{nearest ? `Nearest: ${nearest.name}` : 'Automatic'}</option>
          {places.map(({ _id, name, hasRoom }) => (
            <option key={_id} value={_id} disabled={!hasRoom && _id !== chosen}>
              {hasRoom ? name : `${name} (full)`}
            </option>
          ))}
        </BareSelect>
      </div>
    </>
  )
}
