import { formatRate } from './exchange.ts'
import { monthOf } from './periods.ts'

/** What the rates of the books are of: HMRC's of a month, the European Central Bank's of a day. */
export type BookRateKind = 'sterling' | 'ecb'

/** `day`: the first of its month, where it is of a month. `rateMicro`: in millionths. */
type Rate = { currency: string; day: string; rateMicro: number }

/** Why a rate cannot be set. */
export type RateRefusal =
  /** It may be a slip of the hand: it is more than a tenth away from the last rate, or of the books the one beside. */
  | { code: 'far'; rateMicro: number; from: number; of?: string }
  | { code: 'not-published'; kind: BookRateKind; day: string }
  /** Another one is there. */
  | { code: 'set-before'; kind: BookRateKind; rate: Rate }
  | { code: 'used'; kind: BookRateKind; rate: Rate }

/** '2026-11' or '2026-11-30' */
export const rateWhen = (kind: BookRateKind, day: string): string =>
  kind === 'sterling' ? monthOf(day) : day

const sentence = (kind: BookRateKind, { currency, day, rateMicro }: Rate): string =>
  kind === 'sterling'
    ? `£1 is ${formatRate(rateMicro)} ${currency} in the books of ${monthOf(day)}`
    : `€1 is ${formatRate(rateMicro)} ${currency} on ${day}`

/** A sentence for operators. */
export const rateRefusalText = (refusal: RateRefusal): string => {
  switch (refusal.code) {
    case 'far': {
      const { rateMicro, from, of } = refusal
      const beside = `${of ? 'the rate next to it' : 'the last rate'}, ${formatRate(from)}${of ? ` of ${of}` : ''}`
      return `${formatRate(rateMicro)} is more than a tenth away from ${beside}. If it is meant, say so.`
    }
    case 'not-published':
      return refusal.kind === 'sterling'
        ? `${monthOf(refusal.day)} is more than a month ahead: HMRC has published no rate of it yet.`
        : `${refusal.day} is still to come: the European Central Bank publishes its rate on that day, in the afternoon.`
    case 'set-before':
      return `${sentence(refusal.kind, refusal.rate)} already. If that is a mistake, say that it is replaced.`
    case 'used':
      return `${sentence(refusal.kind, refusal.rate)}, and invoices were written with that: it stays.`
  }
}
