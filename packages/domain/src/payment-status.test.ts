import { describe, expect, test } from 'vitest'
import { canTransitionPayment, isFinal, PAYMENT_STATUSES, paymentStatusFromGate } from './payment-status.ts'

const FINAL = ['Success', 'Decline', 'Error']
const pairs = PAYMENT_STATUSES.flatMap((from) => PAYMENT_STATUSES.map((to) => [from, to] as const))

/** The rule in other words than the code's. */
const isAllowed = (from: string, to: string) => {
  if (from === to || to === 'Pending') return false
  if (from === 'Success') return false
  if (from === 'Decline' || from === 'Error') return to === 'Success'
  return true
}

describe('a payment', () => {
  test.each(pairs.map(([from, to]) => [from, to, isAllowed(from, to)] as const))(
    'from %s to %s: %s',
    (from, to, allowed) => {
      expect(canTransitionPayment(from, to)).toBe(allowed)
    },
  )

  test('has the ten statuses of the specification', () => {
    expect(PAYMENT_STATUSES).toHaveLength(10)
    expect(PAYMENT_STATUSES.filter(isFinal)).toEqual(FINAL)
  })

  test.each([
    ['success', 'Success'],
    ['decline', 'Decline'],
    ['error', 'Error'],
    ['awaiting 3ds result', 'awaiting 3ds result'],
    ['awaiting redirect result', 'awaiting redirect result'],
    ['awaiting customer', 'awaiting redirect result'],
    ['awaiting clarification', 'awaiting clarification'],
    ['awaiting customer action', 'awaiting customer action'],
    ['awaiting merchant auth', 'awaiting merchant auth'],
    ['processing', 'processing'],
    ['awaiting confirmation', 'processing'],
    ['cancelled', 'Decline'],
    ['expired', 'Decline'],
    ['reversed', 'Decline'],
    ['refunded', 'Decline'],
    ['internal error', 'Error'],
    ['external error', 'Error'],
    ['partially paid', 'Error'],
    ['Expired', 'Decline'],
    ['partially refunded', 'processing'],
    ['something new', 'processing'],
    ['constructor', 'processing'],
    ['toString', 'processing'],
    ['__proto__', 'processing'],
  ])('that the gateway calls %s is %s', (word, status) => {
    expect(paymentStatusFromGate(word)).toBe(status)
  })
})
