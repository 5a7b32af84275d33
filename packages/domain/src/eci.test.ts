import { describe, expect, test } from 'vitest'
import { describeEci, readEci } from './eci.ts'

describe('an ECI', () => {
  test.each([
    ['5', '05'],
    ['05', '05'],
    [' 02 ', '02'],
    ['08', undefined],
    ['', undefined],
    ['<b>', undefined],
    [undefined, undefined],
  ])('%j is read as %j', (text, eci) => {
    expect(readEci(text)).toBe(eci)
  })

  test.each([
    ['05', 'Visa', '05 (Visa: authenticated: liability for fraud is with the issuer)'],
    ['07', 'Visa', '07 (Visa: not authenticated: liability for fraud stays with the shop)'],
    ['02', 'Mastercard', '02 (Mastercard: authenticated: liability for fraud is with the issuer)'],
    [
      '06',
      'Mastercard',
      '06 (Mastercard: exempt from authentication: liability for fraud stays with the shop)',
    ],
    ['06', 'Visa', '06 (Visa: authentication attempted: liability for fraud is with the issuer)'],
    ['02', 'Visa', '02'],
    ['05', undefined, '05'],
  ])('%s of a card of %s is %s', (eci, brand, said) => {
    expect(describeEci(eci, brand)).toBe(said)
  })
})
