import { expect, test } from 'vitest'
import { dataFileName } from './data-file.ts'

test.each([
  ['Hedgerow', 'hedgerow-data.json'],
  ['Wren & Sons', 'wren-sons-data.json'],
  ['Живая изгородь', 'account-data.json'],
])('the data of a customer of %s come as %s', (brand, name) => {
  expect(dataFileName(brand)).toBe(name)
})
