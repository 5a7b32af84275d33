import { DAY_MS, dayAfter } from '@hedgerow/domain/dates'
import { fetchSettlement } from '#accounting/settlement/fetch-settlement.ts'
import { bookingSources } from '#money/gateway/adapters.ts'
import type { Db } from '#platform/database/client.ts'
import type { WithGate } from '#platform/settings.ts'

/** From the first of one month to the first of the next, the last one up to the end. */
const monthsUpTo = (from: Date, end: Date): { from: Date; to: Date }[] => {
  const months: { from: Date; to: Date }[] = []
  for (
    let start = dayAfter(new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), 1, 12)), 0);
    start < end;
  ) {
    const later = new Date(start.getTime() + 40 * DAY_MS)
    const next = dayAfter(new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth(), 1, 12)), 0)
    const to = next < end ? next : end
    months.push({ from: start, to })
    start = to
  }
  return months
}

/** Takes in what the gateways have booked of all that was lived, up to this morning, as the shop does each night. */
export const finishDemoShop = async (db: Db, settings: WithGate, from: Date): Promise<void> => {
  for (const source of bookingSources(settings))
    for (const month of monthsUpTo(from, dayAfter(new Date(), 0))) {
      const { isWhole, unreadable } = await fetchSettlement({ db, source }, month, { isDaily: true })
      if (!isWhole || unreadable.length > 0)
        throw new Error('the bookings of the demonstration could not be fetched')
    }
}
