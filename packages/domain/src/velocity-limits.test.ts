import { describe, expect, test } from 'vitest'
import { issuerOf, VELOCITY_KINDS, VELOCITY_LIMITS, velocityCountsOf } from './velocity-limits.ts'

const attempt = { method: 'card', orderId: 'o', customerId: 'c', address: '203.0.113.7' } as const
const pan = '4000000000000077'

test('the issuer of a card is known by its first six digits', () => {
  expect(issuerOf(pan)).toBe('400000')
})

describe('an attempt to pay', () => {
  test('by a card counts for order, account, network and issuer', () => {
    const counts = velocityCountsOf({ ...attempt, pan }, 1)
    expect(counts.map(({ kind }) => kind).sort()).toEqual([...VELOCITY_KINDS].sort())
    for (const { kind, most, minutes } of counts) expect({ most, minutes }).toEqual(VELOCITY_LIMITS[kind])
    expect(counts.some(({ name }) => name.includes(pan))).toBe(false)
  })

  test('on the gateway’s page counts for all but the issuer, which is not known yet', () => {
    expect(velocityCountsOf(attempt, 1).map(({ kind }) => kind)).toEqual(['order', 'account', 'network'])
  })

  test('by a bank or Blik counts for order and account, apart from cards', () => {
    const elsewhere = velocityCountsOf({ ...attempt, method: 'blik' }, 1)
    expect(elsewhere.map(({ kind }) => kind)).toEqual(['order', 'account'])
    expect(velocityCountsOf({ ...attempt, method: 'open_banking' }, 1)).toEqual(elsewhere)
    const names = velocityCountsOf(attempt, 1).map(({ name }) => name)
    for (const { name } of elsewhere) expect(names).not.toContain(name)
  })

  test('may be made as often as the scale says', () => {
    expect(velocityCountsOf({ ...attempt, pan }, 0)).toEqual([])
    for (const { kind, most } of velocityCountsOf({ ...attempt, pan }, 0.01))
      expect(most, kind).toBe(Math.ceil(VELOCITY_LIMITS[kind].most / 100))
    for (const { kind, most } of velocityCountsOf({ ...attempt, pan }, 2))
      expect(most, kind).toBe(VELOCITY_LIMITS[kind].most * 2)
  })
})

test('three mistyped cards stop no one', () => {
  for (const kind of VELOCITY_KINDS) expect(VELOCITY_LIMITS[kind].most).toBeGreaterThan(3)
})
