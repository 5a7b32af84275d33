import { describe, expect, test } from 'vitest'
import { maskAccount, maskEmail, maskLabel, maskName } from './masked.ts'

describe('what lists show of personal data', () => {
  test.each([
    ['ada@example.org', 'a…@example.org'],
    ['"a@b"@example.org', '"…@example.org'],
    ['@example.org', '…'],
    ['nobody', '…'],
  ])('%s becomes %s', (email, masked) => expect(maskEmail(email)).toBe(masked))

  test.each([
    ['Ada Lovelace', 'A. L.'],
    ['  Ada   King  Lovelace ', 'A. K. L.'],
    ['Åsa', 'Å.'],
    ['', ''],
  ])('the name “%s” becomes “%s”', (name, masked) => expect(maskName(name)).toBe(masked))

  test.each([
    ['Hedgerow 12', 'H. 12'],
    ['Ada’s phone', 'A. p.'],
    ['020 79460000', '020 7.'],
    ['Küche', 'K.'],
  ])('the device “%s” becomes “%s”', (label, masked) => expect(maskLabel(label)).toBe(masked))

  test.each([
    ['DE89 3704 0044 0532 0130 00', 'DE89 … 3000'],
    ['31926819', '… 19'],
    ['60-16-13', '… 13'],
  ])('the account %s becomes %s', (account, masked) => expect(maskAccount(account)).toBe(masked))
})
