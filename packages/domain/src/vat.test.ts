import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitVat } from './vat.ts'

test.each([
  [120, 100, 20],
  [4517, 3764, 753],
  [3000, 2500, 500],
  // A sixth of 3 is exactly a half, which goes up.
  [3, 2, 1],
  [9, 7, 2],
  [2, 2, 0],
  [1, 1, 0],
  [0, 0, 0],
])('%i holds %i net and %i of VAT', (gross, netMinor, vatMinor) => {
  expect(splitVat(gross)).toEqual({ netMinor, vatMinor })
})

test('net and VAT are whole, add up to the price, and the VAT is less than one minor unit off', () => {
  fc.assert(
    fc.property(fc.nat({ max: 100_000_000 }), (gross) => {
      const { netMinor, vatMinor } = splitVat(gross)
      expect(Number.isInteger(vatMinor)).toBe(true)
      expect(netMinor + vatMinor).toBe(gross)
      expect(Math.abs(vatMinor * 6 - gross)).toBeLessThanOrEqual(3)
    }),
  )
})

test('another rate is taken as it is told', () => {
  expect(splitVat(105, 5)).toEqual({ netMinor: 100, vatMinor: 5 })
})
