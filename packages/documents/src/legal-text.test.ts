import { expect, test } from 'vitest'
import { legalText } from './legal-text.ts'

const TEXT = '# Our terms\n\nWe sell\n**fairly**.\n\n- Be kind\n  to all.\n- Pay.\n'

test.each([
  ['as they are written here', TEXT],
  ['as editors on Windows write them', `\uFEFF${TEXT.replaceAll('\n', '\r\n')}`],
])('terms %s become lines to read anywhere', (_, text) => {
  expect(legalText(text)).toBe('OUR TERMS\n\nWe sell fairly.\n\n- Be kind to all.\n- Pay.\n')
})
