/** So many days of the nodes' history are shown, today among them, and then deleted. */
export const HISTORY_DAYS = 90

/** Percent of the minutes watched, with two decimals, rounded down: less than all is never said to be all. */
export const uptimeOf = (minutesUp: number, minutesWatched: number): number | null =>
  minutesWatched > 0 ? Math.floor((minutesUp * 10_000) / minutesWatched) / 100 : null

/** 'unknown': the shop has only just begun to look. 'demonstration': nothing answers there. */
export const PLACE_STATES = ['up', 'down', 'maintenance', 'unknown', 'demonstration'] as const
export type PlaceState = (typeof PLACE_STATES)[number]

export const INCIDENT_STATES = ['open', 'planned', 'over'] as const
export type IncidentState = (typeof INCIDENT_STATES)[number]

type Incident = { startsAt: Date; endsAt: Date | null; closedAt: Date | null }

/** Maintenance is over when its time is, whether it is closed or not. */
export const incidentState = ({ startsAt, endsAt, closedAt }: Incident, now: Date): IncidentState => {
  if (closedAt || (endsAt && endsAt <= now)) return 'over'
  return startsAt > now ? 'planned' : 'open'
}
