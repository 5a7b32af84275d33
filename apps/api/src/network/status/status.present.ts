import type { Incident, Place, ShopStatus } from '@hedgerow/contract/status'
import { HISTORY_DAYS, incidentState, type PlaceState, uptimeOf } from '@hedgerow/domain/uptime'
import type { IncidentOnPage, StatusRow } from '#network/status/status.queries.ts'

const instant = (text: string): string => new Date(text).toISOString()

const presentIncident = (row: IncidentOnPage, now: Date): Incident => {
  const { id, title, places, is_planned, updates } = row
  const [startsAt, endsAt, closedAt] = [row.starts_at, row.ends_at, row.closed_at].map(
    (at) => at && new Date(at),
  )
  const state = incidentState(
    { startsAt: startsAt || now, endsAt: endsAt || null, closedAt: closedAt || null },
    now,
  )
  return {
    _id: id,
    title,
    places,
    isPlanned: is_planned,
    state,
    startsAt: instant(row.starts_at),
    endsAt: (closedAt || endsAt || undefined)?.toISOString() ?? null,
    updates: updates.map(({ at, text }) => ({ at: instant(at), text })),
  }
}

type Facts = Pick<StatusRow['places'][number], 'name' | 'is_up' | 'is_demonstration'> & {
  has_watched: boolean
}

const stateOf = (place: Facts, incidents: readonly Incident[]): PlaceState => {
  if (place.is_demonstration) return 'demonstration'
  const isMaintained = incidents.some(
    ({ isPlanned, state, places }) =>
      isPlanned && state === 'open' && (places.length === 0 || places.includes(place.name)),
  )
  if (isMaintained) return 'maintenance'
  if (place.is_up) return 'up'
  return place.has_watched ? 'down' : 'unknown'
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

export const presentStatus = ({ now, first_day, has_watched, places, incidents }: StatusRow): ShopStatus => {
  const shown = incidents.map((row) => presentIncident(row, now))
  return {
    firstDay: first_day,
    places: places.map(({ name, is_up, is_demonstration, days }): Place => {
      const byAge = new Map(days.map((day) => [day.ago, day]))
      return {
        name,
        state: stateOf({ name, is_up, is_demonstration, has_watched }, shown),
        uptime: uptimeOf(sum(days.map(({ up }) => up)), sum(days.map(({ watched }) => watched))),
        days: is_demonstration
          ? []
          : Array.from({ length: HISTORY_DAYS }, (_, at) => {
              const day = byAge.get(HISTORY_DAYS - 1 - at)
              return day ? uptimeOf(day.up, day.watched) : null
            }),
      }
    }),
    incidents: shown,
  }
}
