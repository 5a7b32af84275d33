import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COUNTRY_CODES, countryInText, countryName, isCountry } from './countries.ts'
import { timeZonePlace } from './time-zone-places.ts'
import { taxPlaceOf, vatOfSale } from './vat.ts'
import { judgePlace } from './vat-evidence.ts'
import { readVatNumber, takesVatNumber, VAT_MESSAGES } from './vat-numbers.ts'
import { EU_COUNTRIES } from './vat-rates.ts'

/** One of each country, by its prefix. */
const NUMBERS: Readonly<Record<string, string>> = {
  AT: 'ATU12345678',
  BE: 'BE0123456789',
  BG: 'BG123456789',
  CY: 'CY12345678L',
  CZ: 'CZ12345678',
  DE: 'DE123456789',
  DK: 'DK12345678',
  EE: 'EE123456789',
  ES: 'ESX1234567X',
  FI: 'FI12345678',
  FR: 'FRXX123456789',
  GR: 'EL123456789',
  HR: 'HR12345678901',
  HU: 'HU12345678',
  IE: 'IE1234567WA',
  IT: 'IT12345678901',
  LT: 'LT123456789012',
  LU: 'LU12345678',
  LV: 'LV12345678901',
  MT: 'MT12345678',
  NL: 'NL123456789B01',
  PL: 'PL1234567890',
  PT: 'PT123456789',
  RO: 'RO12',
  SE: 'SE123456789001',
  SI: 'SI12345678',
  SK: 'SK1234567890',
}

describe('countries', () => {
  test('are 249 of ISO 3166, Kosovo and four regions, each once and with a name', () => {
    expect(COUNTRY_CODES).toHaveLength(254)
    expect(new Set(COUNTRY_CODES).size).toBe(254)
    for (const code of COUNTRY_CODES) expect(countryName(code)).not.toBe(code)
    expect(COUNTRY_CODES).toEqual([...COUNTRY_CODES].sort())
  })

  test('are those of the EU, and of a clock', () => {
    for (const code of EU_COUNTRIES) expect(isCountry(code)).toBe(true)
    expect(isCountry(timeZonePlace('Europe/Kyiv')?.country)).toBe(true)
  })

  test.each(['XX', 'T1', 'EU', 'UK', 'EL', 'de', '', ' DE', undefined, null, 7, ['DE'], '__proto__'])(
    'are not %j',
    (country) => expect(isCountry(country)).toBe(false),
  )

  test('have their article within a sentence', () => {
    expect(['DE', 'NL', 'GB', 'CZ'].map(countryInText)).toEqual([
      'Germany',
      'the Netherlands',
      'the United Kingdom',
      'Czechia',
    ])
  })
})

describe('a VAT number', () => {
  test('is known in the form of every country, with its prefix and without', () => {
    expect(Object.keys(NUMBERS).sort()).toEqual([...EU_COUNTRIES].sort())
    for (const [country, number] of Object.entries(NUMBERS)) {
      const read = { prefix: number.slice(0, 2), rest: number.slice(2) }
      expect(readVatNumber(number, country)).toEqual(read)
      expect(readVatNumber(number.slice(2), country)).toEqual(read)
      expect(readVatNumber(` ${number.toLowerCase().split('').join(' ')}`.slice(0, 30), country)).toEqual(
        read,
      )
    }
  })

  test('of one country differs from those of all others', () => {
    for (const [country, number] of Object.entries(NUMBERS))
      for (const other of EU_COUNTRIES.filter((one) => one !== country))
        expect(readVatNumber(number, other)).toEqual({ fault: VAT_MESSAGES.numberOfOther(country, other) })
  })

  test('is only for customers in the EU, its regions and Monaco', () => {
    expect(COUNTRY_CODES.filter(takesVatNumber).sort()).toEqual([...EU_COUNTRIES, 'MC', 'QM', 'QZ'].sort())
    expect(readVatNumber('GB123456789', 'GB')).toEqual({ fault: VAT_MESSAGES.numberOutside })
  })

  test('that is read again is the same; whatever is typed is a number or a fault', () => {
    const typed = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.stringMatching(/^[A-Z]{0,2}[0-9A-Z+*]{2,13}$/),
      fc.constantFrom(...Object.values(NUMBERS)),
    )
    void fc.assert(
      fc.property(typed, fc.constantFrom(...EU_COUNTRIES), (text, country) => {
        const read = readVatNumber(text, country)
        if ('fault' in read) {
          expect(read.fault).not.toBe('')
          return
        }
        expect(read.prefix + read.rest).toMatch(/^[A-Z]{2}[0-9A-Z+*]{2,12}$/)
        expect(readVatNumber(read.prefix + read.rest, country)).toEqual(read)
      }),
    )
  })
})

describe('the tax of a place', () => {
  test.each([
    ['MC', 'FR'],
    ['IM', 'GB'],
    ['QM', 'PT'],
    ['QZ', 'PT'],
    ['IC', 'IC'],
    ['DE', 'DE'],
    ['AX', 'AX'],
    ['constructor', 'constructor'],
  ])('of %s is that of %s', (country, place) => expect(taxPlaceOf(country)).toBe(place))

  test('is owed once: a business in Monaco is one in France', () => {
    expect(vatOfSale({ country: 'MC', numberStanding: 'valid' }, '2026-11-23')).toEqual({
      treatment: 'reverse-charge',
      country: 'FR',
      rate: 0,
    })
  })

  test.each([
    ['QM', null, 'oss', 'PT', 22],
    ['QZ', null, 'oss', 'PT', 16],
    ['PT', null, 'oss', 'PT', 23],
    ['QM', 'valid', 'reverse-charge', 'PT', 0],
    ['IC', null, 'outside', 'IC', 0],
    ['EA', null, 'outside', 'EA', 0],
  ] as const)(
    'of %s with a number %s is %s of %s at %d',
    (chosen, numberStanding, treatment, country, rate) => {
      expect(vatOfSale({ country: chosen, numberStanding }, '2026-11-27')).toEqual({
        treatment,
        country,
        rate,
      })
    },
  )

  test.each([
    ['IC', 'ES', 'ES', 'single'],
    ['IC', 'ES', 'DE', 'contradicts'],
    ['QM', 'PT', null, 'agrees'],
    ['DE', null, null, 'single'],
    ['DE', 'DE', null, 'agrees'],
    ['DE', null, 'DE', 'agrees'],
    ['DE', 'DE', 'US', 'agrees'],
    ['DE', 'PL', 'DE', 'agrees'],
    ['DE', 'PL', 'PL', 'contradicts'],
    ['DE', 'PL', null, 'contradicts'],
    ['DE', null, 'US', 'contradicts'],
    ['MC', 'FR', null, 'agrees'],
    ['GB', null, 'IM', 'agrees'],
  ])('chosen %s, bank %s, network %s: %s', (chosen, bank, network, verdict) => {
    expect(judgePlace({ chosen, bank, network })).toBe(verdict)
  })
})

test.each([
  ['GR', 'GR123456789', { prefix: 'EL', rest: '123456789' }],
  ['GR', 'gr 123\u2011456\u00A0789', { prefix: 'EL', rest: '123456789' }],
  ['BE', '123456789', { prefix: 'BE', rest: '0123456789' }],
  ['BE', 'BE 123.456.789', { prefix: 'BE', rest: '0123456789' }],
  ['DE', '\u202ADE\u200B１２３ 456 789', { prefix: 'DE', rest: '123456789' }],
  ['DE', 'GR123456789', { fault: VAT_MESSAGES.numberOfOther('GR', 'DE') }],
  ['DE', 'BE123456789', { fault: VAT_MESSAGES.numberOfOther('BE', 'DE') }],
])('of %s, %s is read as the register has it', (country, typed, read) => {
  expect(readVatNumber(typed, country)).toEqual(read)
})
