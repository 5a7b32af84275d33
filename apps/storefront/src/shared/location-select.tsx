import type { OpenLocation } from '@hedgerow/contract/locations'
import { OBFUSCATED_LOCATION } from '@hedgerow/domain/file-form'
import { byNearness, kilometresApart } from '@hedgerow/domain/nearest'
import { BareSelect } from '@hedgerow/ui/form/select.tsx'
import { useId, useLayoutEffect } from 'react'
import type { Place } from '#shared/locations-query.ts'

const AUTOMATIC = ''

const optionOf = ({ name, hasRoom, isObfuscated }: OpenLocation): string =>
  `${name}${isObfuscated ? `, ${OBFUSCATED_LOCATION.label}` : ''}${hasRoom ? '' : ' (full)'}`

/** The nearest with room, as far as time zones tell; one that needs another app is only ever chosen. Those that are kept for what is bought go before the others. */
const nearestOf = (
  places: readonly OpenLocation[],
  timeZone: string | undefined,
): OpenLocation | undefined => {
  const withRoom = places.filter(({ hasRoom, isObfuscated }) => hasRoom && !isObfuscated)
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
  const hintId = useId()
  const nearest = nearestOf(places, ownTimeZone())
  const near = nearest?._id
  const automatic: Place = near ? { near } : {}
  // One that closed since the address was written is not chosen any more.
  const chosen = places.find(({ _id }) => _id === place.location)
  const isSettled = chosen ? true : place.location === undefined && place.near === near
  // Before anybody can choose: what was chosen would be overwritten.
  useLayoutEffect(() => {
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
          value={chosen?._id ?? AUTOMATIC}
          aria-describedby={chosen?.isObfuscated ? hintId : undefined}
          onChange={({ target: { value } }) =>
            onChange(value === AUTOMATIC ? automatic : { location: value })
          }
        >
          <option value={AUTOMATIC}>{nearest ? `Nearest: ${nearest.name}` : 'Automatic'}</option>
          {places.map((one) => (
            <option key={one._id} value={one._id} disabled={!one.hasRoom && one !== chosen}>
              {optionOf(one)}
            </option>
          ))}
        </BareSelect>
      </div>
      {chosen?.isObfuscated && (
        <p id={hintId} className="mt-1 basis-full text-sm text-quiet-ink">
          {OBFUSCATED_LOCATION.needs}
        </p>
      )}
    </>
  )
}
