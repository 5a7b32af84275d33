import { type TimeZonePlace, timeZonePlace } from './time-zone-places.ts'

const radians = (degrees: number) => (degrees * Math.PI) / 180
const EARTH_KM = 6371

/** The way over the ground (haversine). */
const kilometres = (one: TimeZonePlace, other: TimeZonePlace): number => {
  const half = (a: number, b: number) => Math.sin(radians(b - a) / 2) ** 2
  const chord =
    half(one.latitude, other.latitude) +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * half(one.longitude, other.longitude)
  return Math.round(2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(chord))))
}

/** How far apart the places are that two time zones are named after; infinitely, where one of them is none. */
export const kilometresApart = (one: string | null | undefined, other: string | null | undefined): number => {
  const from = one ? timeZonePlace(one) : undefined
  const to = other ? timeZonePlace(other) : undefined
  return from && to ? kilometres(from, to) : Infinity
}

/** The nearest at the top; those that are as near stay as they stood. */
export const byNearness = <T extends { timeZone?: string | null | undefined }>(
  places: readonly T[],
  timeZone: string | null | undefined,
): T[] => {
  const distances = new Map(places.map((place) => [place, kilometresApart(place.timeZone, timeZone)]))
  const of = (place: T) => distances.get(place) ?? Infinity
  // Two that are both nowhere are as near as each other: their difference would be no number.
  return [...places].sort((a, b) => (of(a) === of(b) ? 0 : of(a) - of(b)))
}
