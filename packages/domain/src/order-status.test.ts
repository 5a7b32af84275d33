import { expect, test } from 'vitest'
import { canTransitionOrder, ORDER_STATUSES } from './order-status.ts'

const ALLOWED = ['New → Completed', 'New → Rejected', 'Rejected → Completed']
const pairs = ORDER_STATUSES.flatMap((from) => ORDER_STATUSES.map((to) => [from, to] as const))

test.each(pairs.map(([from, to]) => [from, to, ALLOWED.includes(`${from} → ${to}`)] as const))(
  'an order from %s to %s: %s',
  (from, to, allowed) => {
    expect(canTransitionOrder(from, to)).toBe(allowed)
  },
)
