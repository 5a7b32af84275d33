import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bacsText, sepaText } from '#partners/payout-files/payout-text.ts'

/** Every character of every script there is, and what is none. */
const anyText = fc.string({ unit: 'binary', maxLength: 200 })

describe('names in payout files', () => {
  test.each([
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Jürgen Groß', 'Jurgen Gross'],
    ['Ærø Ångström', 'Aero Angstrom'],
    ['Ελένη', 'Eleni'],
    ['Иван Грозный', 'Ivan Groznyy'],
    ['Müller & Söhne GmbH', 'Muller Sohne GmbH'],
    ['O’Brien', "O'Brien"],
    ['/Ada//Lovelace/', 'Ada/Lovelace'],
    ['=HYPERLINK("x")', 'HYPERLINK( x )'],
    ['  - Ada\n Lovelace ', 'Ada Lovelace'],
    ['…', ''],
  ])('%s is %s in a SEPA file', (name, written) => expect(sepaText(name, 70)).toBe(written))

  test.each([
    ["Siobhán O'Brien-Murphy", 'Siobhan OBrien-Mur'],
    ['Smith & Sons Ltd.', 'Smith & Sons Ltd.'],
    ['A (B), C: D', 'A B C D'],
    ['…', ''],
  ])('%s is %s in a list for Bacs', (name, written) => expect(bacsText(name, 18)).toBe(written))

  test('are within the character set and the length, whatever was typed', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 140 }), (text, longest) => {
        const sepa = sepaText(text, longest)
        expect(sepa).toMatch(/^(?:[A-Za-z0-9(](?:[A-Za-z0-9/?:().,'+ -]*[A-Za-z0-9?:().,'+-])?)?$/)
        expect(sepa).not.toMatch(/\/\/| {2}/)
        expect(sepa.length).toBeLessThanOrEqual(longest)
        const bacs = bacsText(text, longest)
        expect(bacs).toMatch(/^(?:[A-Za-z0-9](?:[A-Za-z0-9.&/ -]*[A-Za-z0-9.&-])?)?$/)
        expect(bacs.length).toBeLessThanOrEqual(longest)
      }),
      { numRuns: 2000 },
    )
  })
})
