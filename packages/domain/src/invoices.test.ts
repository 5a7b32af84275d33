import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AMOUNT_WITH_CURRENCY,
  invoiceNumber,
  maskCardNumbers,
  maskTypedPan,
  parseInvoiceNumber,
  shownTimestamp,
} from './invoices.ts'

test('a number names its year and has six digits', () => {
  expect(invoiceNumber(2026, 7)).toBe('2026-000007')
  expect(invoiceNumber(2026, 1_234_567)).toBe('2026-1234567')
})

test('an invoice’s number is read as it is printed, or without its year', () => {
  expect(parseInvoiceNumber('2026-000007')).toEqual({ year: 2026, number: 7 })
  expect(parseInvoiceNumber(invoiceNumber(2026, 1_234_567))).toEqual({ year: 2026, number: 1_234_567 })
  expect(parseInvoiceNumber(' 120 ')).toEqual({ number: 120 })
  for (const typed of ['', '0', '2026-0', '-1', '1.5', '1e3', '26-7', '2026-', '12345678'])
    expect(parseInvoiceNumber(typed), typed).toBeUndefined()
})

describe('a card number that was typed', () => {
  test.each([
    ['4111111111111111', '411111******1111'],
    ['4111 1111 1111 1111', '411111******1111'],
    ['4111-1111-1111-1111', '411111******1111'],
    ['4111–1111–1111–1111', '411111******1111'],
    ['４１１１１１１１１１１１１１１１', '411111******1111'],
    ['Visa 4111111111111111', 'Visa41**********1111'],
    ['41111111****1111', '411111******1111'],
    ['411111******1111', '411111******1111'],
    ['•••• 1111', '•••• 1111'],
  ])('%s is shown as %s', (typed, masked) => {
    expect(maskTypedPan(typed)).toBe(masked)
  })

  test('never shows more than ten digits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'0123456789 -./•*٣x')).map((parts) => parts.join('')),
        (typed) => {
          expect(maskTypedPan(typed).match(/\p{Nd}/gu)?.length ?? 0).toBeLessThanOrEqual(10)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

test.each([
  ['Ada 4111 1111 1111 1111, thanks', 'Ada 411111******1111, thanks'],
  ['4314220000000056 and 4111-1111-1111-1111', '431422******0056 and 411111******1111'],
  ['4111 1111 1111 1111 12/28 739', '411111******1111 12/28 ***'],
  ['12/29 4111  1111  1111  1111', '12/29 411111******1111'],
  ['4111111111111111/4314220000000056', '411111******1111/431422******0056'],
  ['My CVV is not 12/28, the cvc: 739', 'My CVV is not 12/28, the cvc: ***'],
  ['security code 7391', 'security code ***'],
  ['Order 2026000001234', 'Order 2026000001234'],
  ['Phone +44 20 7946 0000', 'Phone +44 20 7946 0000'],
])('in %j card numbers alone are masked', (text, masked) => {
  expect(maskCardNumbers(text)).toBe(masked)
})

test.each([
  ['2026-11-21T14:05:00Z', '21/11/2026 14:05 (UK time)'],
  ['2026-11-21T14:05:00.123Z', '21/11/2026 14:05 (UK time)'],
  // London is an hour ahead in summer.
  ['2026-07-01T23:30:00Z', '02/07/2026 00:30 (UK time)'],
  ['2026-11-21T14:05:00+02:00', '21/11/2026 12:05 (UK time)'],
  ['2026-11-21T14:05', '21/11/2026 14:05'],
  ['2026-11-21 14:05:30', '21/11/2026 14:05'],
  ['2026-07-01T23:30', '01/07/2026 23:30'],
  ['21/11/2026 14:05', '21/11/2026 14:05'],
  ['21/11/2026, 14:05', '21/11/2026 14:05'],
  ['21/11/2026 14:05 (UK time)', '21/11/2026 14:05 (UK time)'],
  ['2026-11-21', '21/11/2026'],
])('%s is shown as %s', (typed, shown) => {
  expect(shownTimestamp(typed)).toBe(shown)
})

test.each([
  '',
  'yesterday',
  '2026-13-01T00:00:00Z',
  '2026-02-30T10:00',
  '2026-02-30T10:00:00Z',
  '2026-11-31T10:00+01:00',
  '31/02/2026 10:00',
  '2026-11-21T25:00',
])('no time can be read from "%s"', (typed) => {
  expect(shownTimestamp(typed)).toBeUndefined()
})

test.each(['€45.17', '£45.17', '£ 1,045.17', '45.17 €', '45,17€', 'EUR 45.17', '45.17 PLN'])(
  '%s is a sum with its currency',
  (total) => {
    expect(total).toMatch(AMOUNT_WITH_CURRENCY)
  },
)

test.each(['', '45.17', '€', 'EUR', '€€5', 'a lot', '45.17 eur'])('"%s" is not', (total) => {
  expect(total).not.toMatch(AMOUNT_WITH_CURRENCY)
})
