import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSettings, SettingsError } from '#settings.ts'

const URL_ONLY = { AGENT_API_URL: 'https://shop.example' }

const faultsOf = (env: Record<string, string | undefined>): string[] => {
  try {
    readSettings(env)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n')
    throw error
  }
}

test('needs the address of the shop, and nothing else', () => {
  expect(readSettings(URL_ONLY)).toMatchObject({
    apiUrl: 'https://shop.example',
    stateDir: '/var/lib/hedgerow-agent',
    listsDir: '/var/lib/hedgerow-agent/lists',
    interfaceName: 'wg0',
    bandwidth: 1000,
    priorityShare: 80,
    metricsPort: 9465,
    isUsageReported: false,
    logLevel: 'info',
  })
  expect(faultsOf({})).toEqual([
    'AGENT_API_URL is required: the address of the shop, like https://shop.example',
  ])
})

test.each([
  ['AGENT_API_URL', 'shop.example'],
  ['AGENT_API_URL', 'ftp://shop.example'],
  ['AGENT_API_URL', 'https://user@shop.example'],
  ['AGENT_TOKEN', 'short'],
  ['AGENT_INTERFACE', 'a name that is too long'],
  ['AGENT_INTERFACE', '--help'],
  ['AGENT_INTERFACE', '../wg0'],
  ['AGENT_UPLINK', 'eth 0'],
  ['AGENT_BANDWIDTH', '0'],
  ['AGENT_BANDWIDTH', 'fast'],
  ['AGENT_PRIORITY_SHARE', '100'],
  ['AGENT_METRICS_PORT', '65536'],
  ['AGENT_USAGE', 'yes'],
  ['AGENT_RELEASE_KEY', 'no key'],
  ['AGENT_LOG_LEVEL', 'loud'],
  ['AGENT_LIST_ADS', 'http://lists.example/ads.txt'],
  ['AGENT_LIST_ADS', 'https://user:secret@lists.example/ads.txt'],
  ['AGENT_LIST_FAMILY', 'https://lists.example/a.txt#sha256=cut5h0rt'],
  ['AGENT_LISTS_FLOOR', '0'],
  ['AGENT_LISTS_ALLOW', 'https://gate.example'],
])('%s=%s gets one line that names it', (name, value) => {
  const faults = faultsOf({ ...URL_ONLY, [name]: value })
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(name)
})

test('takes lists with a checksum, and names to allow however they are written', () => {
  const pinned = `https://lists.example/ads.txt#sha256=${'0'.repeat(64)}`
  const env = { ...URL_ONLY, AGENT_LIST_ADS: pinned, AGENT_LISTS_ALLOW: 'Gate.Example, www.pay.example' }
  expect(readSettings(env)).toMatchObject({
    adsUrls: [pinned],
    listsAllowed: ['gate.example', 'www.pay.example'],
  })
})

test('tells all that is wrong at once', () => {
  expect(faultsOf({ AGENT_USAGE: 'yes', AGENT_BANDWIDTH: '-1' })).toHaveLength(3)
})

describe('plain http', () => {
  test.each([
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://10.1.2.3',
    'http://[::1]:3000',
    'http://[fd00::1]',
  ])('leads to a shop nearby, outside production: %s', (url) => {
    expect(faultsOf({ AGENT_API_URL: url })).toEqual([])
    expect(faultsOf({ AGENT_API_URL: url, NODE_ENV: 'production' })).toHaveLength(1)
  })
  test.each(['http://shop.example', 'http://192.0.2.1', 'http://[2001:db8::1]', 'http://127.example'])(
    'is refused elsewhere: %s',
    (url) => {
      expect(faultsOf({ AGENT_API_URL: url })).toHaveLength(1)
    },
  )
})

test('certificates that nobody checks are refused in production', () => {
  const env = { ...URL_ONLY, NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  expect(faultsOf(env)).toEqual([])
  expect(faultsOf({ ...env, NODE_ENV: 'production' })).toEqual([
    expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED must not be 0/),
  ])
})

test('each variable has an example', () => {
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')
  const names = new Set(read('./settings.ts').match(/AGENT_[A-Z_]+/g))
  expect(names.size).toBe(20)
  for (const name of names) expect(read('../.env.example')).toMatch(new RegExp(`^#?${name}=`, 'm'))
})
