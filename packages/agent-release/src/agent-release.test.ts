import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { releaseIn, unpackAgent } from './read-archive.ts'
import { ArchiveFault, isNewer, isVersion } from './release.ts'
import { isSigned, readReleaseKey } from './signature.ts'
import { aSigner, makeArchive, makeTar } from './testing/make-archive.ts'

const unpacked = async (archive: Buffer) => {
  const files: Record<string, string> = {}
  await unpackAgent(archive, async (file, content) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    files[file] = Buffer.concat(chunks).toString()
  })
  return files
}

describe('an archive', () => {
  test('says what it is, and gives what a node runs and nothing else', async () => {
    const archive = await makeArchive({ version: '1.2.0', node: 'the node', agent: 'the agent' })
    expect(await releaseIn(archive)).toMatchObject({ version: '1.2.0', arch: process.arch })
    expect(await unpacked(archive)).toEqual({ node: 'the node', 'agent.mjs': 'the agent' })
  })

  test('leads to no other place by its names', async () => {
    const more = ['../node', '/etc/node', 'a/../../node', 'a/b/node', '../../agent.mjs', '..', 'node'].map(
      (name) => ({
        name,
        content: 'evil',
      }),
    )
    const archive = await makeArchive({ version: '1.2.0', node: 'good', agent: 'good', more })
    expect(await unpacked(archive)).toEqual({ node: 'good', 'agent.mjs': 'good' })
  })

  test.each([
    ['a link', { name: 'a/node', type: 'symlink', linkname: '/etc/passwd' } as const],
    ['a hard link', { name: 'a/agent.mjs', type: 'link', linkname: '/etc/passwd' } as const],
    ['a device', { name: 'a/node', type: 'character-device' } as const],
    ['a second program', { name: 'b/node', content: 'again' }],
    ['a release that is too large', { name: 'b/release.json', content: 'x'.repeat(5000) }],
  ])('with %s is refused', async (_, entry) => {
    const more = [{ name: 'a/release.json', content: '{}' }, entry]
    await expect(unpacked(await makeTar([entry, ...more]))).rejects.toThrow(ArchiveFault)
    await expect(unpacked(await makeArchive({ version: '1.2.0', more: [entry] }))).rejects.toThrow(
      ArchiveFault,
    )
  })

  test.each([
    ['of something else', { version: '1.2.0', name: 'hedgerow' }],
    ['without a proper version', { version: '1.2' }],
    ['with a path for a version', { version: '../1.2.0' }],
    ['for another kind of machine', { version: '1.2.0', arch: 'riscv64' }],
  ])('%s is refused', async (_, contents) => {
    await expect(releaseIn(await makeArchive(contents))).rejects.toThrow(ArchiveFault)
  })

  test('that breaks off anywhere, is no archive or says too much is refused', async () => {
    const archive = await makeArchive({ version: '1.2.0', agent: 'x'.repeat(100_000) })
    for (const part of [0.1, 0.5, 0.9, 0.99])
      await expect(unpacked(archive.subarray(0, archive.length * part))).rejects.toThrow(ArchiveFault)
    await expect(unpacked(Buffer.from('no archive at all'))).rejects.toThrow(ArchiveFault)
    const many = Array.from({ length: 300 }, (_, at) => ({ name: `f${at}`, content: '' }))
    await expect(unpacked(await makeTar(many))).rejects.toThrow(/too many files/)
    await expect(unpacked(await makeTar([{ name: 'a/node', content: '' }]))).rejects.toThrow(
      /has no agent\.mjs/,
    )
  })
})

describe('a signature', () => {
  test('is for these bytes, by this key', async () => {
    const [ours, theirs] = [aSigner(), aSigner()]
    const bytes = await makeArchive({ version: '1.2.0' })
    const key = readReleaseKey(ours.releaseKey)
    if (!key) throw new Error('no key')
    expect(isSigned(bytes, ours.sign(bytes), key)).toBe(true)
    expect(isSigned(bytes, theirs.sign(bytes), key)).toBe(false)
    expect(isSigned(bytes.subarray(1), ours.sign(bytes), key)).toBe(false)
    for (const odd of ['', 'x', `${ours.sign(bytes)}=`, 'A'.repeat(86)])
      expect(isSigned(bytes, odd, key)).toBe(false)
  })

  test('needs a key of its kind', () => {
    const { publicKey } = generateKeyPairSync('x25519')
    const other = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    for (const odd of [other, '', 'x', `${aSigner().releaseKey}A`])
      expect(readReleaseKey(odd)).toBeUndefined()
  })
})

test('versions have an order, and names that are safe for folders', () => {
  expect(isNewer('1.10.0', '1.9.9')).toBe(true)
  expect(isNewer('1.2.0', '1.2.0')).toBe(false)
  expect(isNewer('1.2.0', '1.2.0-rc.1')).toBe(true)
  expect(['1.2.0', '1.2.0-rc.1'].every(isVersion)).toBe(true)
  for (const odd of ['v1.2.0', '1.2', '1.2.0/..', ' 1.2.0', `1.2.0-${'x'.repeat(60)}`, ''])
    expect(isVersion(odd)).toBe(false)
})
