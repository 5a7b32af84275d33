import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { configFileNames, configText } from './config-text.ts'
import { generateKeyPair, generatePresharedKey } from './keys.ts'

const run = promisify(execFile)
const WG_QUICK = '/usr/bin/wg-quick'

const aTunnel = () => ({
  clientPrivateKey: generateKeyPair().privateKey,
  presharedKey: generatePresharedKey(),
  address: '10.64.0.2/32, fd64:6865:6467::2/128',
  dns: '10.64.0.1',
  serverPublicKey: generateKeyPair().publicKey,
  allowedIPs: '0.0.0.0/0, ::/0, 10.64.0.1/32',
  endpoint: '192.0.2.1:51820',
})

test('wg-quick accepts a configuration, and hands its keys and its keepalive to wg', async () => {
  expect(existsSync(WG_QUICK), `${WG_QUICK} is missing: npm test installs wireguard-tools`).toBe(true)
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-wg-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'hedgerow-12.conf')
  const tunnel = aTunnel()
  await writeFile(file, configText(tunnel, 15), { mode: 0o600 })
  const { stdout } = await run(WG_QUICK, ['strip', file])
  expect(stdout).toContain(`PrivateKey = ${tunnel.clientPrivateKey}`)
  expect(stdout).toContain(`PresharedKey = ${tunnel.presharedKey}`)
  expect(stdout).toContain('PersistentKeepalive = 15')
  expect(stdout).toContain('AllowedIPs = 0.0.0.0/0, ::/0, 10.64.0.1/32')
  expect(stdout).not.toContain('DNS =')
})

test('a file whose key only the customer has says where to put it, and wg refuses it until then', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-wg-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'hedgerow-13.conf')
  const tunnel = aTunnel()
  const text = configText({ ...tunnel, clientPrivateKey: '' }, 15)
  await writeFile(file, text, { mode: 0o600 })
  const { stdout } = await run(WG_QUICK, ['strip', file])
  const stripped = join(folder, 'stripped.conf')
  await writeFile(stripped, stdout)
  await expect(run('wg', ['setconf', 'hedgerow-none', stripped])).rejects.toThrow(
    /Key is not the correct length or format/,
  )
  const filled = text.replace('PUT-YOUR-PRIVATE-KEY-HERE', tunnel.clientPrivateKey)
  expect(filled.replace(/^#.*\n/m, '')).toBe(configText(tunnel, 15))
})

/** UUIDs that end alike are told apart too. */
const anId = fc.oneof(
  fc.uuid(),
  fc.integer({ min: 0, max: 99 }).map((n) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000001`),
)

const named = fc.record({
  id: anId,
  name: fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      'Phone',
      'phone!',
      'phone-0001',
      'wg-0001',
      'A very long name 12',
      'Телефон',
      'All',
      'eth0',
    ),
  ),
})

const files = (...names: string[]) => [
  ...configFileNames(
    names.map((name, at) => ({ id: `00000000-0000-4000-8000-00000000000${at + 1}`, name })),
  ).values(),
]

test('names each of a customer’s files so that every client takes it, whatever the connections are called', () => {
  fc.assert(
    fc.property(fc.uniqueArray(named, { selector: ({ id }) => id, maxLength: 60 }), (connections) => {
      const names = [...configFileNames(connections).values()]
      expect(new Set(names).size).toBe(connections.length)
      for (const name of names) {
        expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,14}\.conf$/)
        expect(name).toMatch(/[a-z]|-/)
      }
    }),
    { numRuns: 200 },
  )
})

test.each([
  ['Hedgerow 12', 'hedgerow-12.conf'],
  ['../../etc/passwd', 'etc-passwd.conf'],
  ['Телефон Anna', 'anna.conf'],
  ['A very long reseller name 1234', 'eller-name-1234.conf'],
])('calls the file of %j %s', (name, file) => {
  expect(files(name)).toEqual([file])
})

test.each(['', '€€€', 'Телефон', '😀', '手机'])('calls the file of %j by the end of its id', (name) => {
  expect(files(name)).toEqual(['wg-0001.conf'])
})

test.each([
  // Windows's devices.
  ...['Con', 'AUX', 'nul', 'com1', '…lpt9'],
  // NetworkManager takes no interface of these names, and a number is an interface's index.
  ...['All', 'default', '2026'],
  // There already.
  ...['lo', 'eth0', 'wlan0', 'enp3s0', 'wlp2s0', 'eno1', 'wg0', 'docker0', 'br0', 'tun0', 'LAN', 'wan'],
])('adds the end of its id to %s, which a device refuses or may have', (name) => {
  const stem = name.replace('…', '').toLowerCase()
  expect(files(name)).toEqual([`${stem}-0001.conf`])
})

test('adds the end of its id to a name that another connection has too, and to no other', () => {
  expect(files('Phone', 'phone!', 'Laptop', 'the laptop at work', 'my laptop at work')).toEqual([
    'phone-0001.conf',
    'phone-0002.conf',
    'laptop.conf',
    'laptop-at-0004.conf',
    'laptop-at-0005.conf',
  ])
})
