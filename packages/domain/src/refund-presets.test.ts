import { expect, test } from 'vitest'
import { DAY_MS } from './dates.ts'
import { refundPresets } from './refund-presets.ts'

const use = (used: number, bought: number) => ({ used: used * DAY_MS, bought: bought * DAY_MS })

test('all, what was not used, and half of what was paid', () => {
  expect(refundPresets(3000, 3000, use(10, 30))).toEqual({ all: 3000, unused: 2000, half: 1500 })
  expect(refundPresets(3001, 3001, use(0, 30))).toEqual({ all: 3001, unused: 3001, half: 1501 })
})

test('of what was never delivered nothing was used', () => {
  expect(refundPresets(3000, 1000, use(0, 0))).toEqual({ all: 1000, unused: 1000, half: 1000 })
})

test('what went back before is not given back again', () => {
  expect(refundPresets(3000, 1000, use(15, 30))).toEqual({ all: 1000, unused: 0, half: 1000 })
  expect(refundPresets(3000, 0, use(0, 30))).toEqual({ all: 0, unused: 0, half: 0 })
})

test('for any sums: whole pence, none more than is left, and unused and used together what was paid', () => {
  for (let paid = 1; paid < 4000; paid += 37)
    for (const left of [paid, Math.floor(paid / 2), Math.floor(paid / 3), 1, 0])
      for (let used = 0; used <= 31; used += 1) {
        const presets = refundPresets(paid, left, use(used, 31))
        for (const sum of Object.values(presets)) {
          expect(Number.isInteger(sum)).toBe(true)
          expect(sum).toBeGreaterThanOrEqual(0)
          expect(sum).toBeLessThanOrEqual(left)
        }
        const whole = refundPresets(paid, paid, use(used, 31))
        const worth = refundPresets(paid, paid, use(31 - used, 31)).unused
        expect(Math.abs(whole.unused + worth - paid)).toBeLessThanOrEqual(1)
        expect(2 * whole.half - paid).toBe(paid % 2)
      }
})
