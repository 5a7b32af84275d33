import fc from 'fast-check'
import { Secret } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { minutesOff, newTotpSecret, stepOf, uriOf } from '#people/second-step/totp.ts'
import { codeOf } from '#testing/second-step.ts'

/** RFC 6238, appendix B, for SHA-1: the last six of its eight digits. */
const RFC_SECRET = Secret.fromUTF8('12345678901234567890').base32
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

const STEP_MS = 30_000

const base32 = (bytes: Uint8Array): string => new Secret({ buffer: new Uint8Array(bytes).buffer }).base32

describe('a code of the app', () => {
  test.each(VECTORS)('at %i s is %s, as the standard has it', (seconds, code) => {
    expect(stepOf(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
  })

  test.each(VECTORS)(
    'of %i s is taken from one step before it to one after, and no longer',
    (seconds, code) => {
      const step = Math.floor(seconds / 30)
      const [first, last] = [(step - 1) * STEP_MS, (step + 2) * STEP_MS - 1]
      expect(stepOf(RFC_SECRET, code, Math.max(first, 0))).toBe(step)
      expect(stepOf(RFC_SECRET, code, last)).toBe(step)
      expect(stepOf(RFC_SECRET, code, last + 1)).toBeUndefined()
      if (first > 0) expect(stepOf(RFC_SECRET, code, first - 1)).toBeUndefined()
    },
  )

  test('is taken from the step before its own to the one after, for any secret at any time', () => {
    const secrets = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => base32(bytes))
    const times = fc.integer({ min: 600_000, max: 4_000_000_000_000 })
    fc.assert(
      fc.property(secrets, times, fc.integer({ min: -19, max: 19 }), (secret, now, delta) => {
        const step = stepOf(secret, codeOf(secret, delta, now), now)
        // Another step near may have the same six digits, once in tens of thousands.
        const isSame = [-1, 0, 1].some((near) => codeOf(secret, near, now) === codeOf(secret, delta, now))
        expect(step !== undefined).toBe(isSame)
        if (Math.abs(delta) <= 1 && step !== undefined)
          expect(Math.abs(step - Math.floor(now / STEP_MS))).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('of another secret is none', () => {
    // Three of a million are right by chance: of ten, more than one is a fault.
    const taken = Array.from({ length: 10 }, () =>
      stepOf(newTotpSecret(), codeOf(newTotpSecret()), Date.now()),
    )
    expect(taken.filter((step) => step !== undefined).length).toBeLessThan(2)
  })
})

test.each([
  [2, 1],
  [4, 2],
  [-7, -4],
  [20, 10],
  [-20, -10],
  [21, undefined],
  [-21, undefined],
])('a code %i steps off is of a clock that is %s minutes ahead', (steps, minutes) => {
  const now = 1_800_000_015_000
  expect(minutesOff(RFC_SECRET, codeOf(RFC_SECRET, steps, now), now)).toBe(minutes)
})

test('a secret has 160 bits, and is given to the app with the shop and the address', () => {
  const secret = newTotpSecret()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(uriOf(secret, 'Hedgerow', 'ada+vpn@example.org'))
  expect(uri.href).toMatch(/^otpauth:\/\/totp\/Hedgerow:ada%2Bvpn%40example\.org\?/)
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Hedgerow',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
