import { beforeEach, expect, test } from 'vitest'
import { keepLooksOf, listLooks, noteLook } from '#lib/looked-at.ts'

beforeEach(() => localStorage.clear())

test('ten are kept, each once, the latest first', () => {
  for (let turn = 0; turn < 12; turn++) noteLook(`/nodes/n${turn}`, `n${turn}`)
  noteLook('/nodes/n5', 'n5')
  expect(listLooks().map(({ label }) => label)).toEqual([
    'n5',
    'n11',
    'n10',
    'n9',
    'n8',
    'n7',
    'n6',
    'n4',
    'n3',
    'n2',
  ])
})

test('no name and no address is kept, whatever a page’s title says', () => {
  noteLook('/customers/1', 'ada@example.org')
  noteLook('/inbox/1', 'Ada Lovelace')
  noteLook('/connections/1', 'Ada’s phone')
  expect(localStorage.getItem('looked at')).not.toMatch(/ada@|Lovelace|phone/)
  expect(listLooks().map(({ label }) => label)).toEqual(['A. p.', 'A. L.', 'a…@example.org'])
})

test('lists, and pages that have not loaded yet, are nothing that was looked at', () => {
  noteLook('/customers', 'Customers')
  noteLook('/customers/1', 'Customer')
  noteLook('/payments/unknown', 'Unknown payments')
  expect(listLooks()).toEqual([])
})

test('another operator in the same browser begins with none, and what is not ours is no fault', () => {
  noteLook('/nodes/a', 'a')
  keepLooksOf('robin')
  expect(listLooks()).toEqual([])
  localStorage.setItem('looked at', '[1')
  expect(listLooks()).toEqual([])
})
