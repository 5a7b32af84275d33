import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { DISGUISES } from './disguise.ts'
import { FILE_FORMS, formsFor, inForm, isForAmneziaWg, withForm } from './file-form.ts'

const tunnel = {
  address: '10.64.0.2/32, fd64:6865:6467::2/128',
  allowedIPs: '0.0.0.0/0, ::/0, 10.64.0.1/32',
  endpoint: '192.0.2.1:51820',
  dns: '10.64.0.1',
}
const full = { ...tunnel, secondPort: 443, disguiseForApps: DISGUISES.stun }
const networksOf = (allowedIPs: string) => allowedIPs.split(', ').map((network) => ipaddr.parseCIDR(network))
const reaches = (allowedIPs: string, address: string) => {
  const parsed = ipaddr.parse(address)
  return networksOf(allowedIPs).some(
    ([network, prefix]) => network.kind() === parsed.kind() && parsed.match([network, prefix]),
  )
}

test('a plain file is the tunnel as it is', () => {
  expect(inForm(tunnel, [])).toEqual(tunnel)
})

test('a device without IPv6 gets what is IPv4 alone', () => {
  expect(inForm(tunnel, ['ipv4-only'])).toEqual({
    ...tunnel,
    address: '10.64.0.2/32',
    allowedIPs: '0.0.0.0/0, 10.64.0.1/32',
  })
})

test('the second port stands in place of the first, whatever the host, where the node has one', () => {
  const endpointOf = (endpoint: string, port?: number) =>
    inForm({ ...tunnel, endpoint, secondPort: port }, ['second-port']).endpoint
  expect(endpointOf('192.0.2.1:51820', 443)).toBe('192.0.2.1:443')
  expect(endpointOf('[2001:db8::7]:51820', 443)).toBe('[2001:db8::7]:443')
  expect(endpointOf('vpn3.example.org:51820', 443)).toBe('vpn3.example.org:443')
  expect(endpointOf('192.0.2.1:51820')).toBe('192.0.2.1:51820')
})

test('small packets are of 1,280 bytes', () => {
  expect(inForm(tunnel, ['small-packets'])).toEqual({ ...tunnel, mtu: 1280 })
})

test('a disguise is in the file for AmneziaWG apps alone, where the shop has one', () => {
  expect(inForm(full, []).disguise).toBeUndefined()
  expect(inForm(full, ['amneziawg']).disguise).toEqual(DISGUISES.stun)
  expect(inForm(tunnel, ['amneziawg'])).toEqual(tunnel)
})

test('every file of an obfuscated node is for AmneziaWG apps and small packets, and no router’s commands', () => {
  const obfuscated = { ...tunnel, obfuscation: { s1: 52 } }
  expect(inForm(obfuscated, [])).toEqual({ ...obfuscated, mtu: 1280, disguise: DISGUISES.junk })
  expect(inForm({ ...full, ...obfuscated }, []).disguise).toEqual(DISGUISES.stun)
  expect(formsFor({ ...full, ...obfuscated })).toEqual(['ipv4-only', 'without-home', 'second-port'])
  expect(isForAmneziaWg(obfuscated, [])).toBe(true)
  expect(isForAmneziaWg(full, ['amneziawg'])).toBe(true)
  expect(isForAmneziaWg(full, ['amneziawg', 'routeros'])).toBe(false)
  expect(isForAmneziaWg(full, [])).toBe(false)
})

test('what changes nothing is not offered', () => {
  expect(formsFor(full)).toEqual(FILE_FORMS)
  expect(formsFor(tunnel)).toEqual(['ipv4-only', 'without-home', 'small-packets', 'routeros'])
})

test('of two forms that no device reads together, the one that is ticked last stays', () => {
  expect(withForm(['ipv4-only', 'routeros'], 'amneziawg', true)).toEqual(['ipv4-only', 'amneziawg'])
  expect(withForm(['amneziawg', 'small-packets'], 'routeros', true)).toEqual(['small-packets', 'routeros'])
  expect(withForm(['amneziawg', 'small-packets'], 'small-packets', false)).toEqual(['amneziawg'])
  expect(withForm(['amneziawg'], 'ipv4-only', true)).toEqual(['amneziawg', 'ipv4-only'])
})

test('beside the home network every address goes through the tunnel, but the node’s own', () => {
  const { allowedIPs } = inForm(tunnel, ['without-home'])
  const home = [
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    '224.0.0.0/3',
    '192.0.2.1/32',
  ]
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const isHome = home.some((network) => ipaddr.parse(address).match(ipaddr.parseCIDR(network)))
      expect(reaches(allowedIPs, address)).toBe(!isHome || address === tunnel.dns)
    }),
  )
  for (const [address, goes] of [
    ['192.168.1.10', false],
    ['192.167.255.255', true],
    ['192.169.0.0', true],
    ['172.15.255.255', true],
    ['172.31.255.255', false],
    ['172.32.0.0', true],
    ['192.0.2.0', true],
    ['192.0.2.1', false],
    ['192.0.2.2', true],
    [tunnel.dns, true],
    ['2a00:1450::1', true],
    ['fe80::1', false],
    ['fd12::1', false],
  ] as const)
    expect([address, reaches(allowedIPs, address)]).toEqual([address, goes])
})

test('no network stands in a file twice, and none lies in another', () => {
  const networks = networksOf(inForm(tunnel, ['without-home', 'ipv4-only']).allowedIPs)
  for (const [at, [network]] of networks.entries())
    expect(
      networks.filter(([other, prefix], place) => place !== at && network.match([other, prefix])),
    ).toEqual([])
})

test('a node that is named by an IPv6 address keeps the route by which packets to it stay outside the tunnel', () => {
  const { allowedIPs } = inForm({ ...tunnel, endpoint: '[2001:db8::1]:51820' }, ['without-home'])
  expect(allowedIPs.split(', ')).toContain('::/0')
})

test('forms can be had together, in any order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...FILE_FORMS]), (forms) => {
      expect(inForm(full, forms)).toEqual(inForm(full, [...forms].sort()))
    }),
  )
})
