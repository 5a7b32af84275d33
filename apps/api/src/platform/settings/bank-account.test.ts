import { expect, test } from 'vitest'
import { readAccountPart } from '#platform/settings/bank-account.ts'

test.each([
  ['iban', ' gb33 bukb 2020 1555 5555 55 ', 'GB33BUKB20201555555555'],
  ['iban', 'DE89-3704-0044-0532-0130-00', 'DE89370400440532013000'],
  ['bic', 'bukbgb22', 'BUKBGB22'],
  ['sort-code', '00-11-22', '001122'],
  ['account-number', '0011 2233', '00112233'],
] as const)('the %s %j is read as %s', (part, typed, plain) => {
  expect(readAccountPart(part, typed)).toBe(plain)
})

test.each([
  ['iban', ''],
  // Its check digits are right by chance; the country's accounts are longer.
  ['iban', 'GB33BUKB2020155555555'],
  ['iban', 'GB34BUKB20201555555555'],
  ['iban', `DE89${'0'.repeat(1_000)}`],
  ['bic', 'BUKBGB2'],
  ['sort-code', '00-11-2'],
  ['account-number', '1234567'],
  ['account-number', '١٢٣٤٥٦٧٨'],
] as const)('the %s %j is refused', (part, typed) => {
  expect(readAccountPart(part, typed)).toBeUndefined()
})
