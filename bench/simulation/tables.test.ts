import { expect, test } from 'vitest'
import { figure, markdown, percent, signed, withTable } from './tables.ts'

test('figures have the digits that count, and commas', () => {
  expect([0, 0.0234, 1.55, 14.4, 12_345, Number.NaN].map((one) => figure(one))).toEqual([
    '0',
    '0.02',
    '1.6',
    '14',
    '12,000',
    '–',
  ])
  expect([percent(0.256), signed(-0.256), signed(0.1)]).toEqual(['26 %', '−26 %', '+10 %'])
})

test('a table takes the place of the one behind its title, and of no other', () => {
  const table = markdown(['what', 'how many'], [['a', 1]])
  expect(table).toBe('| what | how many |\n| --- | --: |\n| a | 1 |')
  const text = 'x\n\n<!-- One -->\n\n| old |\n| --- |\n\ny\n\n<!-- Two -->\n\nz\n'
  expect(withTable(text, 'One', table)).toBe(`x\n\n<!-- One -->\n\n${table}\n\ny\n\n<!-- Two -->\n\nz\n`)
  expect(withTable(withTable(text, 'Two', table), 'Two', table)).toContain(`<!-- Two -->\n\n${table}\n\nz\n`)
  expect(() => withTable(text, 'Three', table)).toThrow('no place for the table "Three"')
})
