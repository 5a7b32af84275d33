import type { GatewayName } from '@hedgerow/domain/gateways'
import { type CurrencyTotals, noTotals, totalsOf } from '@hedgerow/domain/settlement'
import { matchPayments, type Operation, operationOf } from '#accounting/settlement/match-payments.ts'
import { listOperationsBetween, listReturned } from '#accounting/settlement/operations.queries.ts'
import { balancesAt, listRunsWithin } from '#accounting/settlement/runs.queries.ts'
import { type DatedEntry, listPaymentsWithMoney } from '#accounting/settlement/shop-entries.queries.ts'
import type { With } from '#platform/dependencies.ts'

/** Of a currency. What the gateway did not tell is null; the sums are signed as they change the balance. */
export type SettledCurrency = CurrencyTotals & {
  openingMinor: number | null
  /** As the gateway reported it. */
  closingMinor: number | null
  /** True where opening, all operations and closing do not add up. */
  isOff: boolean
}

export type Settlement = {
  gateway: GatewayName
  from: Date
  to: Date
  operations: number
  currencies: SettledCurrency[]
  /** Without those whose money came back. */
  payouts: Operation[]
  matched: number
  /** Money that only the gateway knows of, and that is not explained. */
  onlyAtGateway: Operation[]
  explained: Operation[]
  /** Successes and refunds of the period that no report has. */
  onlyInShop: DatedEntry[]
  differing: { operation: Operation; entry: DatedEntry }[]
  /** Up to when reports have been fetched or imported without a gap from the beginning; null where not even that. */
  toldUpTo: Date | null
}

/** By other reports' word: they know the balances before. */
export type ReportedBalances = { opening: ReadonlyMap<string, number>; closing: ReadonlyMap<string, number> }

const NOTHING_TOLD: ReportedBalances = { opening: new Map(), closing: new Map() }

const withBalances =
  (opening: ReadonlyMap<string, number>, closing: ReadonlyMap<string, number>) =>
  (totals: CurrencyTotals): SettledCurrency => {
    const openingMinor = opening.get(totals.currency) ?? null
    const closingMinor = closing.get(totals.currency) ?? null
    const isOff =
      openingMinor !== null && closingMinor !== null && openingMinor + totals.changeMinor !== closingMinor
    return { ...totals, openingMinor, closingMinor, isOff }
  }

type Db = With<'db'>['db']

const toldUpTo = async (db: Db, gateway: GatewayName, from: Date, to: Date): Promise<Date | null> => {
  let end = from
  for (const run of await listRunsWithin(db, gateway, from, to)) {
    if (run.period_from > end) break
    const known = run.kind === 'fetch' && run.started_at < run.period_to ? run.started_at : run.period_to
    if (known > end) end = known
  }
  return end > from ? end : null
}

const byTime = (one: Operation, other: Operation): number =>
  one.completed_at.getTime() - other.completed_at.getTime() || (one.id < other.id ? -1 : 1)

/** Only a success moves money; a fee is taken whatever became of the operation. */
const asBooked = (operation: Operation): Operation =>
  operation.status === 'success'
    ? operation
    : { ...operation, booked: { ...operation.booked, minor: 0 }, initial: { ...operation.initial, minor: 0 } }

const arrivingIn = async (
  db: Db,
  gateway: GatewayName,
  moving: readonly Operation[],
  from: Date,
): Promise<Operation[]> => {
  const payouts = moving.filter(({ kind, booked }) => kind === 'payout' && booked.minor <= 0)
  const sources = payouts.flatMap(({ source }) => source ?? [])
  const returned = await listReturned(db, gateway, sources, from)
  return payouts.filter(({ source }) => source === null || !returned.has(source))
}

/**
 * What a gateway booked from the one instant up to the other, held against what the shop knows: an operation counts on
 * its own day, and finds its payment or refund whenever the shop heard of it. Changes nothing.
 */
export const settleMonth = async (
  { db }: With<'db'>,
  gateway: GatewayName,
  from: Date,
  to: Date,
  reported: ReportedBalances = NOTHING_TOLD,
): Promise<Settlement> => {
  const operations = (await listOperationsBetween(db, from, to, gateway)).map(operationOf)
  const paymentIds = new Set(await listPaymentsWithMoney(db, gateway, from, to))
  const moving = operations.filter(({ status }) => status === 'success')
  for (const { paymentId } of moving) if (paymentId !== null) paymentIds.add(paymentId)
  const strays = moving.filter(({ paymentId }) => paymentId === null)
  const match = await matchPayments(db, gateway, [...paymentIds].sort(), strays)
  const isWithin = (at: Date) => at >= from && at < to
  const ofPeriod = ({ completed_at }: Operation) => isWithin(completed_at)
  const strange = match.onlyAtGateway.filter(ofPeriod).sort(byTime)
  const toldAt = async (at: Date) => (gateway === 'gate' ? await balancesAt(db, at) : [])
  const opening = new Map([...(await toldAt(from)), ...reported.opening])
  const closing = new Map([...(await toldAt(to)), ...reported.closing])
  const totals = totalsOf(operations.map(asBooked))
  const still = [...new Set([...opening.keys(), ...closing.keys()])]
    .filter((currency) => !totals.some((one) => one.currency === currency))
    .filter((currency) => opening.get(currency) || closing.get(currency))
  return {
    ...{ gateway, from, to, operations: operations.length },
    currencies: [...totals, ...still.map(noTotals)].map(withBalances(opening, closing)),
    payouts: await arrivingIn(db, gateway, moving, from),
    matched: match.matched.filter(ofPeriod).length,
    onlyAtGateway: strange.filter(({ explanation }) => explanation === null),
    explained: strange.filter(({ explanation }) => explanation !== null),
    onlyInShop: match.onlyInShop
      .filter(({ at }) => isWithin(at))
      .sort((one, other) => one.at.getTime() - other.at.getTime()),
    differing: match.differing
      .filter(({ operation, entry }) => ofPeriod(operation) || isWithin(entry.at))
      .filter(({ operation }) => operation.explanation === null),
    toldUpTo: await toldUpTo(db, gateway, from, to),
  }
}

/** Whether an accountant has anything to ask about it. */
export const hasDifferences = ({ currencies, onlyAtGateway, onlyInShop, differing }: Settlement): boolean =>
  currencies.some(({ isOff }) => isOff) || onlyAtGateway.length + onlyInShop.length + differing.length > 0
