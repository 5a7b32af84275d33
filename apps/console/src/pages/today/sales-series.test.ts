import { expect, test } from 'vitest'
import { seriesOf } from '#pages/today/sales-series.ts'

const line = (key: string, place: number, total: number) => ({
  key,
  name: key || 'Calculator',
  place,
  sold: [total],
  counts: [1],
})
const tonesOf = (lines: ReturnType<typeof line>[]) =>
  seriesOf(lines, 'plan').map(({ name, tone, values }) => `${name} ${tone} ${values[0]}`)

test('a plan has the colour of its place, the calculator its own, whatever else was sold', () => {
  expect(tonesOf([line('Family', 3, 5), line('', 0, 9)])).toEqual(['Calculator 1 9', 'Family 4 5'])
  expect(tonesOf([line('Month', 1, 90), line('Family', 3, 5)])).toEqual(['Month 2 90', 'Family 4 5'])
})

test('those that sold least share one colour, and no two others do', () => {
  const lines = [
    line('a', 1, 50),
    line('b', 2, 40),
    line('c', 3, 1),
    line('d', 4, 2),
    line('e', 5, 30),
    line('f', 6, 20),
  ]
  expect(tonesOf(lines)).toEqual(['a 2 50', 'b 3 40', 'e 4 30', 'f 5 20', 'Other plans rest 3'])
})

test('methods and currencies have theirs', () => {
  const tones = (keys: string[], by: 'method' | 'currency') =>
    seriesOf(
      keys.map((key) => line(key, 0, 1)),
      by,
    ).map(({ name, tone }) => `${name} ${tone}`)
  expect(tones(['blik', 'card'], 'method')).toEqual(['card 1', 'blik 3'])
  expect(tones(['PLN'], 'currency')).toEqual(['PLN 3'])
})
