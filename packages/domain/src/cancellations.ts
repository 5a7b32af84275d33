import { DAY_MS, dayAfter } from './dates.ts'
import { BLIK_CURRENCY } from './exchange.ts'
import { proportion } from './proportion.ts'
import type { Purchase, Window } from './renewals.ts'

/** A purchase can be cancelled within so many days after the day on which it was paid (Consumer Contracts Regulations 2013, reg. 30; Directive 2011/83/EU, art. 9). */
export const CANCELLATION_DAYS = 14

/** So many times 24 hours after it was paid no purchase can be cancelled any more, whichever London day it was paid on. */
export const SETTLED_AFTER_DAYS = CANCELLATION_DAYS + 2

/** What never ends counts as bought for so long: three years. A plan's price for ever is about 2.6 times that of a year. */
export const FOR_EVER_DAYS = 1095

/** What someone says who cancels; in the EU's word for it, too. */
export const declarationTo = (seller: string): string =>
  `To ${seller}: I withdraw from this contract; I cancel it.`

type WayBack = { currency: string; isByHand: boolean; isCrypto?: true | undefined }

/** Which way the money comes back, and how long that takes. `isByHand`: the operator sends it. */
export const describeWayBack = ({ currency, isByHand, isCrypto }: WayBack): string => {
  if (isCrypto)
    return 'Within 14 days we email you a link, where you say which wallet it goes to. You get bitcoin worth this sum on the day we send it.'
  if (isByHand)
    return 'Open Banking cannot send it back automatically, so we send it ourselves to the account you paid from, within 14 days.'
  if (currency === BLIK_CURRENCY)
    return 'It goes back in złoty, by Blik, to the account you paid from. That can take up to ten working days.'
  return 'It goes back to the card you paid with. Your bank can take up to ten working days to show it.'
}

/** The last moment of the last day, in London. */
const endAfterDays = (from: Date, days: number): Date => new Date(dayAfter(from, days + 1).getTime() - 1)

export const cancellableUntil = (paidAt: Date): Date => endAfterDays(paidAt, CANCELLATION_DAYS)

/** Money goes back within so many days after a cancellation arrived, or a refund was agreed (Consumer Contracts Regulations 2013, reg. 34; Directive 2011/83/EU, art. 13). */
export const REFUND_DAYS = 14

/** By when it has to be sent. */
export const refundDueBy = (since: Date): Date => endAfterDays(since, REFUND_DAYS)

/** Of the time that was bought, what was used, in milliseconds. */
export type Use = { used: number; bought: number }

/** What was used of one purchase by then, which has this window in its connection. */
export const useOf = ({ days }: Pick<Purchase, 'days'>, { start, end }: Window, at: Date): Use => {
  const bought = (days ?? FOR_EVER_DAYS) * DAY_MS
  const used = Math.min(end, at.getTime()) - start
  return { used: Math.min(bought, Math.max(0, used)), bought }
}

export const sumOfUse = (uses: readonly Use[]): Use =>
  uses.reduce((sum, { used, bought }) => ({ used: sum.used + used, bought: sum.bought + bought }), {
    used: 0,
    bought: 0,
  })

/** What goes back of a payment: what was charged, less what its use is worth, less what was given back before. */
export const refundFor = (chargedMinor: number, givenBackMinor: number, { used, bought }: Use): number =>
  Math.max(0, chargedMinor - proportion(chargedMinor, used, bought) - givenBackMinor)
