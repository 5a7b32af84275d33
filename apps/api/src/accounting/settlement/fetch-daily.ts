import { DAY_MS, dayAfter } from '@hedgerow/domain/dates'
import { askAboutUnknown } from '#accounting/settlement/ask-about-unknown.ts'
import { fetchSettlement } from '#accounting/settlement/fetch-settlement.ts'
import { matchOpen } from '#accounting/settlement/match-payments.ts'
import { lastDailyEnd } from '#accounting/settlement/runs.queries.ts'
import { bookingSources } from '#money/gateway/adapters.ts'
import type { BookingSource } from '#money/gateway/booking-source.ts'
import type { GatewayDependencies } from '#money/gateway/gateway.ts'
import type { With } from '#platform/dependencies.ts'
import { runAllSteps } from '#platform/queue/run-all-steps.ts'

/** The gateway may still be booking what happened before midnight. */
const SETTLES_WITHIN_MS = 2 * 3_600_000
/** After so many days without the shop the operator fetches what is older. */
const MOST_DAYS = 31
/** A run that takes longer than five minutes is taken for stuck. */
const LONGEST_MS = 3 * 60_000

type Day = { from: Date; to: Date }

/** Days in London that are over and were not fetched, the first first. */
const dueDays = (last: Date | undefined, now: Date): Day[] => {
  const end = dayAfter(new Date(now.getTime() - SETTLES_WITHIN_MS), 0)
  const earliest = new Date(Math.max(last?.getTime() ?? 0, dayAfter(end, last ? -MOST_DAYS : -1).getTime()))
  const days: Day[] = []
  for (let from = earliest; from < end; from = dayAfter(from, 1)) {
    const to = dayAfter(from, 1)
    if (to.getTime() - from.getTime() > 2 * DAY_MS) break
    days.push({ from, to })
  }
  return days
}

const fetchDays = async (
  { db, log }: With<'db' | 'log'>,
  source: BookingSource,
  until: number,
): Promise<void> => {
  const { gateway } = source
  for (const day of dueDays(await lastDailyEnd(db, gateway), new Date())) {
    const { isWhole, changes, unreadable } = await fetchSettlement({ db, source }, day, {
      isDaily: true,
      until,
    })
    for (const change of changes.slice(0, 100))
      log.warn({ gateway, change }, 'the gateway has changed an operation')
    if (unreadable.length > 0)
      log.error(
        { gateway, unreadable: unreadable.slice(0, 100) },
        'operations of the gateway could not be read',
      )
    if (!isWhole) return
  }
}

/**
 * Fetches the days that are over from each gateway that tells what it booked, looks again at what only the gateway knew, and asks it
 * about that. Throws where one does not answer, when the others have: the next run goes on from there.
 */
export const fetchDueDays = async (
  deps: With<'db' | 'log' | 'settings'> & GatewayDependencies,
): Promise<void> => {
  await matchOpen(deps.db)
  await askAboutUnknown(deps)
  const until = Date.now() + LONGEST_MS
  await runAllSteps(bookingSources(deps.settings).map((source) => () => fetchDays(deps, source, until)))
}
