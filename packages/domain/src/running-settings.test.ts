import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RUNNING_SETTING_NAMES, readRunningSetting } from './running-settings.ts'

describe('a setting that changes while the shop runs', () => {
  test.each([
    ['announcement', ' Maintenance tonight ', 'Maintenance tonight'],
    ['announcement-link', '/products?x=1', '/products?x=1'],
    ['announcement-link', 'https://status.example.org/now', 'https://status.example.org/now'],
    ['partner-hold-days', '0', 0],
    ['partner-minimum-spend', '4.50', 450],
    ['large-refund', '50', 5000],
    ['disguise', ' quic ', 'quic'],
    ['operator-email', ' hello@example.org ', 'hello@example.org'],
    ['statement-descriptor', 'SHOP*VPN', 'SHOP*VPN'],
    ['node-reach-check', 'ipv4', 'ipv4'],
    ['payout-iban', 'GB33 BUKB 2020 1555 5555 55', 'GB33BUKB20201555555555'],
    ['disguise', 'Jc = 4, Jmin = 40, Jmax = 70', 'Jc = 4, Jmin = 40, Jmax = 70'],
  ] as const)('%s is taken as %j', (name, typed, value) => {
    expect(readRunningSetting(name, typed)).toEqual({ value })
  })

  test.each([
    ['announcement', ''],
    ['announcement', 'two\nlines'],
    ['announcement', 'x'.repeat(161)],
    ['announcement-link', '//evil.example'],
    ['announcement-link', '/\\evil.example'],
    ['announcement-link', 'javascript:alert(1)'],
    ['announcement-link', 'http://example.org'],
    ['partner-hold-days', '366'],
    ['partner-hold-days', '-1'],
    ['partner-hold-days', '1.5'],
    ['expired-grace-days', '31'],
    ['large-refund', 'much'],
    ['payout-iban', 'GB33\u0000'],
    ['disguise', 'wolf'],
    ['operator-email', 'Shop <hello@example.org>'],
    ['operator-email', 'a@b.org, c@d.org'],
    ['statement-descriptor', 'VPN'],
    ['node-reach-check', 'ipv6'],
  ] as const)('%s refuses %j', (name, typed) => {
    expect(readRunningSetting(name, typed)).toHaveProperty('fault')
  })

  test('is refused or taken, whatever is typed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RUNNING_SETTING_NAMES), fc.string(), (name, typed) => {
        const read = readRunningSetting(name, typed)
        expect('value' in read !== 'fault' in read).toBe(true)
      }),
    )
  })
})
