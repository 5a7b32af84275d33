import { refundFor, type Use } from './cancellations.ts'
import { proportion } from './proportion.ts'

/** What an operator gives back most often. Each is at most what is left. */
type RefundPreset = 'all' | 'unused' | 'half'

/**
 * Half is of what was paid, a half penny rounded up; what went back before counts against what was not used. Where nothing
 * was delivered, nothing was used.
 */
export const refundPresets = (
  paidMinor: number,
  leftMinor: number,
  use: Use,
): Record<RefundPreset, number> => ({
  all: leftMinor,
  unused: use.bought === 0 ? leftMinor : refundFor(paidMinor, paidMinor - leftMinor, use),
  half: Math.min(leftMinor, proportion(paidMinor, 1, 2)),
})

/** Why, in the words of who gives it back; for the record, and for no customer. */
export const REFUND_CAUSES = {
  'not-working': 'It did not work',
  'asked-in-time': 'Asked to cancel',
  mistake: 'Bought by mistake',
  'our-mistake': 'Our mistake',
  goodwill: 'Goodwill',
  other: 'Another reason',
} as const
