import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf } from './networks.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['', ''],
  ['not an address', 'not an address'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('all addresses of a /64 are one caller, and those of another are not', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  const groups = fc.array(group, { minLength: 4, maxLength: 4 })
  const address = (parts: number[]) => parts.map((part) => part.toString(16)).join(':')
  fc.assert(
    fc.property(groups, groups, groups, groups, (one, other, host, second) => {
      fc.pre(one.slice(0, 3).some((part) => part !== 0) && other.slice(0, 3).some((part) => part !== 0))
      const mine = networkOf(address([...one, ...host]))
      expect(networkOf(address([...one, ...second]))).toBe(mine)
      expect(networkOf(address([...other, ...second])) === mine).toBe(address(one) === address(other))
    }),
  )
})
