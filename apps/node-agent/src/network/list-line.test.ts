import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { namesInLine } from '#network/list-line.ts'

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/)
const name = fc.tuple(label, label, fc.constantFrom('com', 'co', 'xn--p1ai')).map((parts) => parts.join('.'))
const blank = fc.constantFrom('', ' ', '\t')
const writings: readonly ((name: string) => string)[] = [
  (it) => it,
  (it) => `0.0.0.0 ${it}`,
  (it) => `127.0.0.1\t${it} # a comment`,
  (it) => `::1 ${it}`,
  (it) => `||${it}^`,
  (it) => `*.${it}`,
  (it) => `${it}.`,
  (it) => it.toUpperCase(),
]

describe('A line of a filter list', () => {
  test('names the same in every way of writing it, with blanks and line ends around', () => {
    fc.assert(
      fc.property(
        name,
        fc.constantFrom(...writings),
        blank,
        fc.constantFrom('', '\r'),
        (it, write, before, end) => {
          expect(namesInLine(`${before}${write(it)}${end}`)).toEqual([it])
        },
      ),
    )
  })

  test('never gives more than names that are safe in a zone, whatever it says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (line) => {
        for (const it of namesInLine(line) ?? []) expect(it).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/)
      }),
    )
  })

  test.each([
    '',
    '  ',
    '# all of it',
    '! adblock',
    '[Adblock Plus 2.0]',
    '127.0.0.1 localhost',
    '0.0.0.0 0.0.0.0',
  ])('has no name in %j, and nothing wrong', (line) => {
    expect(namesInLine(line)).toEqual([])
  })

  test.each([
    '<html>',
    'two words',
    '||ads.example^$third-party',
    '/banner/*',
    'com',
    '10.0.0.1',
    'a..b.com',
    '-x.com',
    `${'a'.repeat(64)}.com`,
    'a;b.com',
  ])('is bad: %j', (line) => {
    expect(namesInLine(line)).toBeUndefined()
  })

  test('turns other alphabets into punycode, and takes several names behind an address', () => {
    expect(namesInLine('Bücher.example')).toEqual(['xn--bcher-kva.example'])
    expect(namesInLine('0.0.0.0 a.example b.example')).toEqual(['a.example', 'b.example'])
  })
})
