import { expect, test } from 'vitest'
import { lastUsed, seenFrom } from '#features/security/seen-from.ts'

const NOW = new Date('2026-11-22T12:00:00Z')

test.each([
  ['2026-11-22T12:05:00Z', 'within the last hour'],
  ['2026-11-22T11:00:01Z', 'within the last hour'],
  ['2026-11-22T11:00:00Z', '1 hour ago'],
  ['2026-11-21T12:00:01Z', '23 hours ago'],
  ['2026-11-21T12:00:00Z', '1 day ago'],
  ['2026-11-15T11:00:00Z', '7 days ago'],
  ['2026-11-14T11:00:00Z', 'on 14/11/2026'],
])('a session that was used at %s was used %s', (at, words) => {
  expect(lastUsed(new Date(at), NOW)).toBe(words)
})

test('what the server does not know of a caller is not made up', () => {
  expect(seenFrom({ browser: null, network: null })).toBe('Unknown browser')
  expect(seenFrom({ browser: 'Firefox on Android', network: '203.0.113.0/24' })).toBe(
    'Firefox on Android, network 203.0.113.0/24',
  )
})
