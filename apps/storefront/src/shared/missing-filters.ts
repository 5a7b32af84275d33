import type { OpenLocation } from '@hedgerow/contract/locations'
import type { WireFilter } from '@hedgerow/domain/filters'
import { useQuery } from '@tanstack/react-query'
import { locationsFor, locationsQuery, type Place } from '#shared/locations-query.ts'

const lacks = (place: OpenLocation, filter: string): boolean =>
  place.without?.includes(filter as WireFilter) ?? false

/** Why an option cannot be bought there, or anywhere; undefined where it can. */
export const useMissing = ({ location }: Place): ((option: string) => string | undefined) => {
  const { data = [] } = useQuery(locationsQuery)
  const places = locationsFor(data, undefined)
  const chosen = places.find(({ _id }) => _id === location)
  return (option) => {
    if (places.length > 0 && places.every((place) => lacks(place, option)))
      return 'Not available at the moment'
    return chosen && lacks(chosen, option) ? `Not available in ${chosen.name}` : undefined
  }
}
