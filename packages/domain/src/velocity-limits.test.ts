import { describe, expect, test } from 'vitest'
import { issuerOf, VELOCITY_KINDS, VELOCITY_LIMITS, velocityCountsOf } from './velocity-limits.ts'

const attempt = { method: 'card', orderId: 'o', customerId: 'c', address: '203.0.113.7' } as const
const pan = '4000000000000077'

test('the issuer of a card is known by its first six digits', () => {
  expect(issuerOf(pan)).toBe('400000')
})

/** The address, and the larger networks around it. */
const NETWORKS = [1, 4, 32]

const limitsTimes = (scale: number) =>
  (['order', 'account', 'network', 'issuer'] as const).flatMap((kind) =>
    (kind === 'network' ? NETWORKS : [1]).map((times) => ({
      kind,
      most: Math.ceil(VELOCITY_LIMITS[kind].most * scale * times),
      minutes: VELOCITY_LIMITS[kind].minutes,
    })),
  )

describe('an attempt to pay', () => {
  test('by a card counts for order, account, network and issuer', () => {
    const counts = velocityCountsOf({ ...attempt, pan }, 1)
    expect(counts.map(({ kind, most, minutes }) => ({ kind, most, minutes }))).toEqual(limitsTimes(1))
    expect(counts.some(({ name }) => name.includes(pan))).toBe(false)
  })

  test('on the gateway’s page counts for all but the issuer, which is not known yet', () => {
    expect(velocityCountsOf(attempt, 1).map(({ kind }) => kind)).toEqual([
      'order',
      'account',
      'network',
      'network',
      'network',
    ])
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
    for (const scale of [0.01, 2])
      expect(
        velocityCountsOf({ ...attempt, pan }, scale).map(({ kind, most, minutes }) => ({
          kind,
          most,
          minutes,
        })),
      ).toEqual(limitsTimes(scale))
  })
})

test('three mistyped cards stop no one', () => {
  for (const kind of VELOCITY_KINDS) expect(VELOCITY_LIMITS[kind].most).toBeGreaterThan(3)
})
