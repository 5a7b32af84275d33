import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readVariables } from './read-variables.ts'
import { SettingsError } from './settings-error.ts'
import * as v from './variables.ts'

const KEY = randomBytes(32).toString('base64')

const VARIABLES = {
  port: v.withDefault('PORT', v.port, 3000),
  scale: v.optional('SCALE', v.number(0, 1)),
  isOn: v.withDefault('SWITCH', v.onOff, false),
  level: v.withDefault('LEVEL', v.logLevel, 'info'),
  form: v.withDefault('FORM', v.choice(['own', 'hosted']), 'own'),
  address: v.required('ADDRESS', v.baseUrl(v.HTTP), 'is required: where it is'),
  database: v.optional('DATABASE', v.url(['postgres:'])),
  networks: v.list('NETWORKS', v.network),
  key: v.optional('KEY', v.key(32)),
  secret: v.optional('SECRET', v.secret),
  folder: v.withDefault('FOLDER', v.path, '/tmp'),
}

const READ = { ADDRESS: 'https://shop.example' }
const NAMES = Object.values(VARIABLES).map(({ name }) => name)

const faultsOf = (env: Record<string, string | undefined>): string[] => {
  try {
    readVariables(VARIABLES, env)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n')
    throw error
  }
}

test('reads what is set, and has defaults for what is not', () => {
  expect(readVariables(VARIABLES, READ)).toEqual({
    port: 3000,
    isOn: false,
    level: 'info',
    form: 'own',
    address: 'https://shop.example',
    networks: [],
    folder: '/tmp',
  })
  const env = {
    PORT: '0',
    SCALE: '0.5',
    SWITCH: 'on',
    FORM: 'hosted',
    ADDRESS: 'http://[::1]:3000//',
    DATABASE: 'postgres://me@db/shop/',
    NETWORKS: '127.0.0.1, ::1,,10.0.0.0/8',
    KEY,
    FOLDER: '/a/../b',
  }
  expect(readVariables(VARIABLES, env)).toMatchObject({
    port: 0,
    scale: 0.5,
    isOn: true,
    form: 'hosted',
    address: 'http://[::1]:3000',
    database: 'postgres://me@db/shop/',
    networks: ['127.0.0.1', '::1', '10.0.0.0/8'],
    key: Buffer.from(KEY, 'base64'),
    folder: '/b',
  })
})

test('takes an empty or blank variable as unset, and no blanks around a value but those of a secret', () => {
  expect(
    readVariables(VARIABLES, { ADDRESS: ' http://shop.example\n', PORT: ' ', LEVEL: '', SECRET: ' x ' }),
  ).toMatchObject({
    address: 'http://shop.example',
    port: 3000,
    level: 'info',
    secret: ' x ',
  })
})

test.each(['"https://shop.example"', "'https://shop.example'"])(
  'refuses %s, whose quotes a container’s file keeps',
  (value) => {
    expect(faultsOf({ ADDRESS: value })).toContain(
      'ADDRESS stands in quotation marks, which count as part of it here: leave them out',
    )
  },
)

test('names all that is wrong, one line each', () => {
  expect(
    faultsOf({
      PORT: '80.5',
      SCALE: '2',
      SWITCH: 'yes',
      LEVEL: 'loud',
      FORM: 'frame',
      DATABASE: 'mysql://me:my-password@db',
      NETWORKS: 'proxy,::1,proxy,other',
      KEY: 'my-secret',
    }),
  ).toEqual([
    'PORT must be a whole number from 0 to 65535, not "80.5"',
    'SCALE must be a number from 0 to 1, not "2"',
    'SWITCH must be on or off, not "yes"',
    'LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    'FORM must be own or hosted',
    'ADDRESS is required: where it is',
    'DATABASE must be an address that begins with postgres://',
    'NETWORKS: "proxy" is not an address or a network',
    'NETWORKS: "other" is not an address or a network',
    'KEY must be 32 bytes in Base64 (openssl rand -base64 32)',
  ])
})

test.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/x', '::1/129', '::1/255.0.0.0', 'proxy/8'])(
  '%s is no network',
  (value) =>
    expect(faultsOf({ ...READ, NETWORKS: value })).toEqual([
      `NETWORKS: "${value}" is not an address or a network`,
    ]),
)

test.each(['10.0.0.0/0', '0.0.0.0/0.0.0.0', '128.0.0.0/1', '::/0', '2000::/3', '::ffff:0:0/96'])(
  '%s holds strangers',
  (value) =>
    expect(faultsOf({ ...READ, NETWORKS: value })).toEqual([
      `NETWORKS: "${value}" is so wide that it includes strangers`,
    ]),
)

test.each([
  '10.0.0.0/32',
  '10.0.0.0/255.0.0.0',
  '104.16.0.0/13',
  '2a06:98c0::/29',
  '::ffff:10.1.2.3',
  'fd00::/8',
  'fd00::/128',
  '::1',
  '192.0.2.7',
])('%s is one', (value) =>
  expect(readVariables(VARIABLES, { ...READ, NETWORKS: value }).networks).toEqual([value]),
)

describe('junk in a variable', () => {
  const junk = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\n',
      'a\nb',
      '\u2028x',
      'http://',
      'http://[',
      '1e9',
      '-0',
      'NaN',
      'Infinity',
      '0x10',
      '__proto__',
    ),
  )

  test.each(NAMES)('gives %s a value or lines that name it', (name) => {
    fc.assert(
      fc.property(junk, (value) => {
        const faults = faultsOf({ ...READ, [name]: value })
        expect(faults.every((line) => line.startsWith(`${name} `) || line.startsWith(`${name}: `))).toBe(true)
        // Each item of a list may have its own.
        if (name !== 'NETWORKS') expect(faults.length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300 },
    )
  })

  test('never has its key in a line', () => {
    const KEPT = /^[A-Za-z0-9+/=]{8,}$/
    fc.assert(
      fc.property(fc.stringMatching(KEPT), (value) => {
        for (const name of ['KEY', 'SECRET', 'DATABASE'])
          expect(faultsOf({ ...READ, [name]: value }).join()).not.toContain(value)
      }),
    )
  })
})
