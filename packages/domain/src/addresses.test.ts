import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressesAt, haveCommonAddresses, lastPosition, NODE_POSITION } from './addresses.ts'

const POOL = { ipv4: '10.64.0.0/12', ipv6: 'fd64:6865:6467::/64' }

const network = new BlockList()
network.addSubnet('10.64.0.0', 12, 'ipv4')
network.addSubnet('fd64:6865:6467::', 64, 'ipv6')

/** The address as Node itself writes it. */
const canonical = (address: string) => new SocketAddress({ address, family: 'ipv6' }).address

const position = (pool = POOL) => fc.integer({ min: NODE_POSITION, max: lastPosition(pool) })

describe('the addresses at a position', () => {
  test('are addresses inside the networks of the pool', () => {
    fc.assert(
      fc.property(position(), (at) => {
        const { ipv4, ipv6 } = addressesAt(POOL, at)
        expect([isIPv4(ipv4), isIPv6(ipv6)]).toEqual([true, true])
        expect([network.check(ipv4, 'ipv4'), network.check(ipv6, 'ipv6')]).toEqual([true, true])
      }),
      { numRuns: 1000 },
    )
  })

  test('are others at another position', () => {
    fc.assert(
      fc.property(position(), position(), (a, b) => {
        fc.pre(a !== b)
        const [left, right] = [addressesAt(POOL, a), addressesAt(POOL, b)]
        expect(left.ipv4).not.toBe(right.ipv4)
        expect(left.ipv6).not.toBe(right.ipv6)
      }),
    )
  })

  test('are distinct all through a small pool', () => {
    const pool = { ipv4: '10.0.0.0/22', ipv6: 'fd00::/64' }
    const all = Array.from({ length: lastPosition(pool) }, (_, i) => addressesAt(pool, i + 1))
    expect(new Set(all.map(({ ipv4 }) => ipv4)).size).toBe(1022)
    expect(new Set(all.map(({ ipv6 }) => ipv6)).size).toBe(1022)
  })

  test('are written as RFC 5952 has it, in any network', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
    // Never ::/96, whose addresses Node writes with an IPv4 address at their end.
    const first = fc.integer({ min: 1, max: 0xffff })
    fc.assert(
      fc.property(fc.tuple(first, group, group, group), position(), (groups, at) => {
        const ipv6 = `${groups.map((each) => each.toString(16)).join(':')}::/64`
        const text = addressesAt({ ...POOL, ipv6 }, at).ipv6
        expect(isIPv6(text)).toBe(true)
        expect(text).toBe(canonical(text))
      }),
      { numRuns: 1000 },
    )
  })

  test('of the first position are the node’s own', () => {
    expect(addressesAt(POOL, NODE_POSITION)).toEqual({ ipv4: '10.64.0.1', ipv6: 'fd64:6865:6467::1' })
  })

  test('end before the broadcast address', () => {
    expect(addressesAt(POOL, lastPosition(POOL)).ipv4).toBe('10.79.255.254')
  })

  test.each([0, -1, 1.5, Number.NaN, lastPosition(POOL) + 1])('do not exist at %s', (at) => {
    expect(() => addressesAt(POOL, at)).toThrow(RangeError)
  })
})

test.each([
  ['10.0.0.0/16', '10.0.3.0/24', true],
  ['10.0.3.0/24', '10.0.0.0/16', true],
  ['10.0.0.0/16', '10.0.3.1', true],
  ['10.0.0.0/16', '10.1.0.0/16', false],
  ['fd00::/64', 'fd00::5', true],
  ['fd00::/64', 'fd00:0:0:1::/64', false],
  ['10.0.0.0/8', 'fd00::/8', false],
])('%s and %s have addresses in common: %s', (a, b, expected) => {
  expect(haveCommonAddresses(a, b)).toBe(expected)
})
