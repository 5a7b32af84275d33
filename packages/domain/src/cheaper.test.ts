import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cheaperChoice, cheaperPlan } from './cheaper.ts'
import { ETHERNITY, PERIODS, type Plan, periodDays, SHIPPED_PLANS } from './plans.ts'
import { CONNECTIONS, DAYS, FEATURES, type Features, NO_FEATURES, totalMinor } from './pricing.ts'

const choose = (days: number, connections = 3, features: Features = NO_FEATURES) => ({
  days,
  connections,
  features,
})

const plans = fc.array(
  fc.record({
    id: fc.uuid(),
    layerId: fc.constant('a layer'),
    name: fc.constant('Wren'),
    period: fc.constantFrom(...PERIODS),
    connections: fc.integer({ min: 1, max: 20 }),
    priceMinor: fc.integer({ min: 1, max: 60_000 }),
  }),
)
const days = fc.integer({ min: DAYS.min, max: DAYS.max })
const connections = fc.integer({ min: CONNECTIONS.min, max: CONNECTIONS.max })
const daysOf = ({ period }: Plan) => periodDays(period) ?? Number.POSITIVE_INFINITY

describe('the cheaper plan', () => {
  test.each([
    { chosen: choose(30), price: 2400, period: '31 days' },
    { chosen: choose(31, 6), price: 2500, period: '31 days' },
    { chosen: choose(7), price: 650, period: '1 week' },
    { chosen: choose(365), price: 18_000, period: '1 year' },
    { chosen: choose(209, 12), price: undefined, period: undefined },
    { chosen: choose(210, 12), price: 21_000, period: '1 year' },
    { chosen: choose(6), price: undefined, period: undefined },
    { chosen: choose(24), price: undefined, period: undefined },
    { chosen: choose(25), price: 2400, period: '31 days' },
    { chosen: choose(365, 13), price: undefined, period: undefined },
  ])('of the shipped ones for $chosen.days days and $chosen.connections connections: $period', (one) => {
    const found = cheaperPlan(one.chosen, SHIPPED_PLANS)
    expect([found?.priceMinor, found?.period]).toEqual([one.price, one.period])
  })

  test('gives at least as much for less, and none that does is cheaper', () => {
    fc.assert(
      fc.property(days, connections, plans, (someDays, some, onSale) => {
        const choice = choose(someDays, some)
        const gives = (plan: Plan) =>
          daysOf(plan) >= someDays && plan.connections >= some && plan.priceMinor < totalMinor(choice)
        const found = cheaperPlan(choice, onSale)
        expect(found !== undefined).toBe(onSale.some(gives))
        if (!found) return
        expect(gives(found)).toBe(true)
        for (const plan of onSale.filter(gives))
          expect(plan.priceMinor).toBeGreaterThanOrEqual(found.priceMinor)
      }),
    )
  })

  test('is never offered in place of an option, which plans do not have', () => {
    fc.assert(
      fc.property(days, connections, plans, fc.constantFrom(...FEATURES), (some, many, onSale, { key }) => {
        expect(cheaperPlan(choose(some, many, { ...NO_FEATURES, [key]: true }), onSale)).toBeUndefined()
      }),
    )
  })

  test('may be one that never ends', () => {
    const forever: Plan = { ...(SHIPPED_PLANS[0] as Plan), period: ETHERNITY, priceMinor: 100 }
    expect(cheaperPlan(choose(365), [...SHIPPED_PLANS, forever])).toBe(forever)
  })
})

describe('the cheaper choice', () => {
  test('beats none of the shipped plans', () => {
    for (const plan of SHIPPED_PLANS) expect(cheaperChoice(plan)).toBeUndefined()
  })

  test('gives at least what the plan gives, for less', () => {
    fc.assert(
      fc.property(plans, (onSale) => {
        for (const plan of onSale) {
          const choice = cheaperChoice(plan)
          if (!choice) continue
          expect(choice.days).toBe(periodDays(plan.period))
          expect(choice.connections).toBeGreaterThanOrEqual(plan.connections)
          expect(choice.connections).toBeLessThanOrEqual(CONNECTIONS.max)
          expect(totalMinor(choice)).toBeLessThan(plan.priceMinor)
        }
      }),
    )
  })

  test('is there for a week that costs more than seven days', () => {
    const [week] = SHIPPED_PLANS
    expect(cheaperChoice({ ...(week as Plan), priceMinor: 701 })).toEqual(choose(7))
    expect(cheaperChoice({ ...(week as Plan), priceMinor: 700 })).toBeUndefined()
  })
})
