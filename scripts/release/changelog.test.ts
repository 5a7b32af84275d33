import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sectionOf, sectionsOf } from './changelog.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

test('the changelog has a section of the version that this is, dated, under what is not released', () => {
  const [unreleased, ...released] = sectionsOf(read('CHANGELOG.md'))
  expect(unreleased).toMatchObject({ name: 'Unreleased', date: undefined })
  expect(released.map(({ name }) => name)).toContain(version)
  for (const { name, date, text } of released) {
    expect(date, name).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(text, name).not.toBe('')
  }
})

test('its versions stand newest first, each once', () => {
  const names = sectionsOf(read('CHANGELOG.md'))
    .slice(1)
    .map(({ name }) => name)
  const inOrder = names.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  expect(names).toEqual([...new Set(inOrder)])
})

test('a section ends where the next begins, and an empty one says nothing', () => {
  const text =
    '# Changelog\n\n## [Unreleased]\n\n## [2.0.0] - 2026-12-01\n\n### Added\n\n- Two.\n\n## [1.0.0] - 2026-11-01\n\n- One.\n'
  expect(sectionOf(text, '2.0.0')).toBe('### Added\n\n- Two.')
  expect(sectionOf(text, '1.0.0')).toBe('- One.')
  expect(sectionOf(text, 'Unreleased')).toBeUndefined()
  expect(sectionOf(text, '3.0.0')).toBeUndefined()
})
