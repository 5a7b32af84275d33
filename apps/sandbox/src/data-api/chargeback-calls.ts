import { type DataCall, DataRefusal } from '#data-api/data-call.ts'
import { presentChargeback } from '#data-api/present-chargeback.ts'
import { allChargebacks, findChargeback } from '#gateway/chargebacks.ts'

const MOST = 1_000

const wholeNumber = (value: unknown, least: number, most: number, name: string): number => {
  if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
    throw new DataRefusal(`${name} must be a whole number from ${least} to ${most}.`)
  return value as number
}

/** 'YYYY-MM-DD HH:MM:SS', in UTC. */
const instant = (value: unknown, name: string): number => {
  const isTime = typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)
  const ms = isTime ? Date.parse(`${value.replace(' ', 'T')}Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new DataRefusal(`${name} must be a time like 2026-11-22 10:00:00.`)
  return ms
}

/** Those that came, or were changed, in an interval. */
export const chargebackList: DataCall = {
  path: 'chargeback/list',
  handle: ({ interval, limit, offset }, gateway) => {
    const { from, to } = (typeof interval === 'object' && interval !== null ? interval : {}) as Record<
      string,
      unknown
    >
    const [start, end] = [instant(from, 'interval.from'), instant(to, 'interval.to') + 999]
    const first = wholeNumber(offset ?? 0, 0, Number.MAX_SAFE_INTEGER, 'offset')
    const count = wholeNumber(limit ?? MOST, 1, MOST, 'limit')
    const found = [...allChargebacks(gateway)].filter(
      ({ chargeback }) => chargeback.updatedAt >= start && chargeback.createdAt <= end,
    )
    return {
      status: 'success',
      total: found.length,
      chargebacks: found
        .slice(first, first + count)
        .map((one) => presentChargeback(one, gateway.settings.projectId)),
    }
  },
}

export const chargebackGet: DataCall = {
  path: 'chargeback/get',
  handle: ({ chargeback_id: id }, gateway) => {
    const found = findChargeback(gateway, Number(id))
    if (!found) throw new DataRefusal('There is no such chargeback.')
    return { status: 'success', chargeback: presentChargeback(found, gateway.settings.projectId) }
  },
}
