import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readExceptions, sift } from './exceptions.ts'

const fileOf = (text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-exceptions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'exceptions.json'), text)
  return join(folder, 'exceptions.json')
}

const EXCEPTIONS = [
  { checker: 'eslint', where: 'a-rule src/*', reason: 'because' },
  { checker: 'eslint', where: 'other src/a.ts', reason: 'because' },
  { checker: 'vnu', where: '*', reason: 'because' },
]

test('what is excepted is counted, what is not is reported, and what nothing needs any more is named', () => {
  const findings = ['a-rule src/a.ts', 'a-rule src/b.ts', 'a-rule lib/a.ts', 'another src/a.ts'].map(
    (where) => ({
      where,
      what: 'found',
    }),
  )
  const { found, excepted, stale } = sift('eslint', findings, EXCEPTIONS)
  expect(found.map(({ where }) => where)).toEqual(['a-rule lib/a.ts', 'another src/a.ts'])
  expect(excepted).toBe(2)
  expect(stale.map(({ where }) => where)).toEqual(['other src/a.ts'])
})

test('an exception without a reason, or for nothing, is refused in one line', () => {
  const read =
    (...entries: object[]) =>
    () =>
      readExceptions(fileOf(JSON.stringify(entries)), ['eslint', 'vnu'])
  expect(read(...EXCEPTIONS)()).toEqual(EXCEPTIONS)
  expect(read({ checker: 'eslint', where: 'a', reason: ' ' })).toThrow(
    /entry 1 needs checker, where and reason$/,
  )
  expect(read({ checker: 'nobody', where: 'a', reason: 'b' })).toThrow(/entry 1: there is no checker nobody$/)
})
