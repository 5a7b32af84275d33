import { expect, test } from 'vitest'
import { isActive, isSoonOver, KEEPALIVE_SECONDS, QR } from './connections.ts'
import { daysAfter } from './dates.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

test.each([
  ['that never ends', null, true],
  ['that ends in a millisecond', new Date(now.getTime() + 1), true],
  ['that ends this very moment', now, true],
  ['that ended a millisecond ago', new Date(now.getTime() - 1), false],
])('a connection %s is active or not', (_, expiresAt, isStillActive) => {
  expect(isActive(expiresAt, now)).toBe(isStillActive)
})

test('configurations keep alive every 15 seconds, and QR codes have 250 pixels with medium correction', () => {
  expect([KEEPALIVE_SECONDS, QR.size, QR.level]).toEqual([15, 250, 'M'])
})

test.each([
  ['a day', 1, 0.2],
  ['a week', 7, 1.4],
  ['a month', 30, 6],
  ['a year', 365, 7],
])('what was bought for %s is soon over in its last fifth, and for a week at most', (_, bought, last) => {
  expect(isSoonOver(daysAfter(now, last - 0.01), bought, now)).toBe(true)
  expect(isSoonOver(daysAfter(now, last + 0.01), bought, now)).toBe(false)
})
