import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { hasPdfTools, readPdf } from '@hedgerow/testing/documents'
import { create, type Font } from 'fontkit'
import { describe, expect, test } from 'vitest'
import { COMMON_LETTERS } from './common-letters.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { PAYMENT } from './testing/payment-facts.ts'
import { newLayout } from './words.ts'

const madeOut = (name: string) =>
  invoicePdf({
    kind: 'invoice',
    issuer: DEFAULT_BRAND,
    made: new Date('2026-11-21T14:05:00Z'),
    payment: { ...PAYMENT, cardHolder: name },
    number: '2026-000007',
    issued: '21/11/2026 14:06',
    details: '30 days, 3 connections, Priority bandwidth',
    net: '£37.64',
    vat: '£7.53',
    vatRate: 20,
    customer: { name, address: ['Łódź'] },
    supply: { treatment: 'uk' },
  })

/** Of common letters, of others, of one (ű) that is put together from a common one, and of two that look alike. */
const NAMES = [
  'Ada Lovelace',
  'Иван Щёголев',
  'Erdős Űrhajó',
  'Μαρία Ωμέγα',
  'Ω\u2126µμ',
  'Mac an tSaoi, difficult',
  'Ngọc Ẹniọlá Ụdị ṣṃṅḿǹ',
  'Işık ı ị i',
  'محمد بن عبد الله',
  'שרה כהן לוי',
  'अदिति क्षत्रिय ज्ञानेश्वर',
  'রহিমা বেগম',
  'தமிழ் செல்வி',
  'สมชาย ใจดี',
  'Արմեն Սարգսյան',
  'გიორგი',
  '東京 太郎 さくら',
  '王小明 张伟',
  '김민준',
]

describe.skipIf(!hasPdfTools)('documents that are made one after another', () => {
  test.each([...NAMES, ...NAMES.toReversed()])('can all be read back: %s', async (name) => {
    const { text, isClean, areFontsWhole } = await readPdf(await madeOut(name))
    expect(text.split(name).length).toBe(3)
    expect(text).toContain('Łódź')
    expect({ isClean, areFontsWhole }).toEqual({ isClean: true, areFontsWhole: true })
  })
})

test('what was made before changes no byte of a document', async () => {
  const before = []
  for (const name of NAMES) before.push(await madeOut(name))
  const after = []
  for (const name of NAMES.toReversed()) after.unshift(await madeOut(name))
  expect(after).toEqual(before)
})

test('a receipt stays small enough to be mailed', async () => {
  expect((await madeOut('Ada Lovelace')).length).toBeLessThan(50_000)
})

const TEXTS = [
  'AVATAR To Yorick, Tolstoy Wałęsa “Vaux” L’Été',
  'difficult office, fjord affix baffle',
  '€1,234.56 400000******0077 2026-000007 21/11/2026 14:05',
  'Straße 7½, ÅSE ŻÓŁĆ Ðagur ÿ',
  'a\tb  c ',
  'Łódź Иван ﬁ Ǻ',
  '',
]

test.each(['400Regular/NotoSans_400Regular', '600SemiBold/NotoSans_600SemiBold'])(
  'letters of %s are laid out pair by pair as they are in whole words',
  (file) => {
    const bytes = readFileSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${file}.ttf`)))
    const byPairs = newLayout(create(bytes) as Font, COMMON_LETTERS.text)
    const byWords = newLayout(create(bytes) as Font, [])
    for (const text of TEXTS) {
      const [ours, whole] = [byPairs(text), byWords(text)]
      expect(ours.glyphs.map(({ id, codePoints }) => [id, codePoints])).toEqual(
        whole.glyphs.map(({ id, codePoints }) => [id, codePoints]),
      )
      expect(ours.positions).toEqual(whole.positions)
      expect(ours.advanceWidth).toBeCloseTo(whole.advanceWidth, 6)
    }
  },
)
