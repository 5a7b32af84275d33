import { expect, test } from 'vitest'
import { readDay, readMoment, shownDay, shownMoment } from '#lib/typed-days.ts'

test.each([
  ['21/11/2026', '2026-11-21'],
  [' 1/2/2026 ', '2026-02-01'],
  ['2026-11-21', '2026-11-21'],
  // Months of other countries' order are no months.
  ['11/21/2026', undefined],
  ['31/02/2026', undefined],
  ['21/11/26', '2026-11-21'],
  ['21/11/6', undefined],
  ['21/11/126', undefined],
  ['', undefined],
])('%s is read as the day %s', (typed, day) => {
  expect(readDay(typed)).toBe(day)
})

test.each([
  ['21/11/2026 14:05', '2026-11-21T14:05'],
  ['1/2/2026, 9:05', '2026-02-01T09:05'],
  ['2026-11-21T14:05', '2026-11-21T14:05'],
  ['21/11/2026', undefined],
  ['21/11/2026 24:00', undefined],
])('%s is read as the moment %s', (typed, moment) => {
  expect(readMoment(typed)).toBe(moment)
})

test('both are shown day first', () => {
  expect([shownDay('2026-11-21'), shownDay(''), shownMoment('2026-11-21T14:05'), shownMoment('')]).toEqual([
    '21/11/2026',
    '',
    '21/11/2026 14:05',
    '',
  ])
})
