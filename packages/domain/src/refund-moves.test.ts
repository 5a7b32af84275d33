import { expect, test } from 'vitest'
import { canMoveRefund, REFUND_STATUSES } from './refund-moves.ts'

/** Every pair, in other words than the code's. */
const ALLOWED = ['Pending Success', 'Pending Decline', 'Decline Success']

test.each(REFUND_STATUSES.flatMap((from) => REFUND_STATUSES.map((to) => [from, to] as const)))(
  'a refund from %s to %s',
  (from, to) => {
    expect(canMoveRefund(from, to)).toBe(ALLOWED.includes(`${from} ${to}`))
  },
)
