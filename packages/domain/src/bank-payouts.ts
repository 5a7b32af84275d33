import { DAY_MS } from './dates.ts'

/** What the gateway says that it has sent to the bank; `minor` is positive. */
export type SentPayout = { id: string; minor: number; currency: string; at: Date }

/** A credit of a bank statement: the beginning of its day in UTC. */
export type BankCredit = { line: number; minor: number; currency: string; day: Date; description: string }

/** A bank's day may have begun before ours; a transfer takes a few working days. */
const ARRIVES_FROM_MS = -DAY_MS
const ARRIVES_WITHIN_MS = 7 * DAY_MS

const isFor = ({ minor, currency, at }: SentPayout, credit: BankCredit): boolean => {
  const after = credit.day.getTime() - at.getTime()
  return (
    credit.minor === minor &&
    credit.currency === currency &&
    after >= ARRIVES_FROM_MS &&
    after <= ARRIVES_WITHIN_MS
  )
}

export type MatchedPayouts = {
  received: { payout: SentPayout; credit: BankCredit }[]
  /** Sent, and not in the statement, though that goes on for long enough. */
  missing: SentPayout[]
  /** Sent so shortly before the statement's end that it may come yet. */
  inTransit: SentPayout[]
  /** Credits that no payout is behind. */
  others: BankCredit[]
}

/** Each payout with the first credit of its sum that came in time, the oldest first. */
export const matchPayouts = (
  payouts: readonly SentPayout[],
  credits: readonly BankCredit[],
): MatchedPayouts => {
  const others = credits.toSorted(
    (one, other) => one.day.getTime() - other.day.getTime() || one.line - other.line,
  )
  const end = others.at(-1)?.day.getTime() ?? 0
  const result: MatchedPayouts = { received: [], missing: [], inTransit: [], others }
  const inOrder = payouts.toSorted(
    (one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1),
  )
  for (const payout of inOrder) {
    const at = others.findIndex((credit) => isFor(payout, credit))
    const [credit] = at < 0 ? [] : others.splice(at, 1)
    if (credit) result.received.push({ payout, credit })
    else (payout.at.getTime() + ARRIVES_WITHIN_MS > end ? result.inTransit : result.missing).push(payout)
  }
  return result
}
