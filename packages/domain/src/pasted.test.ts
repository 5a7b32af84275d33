import { describe, expect, test } from 'vitest'
import { CARD_HOLDER, plainCode, plainName, withoutGroups } from './pasted.ts'

const UNSEEN = ['\u200B', '\u2060', '\u200F', '\u00AD', '\u202A', '\uFEFF', '\u034F', '\u{E0061}']

describe('a code', () => {
  test.each(UNSEEN)('has nothing unseen in it: %j', (sign) => {
    expect(plainCode(`${sign}HED${sign}GE2${sign}`)).toBe('HEDGE2')
  })

  test('in full-width signs is the plain one', () => {
    expect(plainCode('\u3000ＨＥＤＧＥ２ ')).toBe('HEDGE2')
  })

  test('in groups is one', () => {
    expect(withoutGroups(' 12\u00A034\u201156－７８\t90\u200B')).toBe('1234567890')
  })
})

test('a pile of marks stays as it is: no language has it, and to bring it in order takes long', () => {
  const pile = (marks: number) => `e${'\u0301'.repeat(marks)}`
  expect(plainCode(pile(30)).startsWith('é')).toBe(true)
  expect(plainCode(pile(31))).toBe(pile(31))
})

describe('a name', () => {
  test.each([
    ['a blank that does not break', 'Ada\u00A0Lovelace', 'Ada Lovelace'],
    ['a tab, and blanks around', ' Ada\t Lovelace\n', 'Ada Lovelace'],
    ['letters in pieces', 'Zoe\u0308 Ło\u0301dz\u0301', 'Zoë Łódź'],
    ['signs unseen', '\u202AAda\u200B Love\u00ADlace\u202C', 'Ada Lovelace'],
    ['full-width letters', 'ＡＤＡ　ＬＯＶＥＬＡＣＥ', 'ADA LOVELACE'],
    ['a hyphen that does not break', 'Anne\u2011Marie', 'Anne-Marie'],
    ...["'", '’', '‘', 'ʼ', 'ʻ', '′', '＇', '`', '´'].map((sign) => [
      `the apostrophe ${sign}`,
      `O${sign}Brien`,
      "O'Brien",
    ]),
  ])('with %s is written plainly, and taken', (_, typed, plain) => {
    expect(plainName(typed as string)).toBe(plain)
    expect(CARD_HOLDER.test(plainName(typed as string))).toBe(true)
  })

  test.each(["ADA O'NEIL-SMITH JR.", 'Zoë Łódź', 'X 3', 'Иван Ёлкин', 'Kekuʻi ʻAʻala'])(
    'of the holder %s is taken',
    (holder) => {
      expect(CARD_HOLDER.test(plainName(holder))).toBe(true)
    },
  )

  test.each(['Αδα', '艾达', 'عادا', 'अदा', 'アダ', 'ADA!', 'a@b', '<b>', '', '\u0000', 'A_B', 'Ị\u0329x'])(
    'of the holder %j is refused, as the gateway would',
    (holder) => {
      expect(CARD_HOLDER.test(plainName(holder))).toBe(false)
    },
  )
})
