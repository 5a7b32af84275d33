import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawObfuscation, obfuscationFault, typesOf } from './obfuscation.ts'

/** Any way of drawing: the least, the most, and all between. */
const draws = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
const drawnBy = (stream: Iterator<number>) =>
  drawObfuscation((least, most) => least + Math.floor((stream.next().value as number) * (most - least + 1)))

test('whatever is drawn keeps to the rules, and fits the packets of a network with 1,280 bytes', () => {
  fc.assert(
    fc.property(draws, (stream) => {
      const drawn = drawnBy(stream)
      expect(obfuscationFault(drawn)).toBeUndefined()
      expect(drawn.s1 + 148).not.toBe(drawn.s2 + 92)
      expect(Math.max(drawn.s1 + 148, drawn.s2 + 92)).toBeLessThan(1_280 - 48)
      for (const range of [drawn.h1, drawn.h2, drawn.h3, drawn.h4])
        expect(typesOf(range)?.to).toBeLessThan(2 ** 31)
    }),
  )
})

test('two nodes get other parameters', () => {
  const draw = (least: number, most: number) => least + Math.floor(Math.random() * (most - least + 1))
  expect(drawObfuscation(draw)).not.toEqual(drawObfuscation(draw))
})

const GOOD = {
  version: 2,
  s1: 52,
  s2: 71,
  s3: 12,
  s4: 16,
  h1: '1000-1999',
  h2: '2000-2000',
  h3: '4294967295-4294967295',
  h4: '5-6',
} as const

test('takes the ends of what is allowed', () => {
  expect(obfuscationFault(GOOD)).toBeUndefined()
})

test.each([
  ['S1 is a number from 15 to 150.', { s1: 14 }],
  ['S2 is a number from 15 to 150.', { s2: 1.5 }],
  ['S3 is a number from 8 to 55.', { s3: 56 }],
  ['S4 is a number from 4 to 27.', { s4: 0 }],
  ['S2 is 56 more than S1: the first two messages would be of one length.', { s1: 20, s2: 76 }],
  ['H1 to H4 are ranges x-y of numbers from 5 to 4294967295.', { h1: '4-9' }],
  ['H1 to H4 are ranges x-y of numbers from 5 to 4294967295.', { h2: '4294967290-4294967296' }],
  ['H1 to H4 are ranges x-y of numbers from 5 to 4294967295.', { h3: '30-20' }],
  ['H1 to H4 are ranges x-y of numbers from 5 to 4294967295.', { h4: '77' }],
  ['The ranges H1 to H4 overlap.', { h4: '1999-2000' }],
])('says %s', (fault, wrong) => {
  expect(obfuscationFault({ ...GOOD, ...wrong })).toBe(fault)
})
