import { expect, test } from 'vitest'
import { isPrintable } from './printable.ts'

test.each([
  ['Ngọc Ẹniọlá', true],
  ['Жанна O’Brien-Łoś, 12/3', true],
  ['محمد علی‌رضا', true],
  ['अदिति', true],
  ['東京 さくら', true],
  ['김민준', true],
  ['Ada 👩', false],
  ['ཀརྨ', false],
  ['ကို', false],
])('an invoice can show %s: %s', (text, expected) => {
  expect(isPrintable(text)).toBe(expected)
})
