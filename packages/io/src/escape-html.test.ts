import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeHtml } from './escape-html.ts'

const read = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test('leaves no sign that means something in HTML, and loses nothing', () => {
  expect(escapeHtml(`<a href="x">Ann & 'Sons'</a>`)).toBe(
    '&lt;a href=&quot;x&quot;&gt;Ann &amp; &#39;Sons&#39;&lt;/a&gt;',
  )
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", 'amp;', '#39;', 'a', 'é') }),
      (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']/)
        expect(read(escapeHtml(text))).toBe(text)
      },
    ),
  )
})
