import { expect, test } from 'vitest'
import { maskedEmail } from './email-changes.ts'

test.each([
  ['ada@example.org', 'a…@e….org'],
  ['a@b.co.uk', 'a…@b….uk'],
  ['ada.lovelace+shop@mail.example.museum', 'a…@m….museum'],
])('%s is shown as %s', (email, masked) => {
  expect(maskedEmail(email)).toBe(masked)
})
