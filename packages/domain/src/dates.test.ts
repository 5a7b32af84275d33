import { expect, test } from 'vitest'
import { daysAfter, formatDate, formatDateTime } from './dates.ts'

test.each([
  ['2026-11-21T14:05:00Z', '21/11/2026 14:05'],
  ['2026-07-01T23:30:00Z', '02/07/2026 00:30'],
  ['2026-01-01T00:00:00Z', '01/01/2026 00:00'],
])('%s is shown in London’s time as %s', (instant, text) => {
  expect(formatDateTime(new Date(instant))).toBe(text)
  expect(formatDate(new Date(instant))).toBe(text.split(' ')[0])
})

test('days have 24 hours, also where the clocks change', () => {
  expect(daysAfter(new Date('2026-10-24T12:00:00Z'), 2).toISOString()).toBe('2026-10-26T12:00:00.000Z')
})
