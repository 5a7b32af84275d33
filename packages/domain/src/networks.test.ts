import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf } from './networks.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/56'],
  ['2001:db8:1:2::', '2001:db8:1::/56'],
  ['fe80::1%eth0', 'fe80::/56'],
  ['2001:db8:1:ff:3:4:5:6', '2001:db8:1::/56'],
  ['2001:db8:1:100::1', '2001:db8:1:100::/56'],
  ['::1', '::/56'],
  ['', ''],
  ['not an address', 'not an address'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('all addresses of a /56 are one caller, and those of another are not', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  const byte = fc.integer({ min: 0, max: 0xff })
  const site = fc.tuple(fc.integer({ min: 0x2000, max: 0x3fff }), group, group, byte)
  const host = fc.tuple(byte, group, group, group, group)
  const address = ([a, b, c, d]: number[], [e, ...rest]: number[]) =>
    [a, b, c, (d ?? 0) * 256 + (e ?? 0), ...rest].map((part) => (part ?? 0).toString(16)).join(':')
  fc.assert(
    fc.property(site, site, host, host, (one, other, first, second) => {
      expect(networkOf(address(one, second))).toBe(networkOf(address(one, first)))
      const isSame = one.every((part, i) => part === other[i])
      expect(networkOf(address(other, second)) === networkOf(address(one, first))).toBe(isSame)
    }),
  )
})
