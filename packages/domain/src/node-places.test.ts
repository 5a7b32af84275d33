import { describe, expect, test } from 'vitest'
import { endpointFault, exitFault, ipv4PoolFault, ipv6PoolFault, poolsFault } from './node-places.ts'

describe('an endpoint', () => {
  test.each(['vpn.example.org:51820', 'vpn-1:1', '192.0.2.7:65535', '[2001:db8::7]:51820', '[::1]:51820'])(
    '%s is one',
    (text) => expect(endpointFault(text)).toBeUndefined(),
  )

  test.each([
    '',
    'vpn.example.org',
    'vpn.example.org:',
    'vpn_1.example.org:51820',
    '-vpn:51820',
    'vpn..org:51820',
    '300.0.2.7:51820',
    '192.0.2:51820',
    '192.0.2.07:51820',
    '2001:db8::7:51820',
    '[192.0.2.7]:51820',
    '[fe80::1%eth0]:51820',
    '[2001:db8::7]',
    'https://vpn.example.org:51820',
    `${'a.'.repeat(127)}org:51820`,
  ])('%s is none', (text) => expect(endpointFault(text)).toMatch(/^It is written like/))

  test.each(['vpn:0', 'vpn:65536', 'vpn:99999'])('%s has no such port', (text) =>
    expect(endpointFault(text)).toBe('A port is a number from 1 to 65535.'),
  )
})

describe('an IPv4 pool', () => {
  test.each(['10.0.0.0/8', '10.80.0.0/16', '192.168.1.8/29', '100.64.0.0/10'])('%s is one', (text) =>
    expect(ipv4PoolFault(text)).toBeUndefined(),
  )

  test.each(['', '10.80.0.0', '10.80.0/16', '10.80.0.0/33x', '10.80.0.0/016', 'fd80::/64', '256.0.0.0/8'])(
    '%s is none',
    (text) => expect(ipv4PoolFault(text)).toMatch(/^An IPv4 pool is written like/),
  )

  test.each(['10.0.0.0/7', '10.0.0.0/30', '10.0.0.1/32', '10.0.0.0/99'])(
    '%s is too wide or too narrow',
    (text) => expect(ipv4PoolFault(text)).toBe('An IPv4 pool is a /8 to a /29.'),
  )

  test.each(['0.0.0.0/8', '127.0.0.0/16', '224.0.0.0/8', '255.0.0.0/8'])('%s is for no customer', (text) =>
    expect(ipv4PoolFault(text)).toBe('Nobody can have addresses from there.'),
  )

  test.each([
    ['10.80.0.1/16', '10.80.0.0/16'],
    ['10.80.5.0/12', '10.80.0.0/12'],
    ['10.95.5.13/12', '10.80.0.0/12'],
    ['192.168.1.9/29', '192.168.1.8/29'],
  ])('of %s it says that %s is meant', (text, network) =>
    expect(ipv4PoolFault(text)).toBe(`It has bits set after its prefix; the network is written ${network}.`),
  )
})

describe('an IPv6 pool', () => {
  test.each(['fd80::/64', 'fd80:1:2:3::/64', '2001:db8::/32', 'FD80::8/125', 'fd80:0:0:0:0:0:0:0/64'])(
    '%s is one',
    (text) => expect(ipv6PoolFault(text)).toBeUndefined(),
  )

  test.each([
    '',
    'fd80::',
    'fd80::/129',
    'fd80:::/64',
    '10.80.0.0/16',
    'fd80::%eth0/64',
    '::ffff:10.0.0.0/104',
  ])('%s is none', (text) => expect(ipv6PoolFault(text)).toMatch(/^An IPv6 pool is written like/))

  test.each(['::/8', '::1/128', 'fe80::/64', 'ff02::/64'])('%s is for no customer', (text) =>
    expect(ipv6PoolFault(text)).toBe('Nobody can have addresses from there.'),
  )

  test.each([
    ['fd80::1/64', 'fd80::/64'],
    ['fd80:1:2:3:4::/62', 'fd80:1:2::/62'],
  ])('of %s it says that %s is meant', (text, network) =>
    expect(ipv6PoolFault(text)).toBe(`It has bits set after its prefix; the network is written ${network}.`),
  )
})

describe('the two pools', () => {
  test('have room for as many', () => {
    expect(poolsFault('10.80.0.0/16', 'fd80::/112')).toBeUndefined()
    expect(poolsFault('10.80.0.0/16', 'fd80::/64')).toBeUndefined()
    expect(poolsFault('10.80.0.0/16', 'fd80::/113')).toBe(
      'The IPv6 pool is smaller than the IPv4 pool 10.80.0.0/16: it has to be a /112 or wider.',
    )
  })
})

test.each([
  ['192.0.2.7', true],
  ['2001:db8::7', true],
  ['vpn.example.org', false],
  ['192.0.2.0/24', false],
  ['192.0.2.7:51820', false],
  ['fe80::1%eth0', false],
])('whether %s is an exit of a node: %s', (text, isOne) => {
  expect(exitFault(text) === undefined).toBe(isOne)
})
