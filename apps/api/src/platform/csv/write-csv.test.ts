import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recordText, sheetText } from '#platform/csv/write-csv.ts'

/** As a spreadsheet reads it that takes this for the separator; a quote within a cell is a letter to it. */
const cellsBy = (delimiter: string, text: string): string[][] =>
  parse(text, { bom: true, delimiter, relax_quotes: true, relax_column_count: true })

const CALCULATED = /^\s*[=+\-@＝＋－＠]/
const isCalculated = (cell: string) => CALCULATED.test(cell) && !/^-\d+(\.\d+)?$/.test(cell)

test('a name that goes on as a formula after a semicolon is one cell, and text, in any spreadsheet', () => {
  const file = sheetText([['1', 'Eve;=1+1;', '-5.00']])
  expect(file).toBe('\uFEFF1,"Eve;\'=1+1;\'",-5.00\r\n')
  expect(cellsBy(',', file)).toEqual([['1', "Eve;'=1+1;'", '-5.00']])
})

test('no text is calculated or begins another row, whatever separator is guessed', () => {
  const piece = fc.oneof(
    fc.constantFrom(';', ',', '|', '\t', '"', '=', '+', '-', '@', '\n', '\r', ' ', "'", '1'),
    fc.string(),
  )
  const cell = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(cell, cell, (one, other) => {
      const file = sheetText([
        ['a', one, other],
        [other, 'b'],
      ])
      for (const separator of [',', ';', '|', '\t']) {
        const rows = cellsBy(separator, file)
        expect(rows).toHaveLength(2)
        expect(rows.flat().filter(isCalculated)).toEqual([])
      }
    }),
  )
})

test('what a program reads is as it was, without a mark', () => {
  expect(recordText([['=1', 'a;b', 'c,d', 'two\r\nlines']])).toBe('=1,a;b,"c,d",two  lines\r\n')
})
