import { expect, test } from 'vitest'
import type { Disguise, Obfuscation } from './amneziawg.ts'
import { configText } from './config-text.ts'

const TUNNEL = {
  clientPrivateKey: 'aA==',
  presharedKey: 'bB==',
  address: '10.64.0.2/32',
  dns: '10.64.0.1',
  serverPublicKey: 'cC==',
  allowedIPs: '0.0.0.0/0',
  endpoint: '192.0.2.1:51820',
}

const DISGUISE: Disguise = { jc: 4, jmin: 40, jmax: 70 }
const OBFUSCATION: Obfuscation = {
  version: 2,
  s1: 52,
  s2: 71,
  s3: 12,
  s4: 16,
  h1: '100-200',
  h2: '300-400',
  h3: '500-600',
  h4: '700-800',
}

/** WireGuard’s own values, without which AmneziaVPN overlooks a disguise. */
const NOT_OBFUSCATED = ['S1 = 0', 'S2 = 0', 'H1 = 1', 'H2 = 2', 'H3 = 3', 'H4 = 4']

const PLAIN = `[Interface]
PrivateKey = aA==
Address = 10.64.0.2/32
DNS = 10.64.0.1

[Peer]
PublicKey = cC==
PresharedKey = bB==
AllowedIPs = 0.0.0.0/0
Endpoint = 192.0.2.1:51820
PersistentKeepalive = 25
`

/** The plain file with lines at the end of its [Interface]. */
const withLines = (...lines: string[]) =>
  PLAIN.replace('DNS = 10.64.0.1\n', ['DNS = 10.64.0.1', ...lines, ''].join('\n'))

test('is WireGuard’s own file, byte for byte, without a disguise and on a plain node', () => {
  expect(configText(TUNNEL, 25)).toBe(PLAIN)
})

test('spells a disguise as AmneziaWG’s files do', () => {
  expect(configText({ ...TUNNEL, disguise: DISGUISE }, 25)).toBe(
    withLines('Jc = 4', 'Jmin = 40', 'Jmax = 70', ...NOT_OBFUSCATED),
  )
  expect(configText({ ...TUNNEL, mtu: 1280, disguise: { ...DISGUISE, i1: '<b 0xc0><r 40><t>' } }, 25)).toBe(
    withLines('MTU = 1280', 'Jc = 4', 'Jmin = 40', 'Jmax = 70', ...NOT_OBFUSCATED, 'I1 = <b 0xc0><r 40><t>'),
  )
})

test('says what both ends of an obfuscated node say, with a disguise or without', () => {
  const both = ['S1 = 52', 'S2 = 71', 'S3 = 12', 'S4 = 16']
  const types = ['H1 = 100-200', 'H2 = 300-400', 'H3 = 500-600', 'H4 = 700-800']
  expect(configText({ ...TUNNEL, obfuscation: OBFUSCATION }, 25)).toBe(withLines(...both, ...types))
  expect(configText({ ...TUNNEL, disguise: { ...DISGUISE, i1: '<t>' }, obfuscation: OBFUSCATION }, 25)).toBe(
    withLines('Jc = 4', 'Jmin = 40', 'Jmax = 70', ...both, ...types, 'I1 = <t>'),
  )
})
