import { expect, test } from 'vitest'
import { nameFromEmail } from './names.ts'

test.each([
  ['ada.lovelace@example.org', 'ada lovelace'],
  ['a@example.org', 'Customer'],
  ['_@example.org', 'Customer'],
  ['evil.com@example.org', 'evil com'],
  [`${'ab.'.repeat(60)}c@example.org`, `${'ab '.repeat(34)}`.slice(0, 100).trim()],
])('%s is greeted as %s', (email, name) => {
  expect(nameFromEmail(email)).toBe(name)
})
