import { type BankCredit, type MatchedPayouts, matchPayouts } from '@hedgerow/domain/bank-payouts'
import type { Settlement } from '#accounting/settlement/settle.ts'

/** What the gateway sent in a currency, and what the bank received; minor units. */
export type BankTotal = { currency: string; sentMinor: number; receivedMinor: number }

const sentBy = ({ payouts }: Settlement): Map<string, number> => {
  const sent = new Map<string, number>()
  for (const { booked } of payouts) sent.set(booked.currency, (sent.get(booked.currency) ?? 0) - booked.minor)
  return sent
}

/** By totals that the operator names, of each currency that has either. */
export const compareTotals = (settlement: Settlement, received: ReadonlyMap<string, number>): BankTotal[] => {
  const sent = sentBy(settlement)
  return [...new Set([...sent.keys(), ...received.keys()])].sort().map((currency) => ({
    currency,
    sentMinor: sent.get(currency) ?? 0,
    receivedMinor: received.get(currency) ?? 0,
  }))
}

/** By a statement: payout by payout. `text`: what the gateway's credits have in their description. */
export const compareStatement = (
  { payouts }: Settlement,
  credits: readonly BankCredit[],
  text: string | undefined,
): MatchedPayouts & { strange: BankCredit[] } => {
  const matched = matchPayouts(
    payouts.map(({ id, booked, completed_at }) => ({
      ...{ id, minor: -booked.minor, currency: booked.currency, at: completed_at },
    })),
    credits,
  )
  const wanted = text?.toLowerCase()
  const strange =
    wanted === undefined
      ? []
      : matched.others.filter(({ description }) => description.toLowerCase().includes(wanted))
  return { ...matched, strange }
}

/** What a bank's totals, or its statement, say of the payouts; undefined where the operator named none. */
export type Bank = {
  totals: BankTotal[] | undefined
  statement: ReturnType<typeof compareStatement> | undefined
}
