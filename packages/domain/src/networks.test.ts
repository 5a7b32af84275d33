import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPublicAddress, networkOf, networksAround } from './networks.ts'

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

const group = fc.integer({ min: 0, max: 0xffff })
const anAddress6 = fc.array(group, { minLength: 8, maxLength: 8 })
const write6 = (groups: readonly number[]) => groups.map((part) => part.toString(16)).join(':')

test.each([
  ['203.0.113.7', ['203.0.113.7/32', '203.0.113.0/24', '203.0.0.0/16']],
  ['::ffff:203.0.113.7', ['203.0.113.7/32', '203.0.113.0/24', '203.0.0.0/16']],
  [
    '2001:db8:1:2ff:3:4:5:6',
    ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48', '2001:db8::/32', '2001:db8::/29'],
  ],
  ['not an address', ['not an address']],
])('%s is counted in %j', (address, networks) => {
  expect(networksAround(address).map(({ network }) => network)).toEqual(networks)
})

test('each network around an address is larger than the one before, and may do more', () => {
  fc.assert(
    fc.property(fc.oneof(anAddress6.map(write6), fc.ipV4()), (address) => {
      const times = networksAround(address).map((one) => one.times)
      expect(times[0]).toBe(1)
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
    }),
  )
})

test('addresses share a network if they share its first bits, and then all the larger ones', () => {
  fc.assert(
    fc.property(anAddress6, anAddress6, fc.integer({ min: 0, max: 8 }), (one, other, same) => {
      const near = [...one.slice(0, same), ...other.slice(same)]
      const shared = networksAround(write6(one)).map(
        ({ network }, i) => network === networksAround(write6(near))[i]?.network,
      )
      expect(shared).toEqual(shared.toSorted((a, b) => Number(a) - Number(b)))
      if (same >= 4) expect(shared[0]).toBe(true)
      if (same >= 3) expect(shared[2]).toBe(true)
      if (same >= 2) expect(shared[3]).toBe(true)
    }),
  )
})

test.each([
  ['203.0.114.7', true],
  ['2606:4700::1', true],
  ['192.168.1.1', false],
  ['172.16.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['::127.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['2001::1', false],
  ['fec0::1', false],
  ['example.com', false],
])('whether %s is an address of the internet: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})
