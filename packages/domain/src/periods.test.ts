import { describe, expect, test } from 'vitest'
import {
  addMonths,
  daysOfMonth,
  daysOfQuarter,
  instantsOf,
  isDay,
  isMonth,
  isQuarter,
  quarterOf,
} from './periods.ts'

describe('days, months and quarters', () => {
  test.each([
    ['2026-11-21', true],
    ['2028-02-29', true],
    ['2027-02-29', false],
    ['2026-11-31', false],
    ['2026-13-01', false],
    ['2026-1-1', false],
    ['21/11/2026', false],
    ['', false],
  ])('%s is a day: %s', (text, is) => expect(isDay(text)).toBe(is))

  test('a month and a quarter are written in one way', () => {
    expect(['2026-11', '2026-00', '2026-1', '2026'].map(isMonth)).toEqual([true, false, false, false])
    expect(['2026-Q4', '2026-Q5', '2026-4', 'Q4'].map(isQuarter)).toEqual([true, false, false, false])
  })

  test('have their first and last days', () => {
    expect(daysOfMonth('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
    expect(daysOfQuarter('2026-Q4')).toEqual({ from: '2026-10-01', to: '2026-12-31' })
    expect(daysOfQuarter('2027-Q1')).toEqual({ from: '2027-01-01', to: '2027-03-31' })
    expect(['2026-01-01', '2026-06-30', '2026-12-31'].map(quarterOf)).toEqual([
      '2026-Q1',
      '2026-Q2',
      '2026-Q4',
    ])
    expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
  })

  test('begin and end at midnight in London, also where the clocks change between', () => {
    const { begins, ends } = instantsOf({ from: '2026-10-01', to: '2026-10-31' })
    expect(begins.toISOString()).toBe('2026-09-30T23:00:00.000Z')
    expect(ends.toISOString()).toBe('2026-11-01T00:00:00.000Z')
  })
})
