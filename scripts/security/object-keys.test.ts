import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openKeysIn, openKeysOf } from './object-keys.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PROGRAMS = ['apps/*/src/*.ts', 'apps/*/src/*.tsx', 'packages/*/src/*.ts']
const TESTING = ['*.test.ts', '*.test.tsx', '*/testing/*', 'packages/testing'].map((path) => `:!${path}`)

test('no program gives an object a key that a caller may have chosen', () => {
  const files = execFileSync('git', ['ls-files', ...PROGRAMS, ...TESTING], { cwd: ROOT, encoding: 'utf8' })
  const sources = files.split('\n').filter(Boolean)
  expect(sources.length).toBeGreaterThan(400)
  expect(sources.flatMap((file) => openKeysOf(ROOT, file))).toEqual([])
})

test.each([
  'given[name] = value',
  'given[name][other] = 1',
  'given.all[key] ??= []',
  'counts[word]++',
  'given[a + b] += 1',
  'for (const key in given) use(key)',
  'given.__proto__ = other',
])('would be found: %s', (code) => {
  expect(openKeysIn(code)).not.toEqual([])
})

test.each([
  'given.set(name, value)',
  'const made = Object.fromEntries([[name, value]])',
  'const made = { [name]: value }',
  'list[i] = 1; list[0] = 2; list[index]++',
  'const one = given[name]',
  'given.name = value',
])('is left alone: %s', (code) => {
  expect(openKeysIn(code)).toEqual([])
})
