import { expect, test } from 'vitest'
import { countryInSentence, countryName } from './country-names.ts'
import { EU_COUNTRIES } from './vat-rates.ts'

test('every country of the EU has a name', () => {
  expect(['DE', 'GR', 'CZ'].map(countryName)).toEqual(['Germany', 'Greece', 'Czechia'])
  for (const code of EU_COUNTRIES) expect(countryName(code)).toMatch(/^\p{L}{4,}/u)
})

test('a sentence goes on with it, and a code that is none stays', () => {
  expect(['NL', 'FI', '', 'x1', 'DEU'].map(countryInSentence)).toEqual([
    'the Netherlands',
    'Finland',
    '',
    'x1',
    'DEU',
  ])
})
