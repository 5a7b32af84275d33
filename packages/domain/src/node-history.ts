/** An agent's word of a minute is taken for so long, for the shop may have been away. */
export const MINUTE_TAKEN_HOURS = 24
/** Longer than that, so that a minute that comes again is known. */
export const MINUTES_KEPT_HOURS = 25
export const HOURS_KEPT_DAYS = 366

/** What an agent may say of a minute at most: what is more is no node's. */
export const MINUTE_LIMITS = { peers: 1_000_000, bytes: 1e15, errors: 1_000_000 } as const

/** The last minute may be on its way for so long. */
const ON_ITS_WAY_MINUTES = 2

/** The two histories that operators look at, in so many steps of so many minutes. */
export const HISTORIES = {
  day: { stepMinutes: 5, steps: 288 },
  month: { stepMinutes: 60, steps: 720 },
} as const
export type HistoryKind = keyof typeof HISTORIES

const MINUTE_MS = 60_000

/** The steps that are over, the oldest first: where each begins, in Unix milliseconds. */
export const stepsOf = (kind: HistoryKind, now: number): number[] => {
  const { stepMinutes, steps } = HISTORIES[kind]
  const stepMs = stepMinutes * MINUTE_MS
  const end = Math.floor((now - ON_ITS_WAY_MINUTES * MINUTE_MS) / stepMs) * stepMs
  return Array.from({ length: steps }, (_, at) => end - (steps - at) * stepMs)
}

type Recorded = { from: Date; minutes: number }

/**
 * A row for each step, and how many of its minutes were not reported. Where there is none it is a gap. What was before the
 * node first reported was not missed.
 */
export const fillSteps = <Row extends Recorded>(
  kind: HistoryKind,
  rows: readonly Row[],
  { now, since }: { now: number; since: number },
): { from: Date; row: Row | undefined; missed: number }[] => {
  const known = new Map(rows.map((row) => [row.from.getTime(), row]))
  const { stepMinutes } = HISTORIES[kind]
  return stepsOf(kind, now).map((from) => {
    const row = known.get(from)
    const owed = Math.min(stepMinutes, Math.floor((from + stepMinutes * MINUTE_MS - since) / MINUTE_MS))
    return { from: new Date(from), row, missed: Math.max(0, owed - (row?.minutes ?? 0)) }
  })
}

/** Percent of what was sent, with a decimal; null where nothing was. */
export const lossOf = (lost: number, sent: number): number | null =>
  sent > 0 ? Math.round((1_000 * lost) / sent) / 10 : null

/** The last 24 hours that are over: where the first of them begins. */
export const DAY_HOURS = 24
export const dayStart = (now: number): Date => new Date((Math.floor(now / 3_600_000) - DAY_HOURS) * 3_600_000)
