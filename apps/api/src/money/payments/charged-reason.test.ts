import { expect, test } from 'vitest'
import { chargedReason } from '#money/payments/charged-reason.ts'

const reason = (received_minor: number | null, received_currency: string | null, gate_status = 'success') =>
  chargedReason({
    ...{ method: 'blik', gate_status, received_minor, received_currency },
    ...{ charged_minor: 12_754, charged_currency: 'PLN' },
  })

test('money of another sum is named in the currency in which it came, beside what was asked for in its own', () => {
  expect(reason(3000, 'EUR')).toBe(
    '€30.00 arrived instead of 127.54 PLN. It bought nothing, and goes back the way it came.',
  )
  expect(reason(4800, 'JPY')).toMatch(/^4800 JPY arrived instead of 127\.54 PLN\./)
})

test('a part of unknown size is named without a sum, and what ended without money not at all', () => {
  expect(reason(null, null, 'partially paid')).toMatch(/^Only part of the amount arrived\./)
  expect(reason(null, null, 'decline')).toBeUndefined()
})
