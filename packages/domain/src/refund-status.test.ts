import { expect, test } from 'vitest'
import { canTransitionRefund, REFUND_STATUSES } from './refund-status.ts'

/** Every pair, in other words than the code's. */
const ALLOWED = ['Pending Success', 'Pending Decline', 'Decline Success']

test.each(REFUND_STATUSES.flatMap((from) => REFUND_STATUSES.map((to) => [from, to] as const)))(
  'a refund from %s to %s',
  (from, to) => {
    expect(canTransitionRefund(from, to)).toBe(ALLOWED.includes(`${from} ${to}`))
  },
)
