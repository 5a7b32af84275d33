import { formatUkTime } from './dates.ts'
import { type CurrencyCode, formatMoney } from './money.ts'
import type { WithdrawalStatus } from './withdrawals.ts'

type Ended = { status: WithdrawalStatus; endedAt: Date | null }

/** Why a withdrawal is not ended. */
export type WithdrawalRefusal =
  | { code: 'owes'; owingMinor: number; amountMinor: number; currency: CurrencyCode }
  | { code: 'in-batch'; batch: string }
  | { code: 'not-in-that-batch' }
  | ({ code: 'ended' } & Ended)
  | ({ code: 'ended-in-other-words'; kept: string | null } & Ended)

const endedText = ({ status, endedAt }: Ended) =>
  `it was already ${status}${endedAt ? ` on ${formatUkTime(endedAt)}` : ''}`

const reasonOf = (refusal: WithdrawalRefusal): string => {
  switch (refusal.code) {
    case 'owes': {
      const { owingMinor, amountMinor, currency } = refusal
      const share = owingMinor >= amountMinor ? ': as much as this withdrawal, or more' : ''
      return `the partner owes ${formatMoney(owingMinor, currency)} back because of refunds, which the partner account does not cover${share}. To have that taken from the money first, refuse the withdrawal`
    }
    case 'in-batch':
      return `it stands in file ${refusal.batch}, which the bank may pay. Once you know that it does not, take it out`
    case 'not-in-that-batch':
      return 'it does not stand in that file any more'
    case 'ended':
      return endedText(refusal)
    case 'ended-in-other-words': {
      const kept = refusal.kept ? `the recorded one is “${refusal.kept}”` : 'none is recorded'
      return `${endedText(refusal)}. Your ${refusal.status === 'paid' ? 'reference' : 'reason'} was not recorded; ${kept}`
    }
  }
}

/** A sentence for operators. */
export const withdrawalRefusalText = (refusal: WithdrawalRefusal): string =>
  `Nothing was done: ${reasonOf(refusal)}.`
