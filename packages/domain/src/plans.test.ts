import { describe, expect, test } from 'vitest'
import { perDayMinor, periodDays, periodLabel, SHIPPED_LAYERS, SHIPPED_PLANS } from './plans.ts'
import { NO_FEATURES, totalMinor } from './pricing.ts'

describe('a period', () => {
  test.each([
    ['1 week', 7],
    ['31 days', 31],
    ['1 year', 365],
  ])('%s lasts %i days and is shown as it is called', (period, days) => {
    expect(periodDays(period)).toBe(days)
    expect(periodLabel(period)).toBe(period)
  })

  test.each(['Ethernity', 'forever', '', '2 years', '1 Week', 'constructor', '__proto__'])(
    'of any other value, %j, never ends and is shown as Ethernity',
    (period) => {
      expect(periodDays(period)).toBeNull()
      expect(periodLabel(period)).toBe('Ethernity')
    },
  )
})

describe('the price of a day', () => {
  test('counts a started penny whole', () => {
    expect(perDayMinor(700, '1 week')).toBe(100)
    expect(perDayMinor(701, '1 week')).toBe(101)
  })

  test('is not known where there is no last day', () => {
    expect(perDayMinor(49_000, 'Ethernity')).toBeUndefined()
  })
})

describe('the shipped plans', () => {
  const ending = SHIPPED_PLANS.filter(({ period }) => periodDays(period) !== null)

  test('have ids of their own, and each layer has plans', () => {
    const ids = [...SHIPPED_LAYERS, ...SHIPPED_PLANS].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id } of SHIPPED_LAYERS)
      expect(SHIPPED_PLANS.filter(({ layerId }) => layerId === id).length).toBeGreaterThanOrEqual(3)
  })

  test.each(ending)('$name for $period costs less than the same by the calculator', (plan) => {
    const days = periodDays(plan.period) ?? 0
    const { connections } = plan
    expect(plan.priceMinor).toBeLessThan(totalMinor({ days, connections, features: NO_FEATURES }))
  })

  test('cost less a day the longer they last', () => {
    for (const layer of SHIPPED_LAYERS) {
      const days = ending
        .filter(({ layerId }) => layerId === layer.id)
        .map(({ priceMinor, period }) => perDayMinor(priceMinor, period) ?? 0)
      expect(days).toEqual([...days].sort((a, b) => b - a))
    }
  })
})
