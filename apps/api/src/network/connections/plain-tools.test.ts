import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DISGUISES } from '@hedgerow/domain/disguise'
import { FILE_FORMS, type FileForm, inForm } from '@hedgerow/domain/file-form'
import { configText } from '@hedgerow/wireguard/config-text'
import { generateKeyPair, generatePresharedKey } from '@hedgerow/wireguard/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
/** It can be none: the kernel limits names to 15 characters. Files are read before the interface is looked for. */
const NO_INTERFACE = 'there-is-no-such-interface'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hedgerow-forms-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What WireGuard's own tools say of the file in these forms. */
const saidOf = async (forms: readonly FileForm[], name: string, endpoint: string): Promise<string> => {
  const tunnel = {
    clientPrivateKey: generateKeyPair().privateKey,
    presharedKey: generatePresharedKey(),
    address: '10.64.0.2/32, fd64:6865:6467::2/128',
    dns: '10.64.0.1',
    serverPublicKey: generateKeyPair().publicKey,
    allowedIPs: '0.0.0.0/0, ::/0, 10.64.0.1/32',
    endpoint,
    secondPort: 443,
    disguiseForApps: DISGUISES.stun,
  }
  const file = join(folder, `${name}.conf`)
  await writeFile(file, configText(inForm(tunnel, forms), 15), { mode: 0o600 })
  const { stdout } = await run('/usr/bin/wg-quick', ['strip', file])
  const stripped = join(folder, `${name}.stripped`)
  await writeFile(stripped, stdout)
  return run('/usr/bin/wg', ['setconf', NO_INTERFACE, stripped]).then(
    () => 'taken',
    ({ stderr }: { stderr: string }) => stderr.trim(),
  )
}

const FOR_WIREGUARD = FILE_FORMS.filter((form) => form !== 'amneziawg' && form !== 'routeros')
const COMBINATIONS = Array.from({ length: 2 ** FOR_WIREGUARD.length }, (_, mask) =>
  FOR_WIREGUARD.filter((_form, at) => mask & (1 << at)),
)

test.each(['192.0.2.1:51820', '[2001:db8::7]:51820'])(
  'WireGuard’s own tools read the file of %s in each of its forms, and in all of them together',
  async (endpoint) => {
    for (const [at, forms] of COMBINATIONS.entries())
      expect(await saidOf(forms, `wg-${at}`, endpoint), forms.join()).toMatch(
        /^Unable to modify interface: [^\n]*$/,
      )
  },
)

test('they refuse a file for AmneziaWG apps, so its page says who reads it', async () => {
  expect(await saidOf(['amneziawg'], 'awg', '192.0.2.1:51820')).toMatch(/^Line unrecognized: `Jc=4'/)
})
