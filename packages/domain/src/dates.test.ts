import { expect, test } from 'vitest'
import { daysAfter, formatDate, formatDateTime, formatUkTime, londonPeriods } from './dates.ts'

test.each([
  ['2026-11-21T14:05:00Z', '21/11/2026 14:05'],
  ['2026-07-01T23:30:00Z', '02/07/2026 00:30'],
  ['2026-01-01T00:00:00Z', '01/01/2026 00:00'],
])('%s is shown in London’s time as %s', (instant, text) => {
  expect(formatDateTime(new Date(instant))).toBe(text)
  expect(formatDate(new Date(instant))).toBe(text.split(' ')[0])
  expect(formatUkTime(new Date(instant))).toBe(`${text} (UK time)`)
})

test('days have 24 hours, also where the clocks change', () => {
  expect(daysAfter(new Date('2026-10-24T12:00:00Z'), 2).toISOString()).toBe('2026-10-26T12:00:00.000Z')
})

test.each([
  // A Saturday in winter.
  [
    '2026-11-21T14:05:00Z',
    '2026-11-21T00:00:00.000Z',
    '2026-11-16T00:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
  ],
  // Half past midnight of a Wednesday and of a month in summer, by London's clock.
  [
    '2026-06-30T23:30:00Z',
    '2026-06-30T23:00:00.000Z',
    '2026-06-28T23:00:00.000Z',
    '2026-06-30T23:00:00.000Z',
  ],
  // Just before it.
  [
    '2026-06-30T22:59:59Z',
    '2026-06-29T23:00:00.000Z',
    '2026-06-28T23:00:00.000Z',
    '2026-05-31T23:00:00.000Z',
  ],
  // The Sunday on which the clocks go back, and the Monday after it.
  [
    '2026-10-25T12:00:00Z',
    '2026-10-24T23:00:00.000Z',
    '2026-10-18T23:00:00.000Z',
    '2026-09-30T23:00:00.000Z',
  ],
  [
    '2026-10-26T00:00:00Z',
    '2026-10-26T00:00:00.000Z',
    '2026-10-26T00:00:00.000Z',
    '2026-09-30T23:00:00.000Z',
  ],
  // The Sunday on which they go forward.
  [
    '2026-03-29T12:00:00Z',
    '2026-03-29T00:00:00.000Z',
    '2026-03-23T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
  ],
])('at %s the day, the week and the month began in London', (now, today, week, month) => {
  const { today: day, ...others } = londonPeriods(new Date(now))
  expect([day, others.week, others.month].map((at) => at.toISOString())).toEqual([today, week, month])
})
