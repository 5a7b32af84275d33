import { describe, expect, test } from 'vitest'
import {
  endpointFault,
  exitFault,
  ipv4PoolFault,
  ipv6PoolFault,
  isSameEndpoint,
  isSameHost,
  localEndpointFault,
  oldPortsAfter,
  poolsFault,
  portOf,
  withPort,
} from './node-places.ts'

describe('an endpoint', () => {
  test.each([
    'vpn.example.org:51820',
    'vpn-1:1',
    '192.0.2.7:65535',
    '[2001:db8::7]:51820',
    '[::1]:51820',
    'vpn:5353',
  ])('%s is one', (text) => expect(endpointFault(text)).toBeUndefined())

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

test.each([53, 80, 9465])('an endpoint is not on port %i, which is the agent’s', (port) =>
  expect(endpointFault(`vpn.example.org:${port}`)).toBe(
    `The agent itself uses port ${port}. Choose another port, like 51820.`,
  ),
)

test.each([
  [51820, [], 443, [51820]],
  [443, [51820], 1194, [51820, 443]],
  [443, [51820], 443, [51820]],
  [443, [51820], 51820, [443]],
  [5, [1, 2, 3, 4], 6, undefined],
  [5, [1, 2, 3, 4], 2, [1, 3, 4, 5]],
])('a node on port %i that serves %j too, and goes to %i, serves %j then', (port, oldPorts, next, after) =>
  expect(oldPortsAfter({ port, oldPorts }, next)).toEqual(after),
)

test.each([
  ['vpn.example.org:51820', 'vpn.example.org:443'],
  ['[2001:db8::7]:51820', '[2001:db8::7]:443'],
])('%s on port 443 is %s', (endpoint, other) => {
  expect(withPort(endpoint, 443)).toBe(other)
  expect(isSameHost(endpoint, other)).toBe(true)
})

describe('an endpoint that customers', () => {
  test.each([
    'localhost:51820',
    'vpn.LOCALHOST:51820',
    '127.0.0.1:51820',
    '0.0.0.0:51820',
    '10.1.2.3:51820',
    '172.31.0.1:51820',
    '192.168.1.9:51820',
    '100.64.0.1:51820',
    '169.254.1.1:51820',
    '224.0.0.1:51820',
    '255.255.255.255:51820',
    '[::]:51820',
    '[::1]:51820',
    '[fe80::1]:51820',
    '[fd00::1]:51820',
    '[ff02::1]:51820',
    '[::ffff:a00:1]:51820',
  ])('cannot reach: %s', (text) => expect(localEndpointFault(text)).toMatch(/^Customers cannot reach /))

  test.each([
    'vpn.example.org:51820',
    'localhost.example.org:51820',
    '203.0.113.9:51820',
    '8.8.8.8:51820',
    '[2001:db8::7]:51820',
    '[2a00:1450::1]:51820',
  ])('can reach: %s', (text) => expect(localEndpointFault(text)).toBeUndefined())
})

test.each([
  ['VPN.example.org:51820', 'vpn.example.org:51820', true],
  ['[2001:db8:0::7]:51820', '[2001:DB8::7]:51820', true],
  ['vpn.example.org:51820', 'vpn.example.org:51821', false],
  ['vpn.example.org:51820', 'vpn2.example.org:51820', false],
])('whether %s and %s are one endpoint: %s', (one, other, are) =>
  expect(isSameEndpoint(one, other)).toBe(are),
)

test.each([
  ['vpn.example.org:51820', 51_820],
  ['[2001:db8::7]:443', 443],
])('the port of %s is %i', (endpoint, port) => expect(portOf(endpoint)).toBe(port))

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

  test.each([
    '0.0.0.0/8',
    '127.0.0.0/16',
    '224.0.0.0/8',
    '255.0.0.0/8',
    '8.8.8.0/24',
    '192.0.2.0/24',
    '198.18.0.0/16',
    '172.0.0.0/8',
    '100.0.0.0/9',
  ])('%s is not private', (text) =>
    expect(ipv4PoolFault(text)).toBe(
      'A pool is of private addresses, out of 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or 100.64.0.0/10.',
    ),
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
  test.each(['fd80::/64', 'fd80:1:2:3::/64', 'FD80::8/125', 'fd80:0:0:0:0:0:0:0/64'])('%s is one', (text) =>
    expect(ipv6PoolFault(text)).toBeUndefined(),
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

  test.each(['::/8', '::1/128', 'fe80::/64', 'ff02::/64', '2001:db8::/64', '2a00::/32', 'fc00::/8'])(
    '%s is not private',
    (text) => expect(ipv6PoolFault(text)).toBe('A pool is of private addresses, out of fd00::/8.'),
  )

  test.each([
    'fd00::/8',
    'fd68:6564::/32',
    'fd68:6564:6765::/48',
    'fd68:6564:6766:1::/64',
    'fd68:6564:6764::/46',
  ])('%s has addresses of the agent', (text) =>
    expect(ipv6PoolFault(text)).toMatch(/^The agent itself uses fd68:6564:676[56]::\/48\./),
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
