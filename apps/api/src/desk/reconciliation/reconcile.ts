import { setTimeout as pause } from 'node:timers/promises'
import { DAY_MS } from '@hedgerow/domain/dates'
import {
  listCarried,
  listFactsOf,
  listIdsBetween,
  type PaymentFacts,
} from '#desk/payments/payment-facts.queries.ts'
import {
  comparePayment,
  type Difference,
  type GatewayStatement,
} from '#desk/reconciliation/compare-payment.ts'
import { type Carried, type GatewayDependencies, gatewayOf, refOf } from '#money/gateway/gateway.ts'
import { listRefunds } from '#money/refunds/refunds.service.ts'
import type { With } from '#platform/dependencies.ts'

type Deps = With<'db'> & GatewayDependencies

/** So many calls to the gateway are under way at once. */
const CONCURRENCY = 4
const AT_ONCE = 100
/** The shop runs meanwhile: what differs is looked at again after so long, and told only if it still does. */
const LOOK_AGAIN_MS = 2_000

export type Compared = {
  payment: Pick<PaymentFacts, 'id' | 'created_at'>
  /** Undefined: the gateway gave no answer. */
  differences: Difference[] | undefined
}

const ask = async ({ gateways }: Deps, payment: Carried): Promise<GatewayStatement | undefined> => {
  const answer = await gatewayOf(gateways, payment.gateway).status(refOf(payment))
  return answer.kind === 'unknown' ? undefined : answer
}

/** Does something with each, so many at a time, and answers in their order. */
const eachOf = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return results
}

const compareOnce = async (deps: Deps, ids: readonly string[]): Promise<Compared[]> => {
  if (ids.length === 0) return []
  // The gateway first: what it says now is then known to the shop, or will be in a moment.
  const carried = await listCarried(deps.db, ids)
  const words = new Map(await eachOf(carried, async (one) => [one.id, await ask(deps, one)] as const))
  const rows = await listFactsOf(deps.db, ids)
  const refunds = Map.groupBy(await listRefunds(deps.db, ids), ({ payment_id }) => payment_id)
  return rows.map((payment) => {
    const word = words.get(payment.id)
    return { payment, differences: word && comparePayment(payment, refunds.get(payment.id) ?? [], word) }
  })
}

const isDone = ({ differences }: Compared) => differences?.length === 0

const compareTwice = async (deps: Deps, ids: readonly string[]): Promise<Compared[]> => {
  const first = await compareOnce(deps, ids)
  const open = first.filter((one) => !isDone(one)).map(({ payment }) => payment.id)
  if (open.length === 0) return first
  await pause(LOOK_AGAIN_MS)
  const second = new Map((await compareOnce(deps, open)).map((one) => [one.payment.id, one]))
  return first.map((one) => second.get(one.payment.id) ?? one)
}

/** One payment and the gateway's word of it; undefined where there is no such payment. Changes nothing. */
export const compareOne = async (deps: Deps, id: string): Promise<Compared | undefined> =>
  (await compareTwice(deps, [id])).at(0)

/**
 * Compares every payment that was started from one time up to another with the gateway's word of it, the oldest first, a
 * handful at a time. Changes nothing. Reads the database day by day, so that a long period needs no more memory.
 */
export async function* reconcile(deps: Deps, from: Date, to: Date): AsyncGenerator<Compared[]> {
  for (let day = from; day < to; day = new Date(day.getTime() + DAY_MS)) {
    const end = new Date(Math.min(day.getTime() + DAY_MS, to.getTime()))
    const ids = await listIdsBetween(deps.db, day, end)
    for (let at = 0; at < ids.length; at += AT_ONCE)
      yield await compareTwice(deps, ids.slice(at, at + AT_ONCE))
  }
}

/** So many are compared for one call of a browser. */
const AT_A_CALL = 25

/** The next few payments that were started on the day (24 hours) from `from` on, and how many to skip then; null at its end. */
export const compareSome = async (
  deps: Deps,
  from: Date,
  skip: number,
): Promise<{ compared: Compared[]; next: number | null }> => {
  const ids = await listIdsBetween(deps.db, from, new Date(from.getTime() + DAY_MS))
  const compared = await compareTwice(deps, ids.slice(skip, skip + AT_A_CALL))
  return { compared, next: skip + AT_A_CALL < ids.length ? skip + AT_A_CALL : null }
}
