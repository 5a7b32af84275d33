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
    ['05', '400000******0077', '05 (Visa: authenticated: liability for fraud is with the issuer)'],
    ['07', '400000******0077', '07 (Visa: not authenticated: liability for fraud stays with the shop)'],
    ['02', '525200******0004', '02 (Mastercard: authenticated: liability for fraud is with the issuer)'],
    [
      '06',
      '525200******0004',
      '06 (Mastercard: exempt from authentication: liability for fraud stays with the shop)',
    ],
    ['06', '400000******0077', '06 (Visa: authentication attempted: liability for fraud is with the issuer)'],
    ['02', '400000******0077', '02'],
    ['05', '', '05'],
  ])('%s of a card %s is %s', (eci, pan, said) => {
    expect(describeEci(eci, pan)).toBe(said)
  })
})
