import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { configFileName, configFileNames, configText } from './config-text.ts'
import { generateKeyPair, generatePresharedKey } from './keys.ts'

const run = promisify(execFile)
const WG_QUICK = '/usr/bin/wg-quick'

const aTunnel = () => ({
  clientPrivateKey: generateKeyPair().privateKey,
  presharedKey: generatePresharedKey(),
  address: '10.64.0.2/32, fd64:6865:6467::2/128',
  dns: '10.64.0.1',
  serverPublicKey: generateKeyPair().publicKey,
  allowedIPs: '0.0.0.0/0, ::/0',
  endpoint: '192.0.2.1:51820',
})

test('wg-quick accepts a configuration, and hands its keys and its keepalive to wg', async () => {
  expect(existsSync(WG_QUICK), `${WG_QUICK} is missing: npm test installs wireguard-tools`).toBe(true)
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-wg-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, configFileName('Hedgerow 12'))
  const tunnel = aTunnel()
  await writeFile(file, configText(tunnel, 15), { mode: 0o600 })
  const { stdout } = await run(WG_QUICK, ['strip', file])
  expect(stdout).toContain(`PrivateKey = ${tunnel.clientPrivateKey}`)
  expect(stdout).toContain(`PresharedKey = ${tunnel.presharedKey}`)
  expect(stdout).toContain('PersistentKeepalive = 15')
  expect(stdout).toContain('AllowedIPs = 0.0.0.0/0, ::/0')
  expect(stdout).not.toContain('DNS')
})

test('names a file that wg-quick takes, whatever the connection is called', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (name) => {
      const file = configFileName(name)
      expect(file).toMatch(/^[a-zA-Z0-9_=+.-]{1,15}\.conf$/)
      expect(file).not.toMatch(/^[-.]/)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['Hedgerow 12', 'hedgerow-12.conf'],
  ['../../etc/passwd', 'etc-passwd.conf'],
  ['', 'wg0.conf'],
  ['€€€', 'wg0.conf'],
])('calls the file of %j %s', (name, file) => {
  expect(configFileName(name)).toBe(file)
})

test('keeps the number of a connection whose name is long', () => {
  expect(configFileName('A very long reseller name 1234')).toMatch(/1234\.conf$/)
})

test.each(['Con', 'AUX', 'nul', 'com1', '…lpt9'])(
  'names no file %s, which Windows would take for a device',
  (name) => {
    expect(configFileName(name)).toMatch(/^wg-[a-z]+\d?\.conf$/)
    expect(configFileNames([name, name])[1]).toMatch(/^wg-[a-z]+\d?-2\.conf$/)
  },
)

test('gives each of several files a name of its own, whatever the connections are called', () => {
  expect(configFileNames(['Phone', 'phone!', 'PHONE', 'Hedgerow 1'])).toEqual([
    'phone.conf',
    'phone-2.conf',
    'phone-3.conf',
    'hedgerow-1.conf',
  ])
  expect(configFileNames(['../../etc/passwd', '😀', '🌿'])).toEqual([
    'etc-passwd.conf',
    'wg0.conf',
    'wg0-2.conf',
  ])
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constant('a-very-long-name-2')), { maxLength: 60 }),
      (names) => {
        const files = configFileNames(names)
        expect(new Set(files).size).toBe(names.length)
        for (const file of files) expect(file).toMatch(/^[a-z0-9-]{1,15}\.conf$/)
      },
    ),
  )
})
