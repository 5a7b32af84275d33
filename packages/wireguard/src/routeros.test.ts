import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configFile } from './config-file.ts'
import { generateKeyPair, generatePresharedKey } from './keys.ts'
import { routerOsCommands, routerOsRemoval } from './routeros.ts'

const tunnel = {
  clientPrivateKey: generateKeyPair().privateKey,
  presharedKey: generatePresharedKey(),
  address: '10.64.0.2/32, fd64:6865:6467::2/128',
  dns: '10.64.0.1',
  serverPublicKey: generateKeyPair().publicKey,
  allowedIPs: '0.0.0.0/0, ::/0, 10.64.0.1/32',
  endpoint: '192.0.2.1:51820',
}

/** A string as RouterOS reads it: up to the next quotation mark, with bytes in hex. */
const unquoted = (text: string) =>
  Buffer.concat(
    (text.match(/\\[0-9A-F]{2}|[^\\"$]/gs) ?? []).map((one) =>
      one.startsWith('\\') ? Buffer.from(one.slice(1), 'hex') : Buffer.from(one),
    ),
  ).toString()

const VALUE = /([a-z-]+)=("(?:\\[0-9A-F]{2}|[^\\"$])*"|[^\s"]+)/g

/** What is added, each with its menu. */
const added = (commands: string) =>
  commands
    .split('\n')
    .map((line) => /^(\/[a-z0-9/]+)\/add (.*)$/.exec(line))
    .filter((found) => found !== null)
    .map(([, menu = '', values = '']) => {
      expect(values.replaceAll(VALUE, '').replaceAll(' fib', '').trim()).toBe('')
      const entries = [...values.matchAll(VALUE)].map(([, name = '', value = '']) => [
        name,
        value.startsWith('"') ? unquoted(value.slice(1, -1)) : value,
      ])
      return { menu, ...Object.fromEntries(entries) } as { menu: string } & Record<string, string>
    })

const of = (commands: string, menu: string) => added(commands).filter((one) => one.menu === menu)

test('a connection as commands of RouterOS says what its file says', () => {
  const commands = routerOsCommands({ ...tunnel, mtu: 1280 }, 15, 'phone-0001')
  expect(of(commands, '/interface/wireguard')).toEqual([
    {
      menu: '/interface/wireguard',
      name: 'phone-0001',
      mtu: '1280',
      'private-key': tunnel.clientPrivateKey,
      comment: 'VPN phone-0001',
    },
  ])
  expect(of(commands, '/interface/wireguard/peers')).toEqual([
    {
      menu: '/interface/wireguard/peers',
      interface: 'phone-0001',
      'public-key': tunnel.serverPublicKey,
      'preshared-key': tunnel.presharedKey,
      'endpoint-address': '192.0.2.1',
      'endpoint-port': '51820',
      'allowed-address': '0.0.0.0/0,::/0,10.64.0.1/32',
      'persistent-keepalive': '15s',
      comment: 'VPN phone-0001',
    },
  ])
  expect(of(commands, '/ip/address').map(({ address }) => address)).toEqual(['10.64.0.2/32'])
  expect(of(commands, '/ipv6/address')).toMatchObject([{ address: 'fd64:6865:6467::2/128', advertise: 'no' }])
})

test('a key that only the customer has is put in before anything is taken out', () => {
  const commands = routerOsCommands({ ...tunnel, clientPrivateKey: '' }, 15, 'phone-0001')
  expect(of(commands, '/interface/wireguard')).toMatchObject([{ 'private-key': '$key' }])
  const refusal = commands.indexOf(':if ([:len $key] != 44)')
  expect(refusal).toBeGreaterThan(commands.indexOf(':local key ""'))
  expect(refusal).toBeLessThan(commands.indexOf('/remove'))
  expect(routerOsCommands(tunnel, 15, 'phone-0001')).not.toContain('$key')
})

test('devices behind the router go through the tunnel or not at all, and ask its resolver', () => {
  const commands = routerOsCommands(tunnel, 15, 'phone-0001')
  expect(of(commands, '/routing/rule')).toMatchObject(
    ['0.0.0.0/0', '2000::/3'].flatMap((internet) => [
      { interface: '$lan', 'dst-address': internet, action: 'lookup', table: 'main', 'min-prefix': '0' },
      { interface: '$lan', 'dst-address': internet, action: 'lookup-only-in-table', table: 'phone-0001' },
    ]),
  )
  // The router's own table is left as it is: its way to the node goes past the tunnel.
  for (const menu of ['/ip/route', '/ipv6/route'])
    for (const route of of(commands, menu)) expect(route['routing-table']).toBe('phone-0001')
  expect(of(commands, '/ip/firewall/nat')).toMatchObject([
    { chain: 'srcnat', action: 'masquerade', 'out-interface': 'phone-0001' },
    { chain: 'dstnat', protocol: 'udp', 'dst-port': '53', 'to-addresses': '10.64.0.1' },
    { chain: 'dstnat', protocol: 'tcp', 'dst-port': '53', 'to-addresses': '10.64.0.1' },
  ])
})

test('nothing comes in through the tunnel that was not asked for', () => {
  const commands = routerOsCommands(tunnel, 15, 'phone-0001')
  for (const menu of ['/ip/firewall/filter', '/ipv6/firewall/filter'])
    expect(of(commands, menu).filter((one) => one['in-interface'] === 'phone-0001')).toMatchObject([
      { chain: 'input', action: 'drop', 'connection-state': 'new' },
      { chain: 'forward', action: 'drop', 'connection-state': 'new' },
    ])
})

test('IPv4 alone leaves IPv6 of the router as it is', () => {
  const commands = routerOsCommands(
    { ...tunnel, address: '10.64.0.2/32', allowedIPs: '0.0.0.0/0, 10.64.0.1/32' },
    15,
    'phone-0001',
  )
  expect(added(commands).filter(({ menu }) => menu.startsWith('/ipv6'))).toEqual([])
  expect(of(commands, '/routing/rule')).toHaveLength(2)
})

test('all that is added is found by its comment, and removed by it, what names others after them', () => {
  const commands = routerOsCommands(tunnel, 15, 'phone-0001')
  const removal = routerOsRemoval('phone-0001').split('\n')
  const order = removal.map((line) => line.split('/remove')[0] ?? '')
  for (const one of added(commands)) {
    expect(one.comment).toBe('VPN phone-0001')
    expect(order).toContain(one.menu)
  }
  expect(order.indexOf('/interface/wireguard')).toBeGreaterThan(order.indexOf('/interface/wireguard/peers'))
  expect(order.at(-1)).toBe('/routing/table')
  for (const line of removal) expect(line).toMatch(/\/remove \[find comment="VPN phone-0001"\]$/)
  // Nothing of the router is set, and all else is a check of the interface.
  const others = commands
    .split('\n')
    .filter((line) => line !== '' && !/^#|\/add |\/remove \[find comment=/.test(line))
  expect(others).toEqual(['{', expect.stringMatching(/^:local lan /), expect.stringMatching(/^:if /), '}'])
})

test('no name, key or address breaks out of its string', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('"; /system/reset', '$lan', '\\"]', 'a\n/user/add name=eve', '[/system/reboot]', '?'),
      ),
      (text) => {
        // Without a private key there are lines more.
        const clean = text.toWellFormed() || 'x'
        const commands = routerOsCommands(
          { ...tunnel, clientPrivateKey: clean, presharedKey: clean, serverPublicKey: clean },
          15,
          clean,
        )
        const plain = routerOsCommands(tunnel, 15, 'phone-0001')
        expect(commands.split('\n')).toHaveLength(plain.split('\n').length)
        const [peer] = of(commands, '/interface/wireguard/peers')
        expect(peer).toMatchObject({
          interface: clean,
          'public-key': clean,
          'preshared-key': clean,
          comment: `VPN ${clean}`,
        })
      },
    ),
  )
})

test('an endpoint may be a name, or an address of IPv6', () => {
  const peerOf = (endpoint: string) =>
    of(routerOsCommands({ ...tunnel, endpoint }, 15, 'phone-0001'), '/interface/wireguard/peers')[0]
  expect(peerOf('vpn3.example.org:443')).toMatchObject({
    'endpoint-address': 'vpn3.example.org',
    'endpoint-port': '443',
  })
  expect(peerOf('[2001:db8::7]:51820')).toMatchObject({
    'endpoint-address': '2001:db8::7',
    'endpoint-port': '51820',
  })
})

test('the file of commands is called after the plain one', () => {
  const fileOf = (isForRouterOs: boolean) =>
    configFile(tunnel, 15, { fileName: 'phone-0001.conf', isForRouterOs })
  expect(fileOf(false)).toMatchObject({
    name: 'phone-0001.conf',
    text: expect.stringMatching(/^\[Interface\]/),
  })
  expect(fileOf(true)).toEqual({ name: 'phone-0001.rsc', text: routerOsCommands(tunnel, 15, 'phone-0001') })
})
