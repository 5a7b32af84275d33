import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import { expect, onTestFinished, test } from 'vitest'
import { AMNEZIAWG, parametersOf, WIREGUARD } from '#device/dialect.ts'
import { createUapiDriver } from '#device/uapi-driver.ts'

const OBFUSCATION: Obfuscation = {
  version: 2,
  s1: 52,
  s2: 71,
  s3: 12,
  s4: 16,
  h1: '1000-1999',
  h2: '2000-2999',
  h3: '3000-3999',
  h4: '4000-4999',
}

/** A program's socket that notes what it is told, and says what it is given. */
const listening = async (says: readonly string[] = []) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-uapi-'))
  const told: string[] = []
  const server = createServer((socket) =>
    socket.on('data', (data) => {
      told.push(...String(data).split('\n'))
      socket.write([...says, 'errno=0', '', ''].join('\n'))
    }),
  )
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const path = join(folder, 'wg.sock')
  await new Promise<void>((ready) => server.listen(path, ready))
  return { path, told }
}

const { privateKey } = generateKeyPair()
const hex = Buffer.from(privateKey, 'base64').toString('hex')

test('an obfuscated node’s interface is told its parameters with its key and port, a plain one nothing else', async () => {
  const { path, told } = await listening()
  await createUapiDriver(AMNEZIAWG, path, parametersOf(OBFUSCATION)).configure(privateKey, 51_820)
  expect(told.filter(Boolean)).toEqual([
    'set=1',
    `private_key=${hex}`,
    'listen_port=51820',
    's1=52',
    's2=71',
    's3=12',
    's4=16',
    'h1=1000-1999',
    'h2=2000-2999',
    'h3=3000-3999',
    'h4=4000-4999',
  ])
  told.length = 0
  await createUapiDriver(WIREGUARD, path).configure(privateKey, 51_820)
  expect(told.filter(Boolean)).toEqual(['set=1', `private_key=${hex}`, 'listen_port=51820'])
})

test('reads the parameters that an interface has, and not those of its client’s half', async () => {
  const lines = parametersOf(OBFUSCATION)
  const { path } = await listening([`private_key=${hex}`, 'listen_port=51820', 'jc=4', ...lines, 'i1=<r 4>'])
  const driver = createUapiDriver(AMNEZIAWG, path, lines)
  expect(await driver.read()).toMatchObject({ privateKey, parameters: driver.parameters })
})
