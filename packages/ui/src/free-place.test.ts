import { expect, test } from 'vitest'
import { freePlace } from '#ui/free-place.ts'

const box = (top: number, bottom: number) => ({ top, bottom, left: 0, right: 300 })
const TOAST = box(680, 728)

test('a box stands at the lower edge, where nothing is in its way', () => {
  expect(freePlace(TOAST, [box(100, 150)], 744)).toBe(16)
})

test('a box stands above the fields that it would cover, in the first gap that takes it', () => {
  const above = freePlace(TOAST, [box(690, 740), box(600, 650), box(400, 450)], 744) ?? 0
  const bottom = 744 - above
  expect(bottom).toBeLessThanOrEqual(600)
  expect(bottom - 48).toBeGreaterThanOrEqual(450)
})

test('what stands beside it is not in its way', () => {
  expect(freePlace(TOAST, [{ ...box(690, 740), left: 300, right: 400 }], 744)).toBe(16)
})

test('where there is no room it has no place', () => {
  expect(freePlace(TOAST, [box(0, 744)], 744)).toBeUndefined()
})
