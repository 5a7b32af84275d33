import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeSigningKey, readSigningKey, signFile } from './signing.ts'

const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-signing-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe('a signature', () => {
  test('beside the file is one line that the public key proves, over every byte', async () => {
    const folder = aFolder()
    const [keyFile, archive] = [join(folder, 'key.pem'), join(folder, 'shop.tar.gz')]
    const text = await makeSigningKey(keyFile)
    writeFileSync(archive, 'an archive')
    await signFile(archive, await readSigningKey(keyFile))
    const line = readFileSync(`${archive}.sig`, 'utf8')
    expect(line).toMatch(/^[A-Za-z0-9+/]{86}==\n$/)
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    const signature = Buffer.from(line, 'base64')
    expect(verify(null, Buffer.from('an archive'), key, signature)).toBe(true)
    expect(verify(null, Buffer.from('an Archive'), key, signature)).toBe(false)
  })

  test('is made with a key that only its owner can read, and that no other one replaces', async () => {
    const file = join(aFolder(), 'key.pem')
    await makeSigningKey(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file, 'utf8')
    await expect(makeSigningKey(file)).rejects.toThrow(/is there already/)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('is not made with anything else, whose content is not repeated', async () => {
    const folder = aFolder()
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const other = join(folder, 'ec.pem')
    writeFileSync(other, privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const text = join(folder, 'text')
    writeFileSync(text, 'hunter2')
    for (const file of [other, text])
      await expect(readSigningKey(file)).rejects.toThrow(
        `${file} holds no Ed25519 key; make one with --new-key FILE.`,
      )
    await expect(readSigningKey(join(folder, 'none'))).rejects.toThrow(/^The key cannot be read: ENOENT/)
  })
})
