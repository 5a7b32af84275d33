import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundlePrograms } from './programs.ts'

const FILES = {
  'apps/api/package.json': '{"type":"module","imports":{"#*":"./src/*"}}',
  'apps/api/src/main.ts': `import { text } from '#deep/text.ts'; console.log(text, import.meta.main)`,
  'apps/api/src/ops.ts': `if (import.meta.main) console.log((await import('#deep/text.ts')).text)`,
  'apps/api/src/try-copy.ts': `import hash from '@node-rs/hash'; console.log(hash)`,
  'apps/api/src/deep/text.ts': `import { readFileSync } from 'node:fs'
export const text: string = readFileSync(new URL('./beside.txt', import.meta.url), 'utf8')`,
  'apps/api/src/deep/beside.txt': 'beside its source',
  'node_modules/@node-rs/hash/package.json': '{"main":"index.js"}',
  'node_modules/@node-rs/hash/index.js': `module.exports = 'of this machine'`,
}

test('a shop’s bundled programs start by the names of their sources from anywhere, and find what lies beside those', async () => {
  const shop = mkdtempSync(join(tmpdir(), 'hedgerow-programs-'))
  onTestFinished(() => rmSync(shop, { recursive: true }))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(shop, path)), { recursive: true })
    writeFileSync(join(shop, path), text)
  }
  await bundlePrograms(shop)
  rmSync(join(shop, 'apps/api/src/deep/text.ts'))
  const said = (program: string) =>
    execFileSync(process.execPath, [join(shop, 'apps/api/src', program)], {
      cwd: '/',
      encoding: 'utf8',
    }).trim()
  expect(said('main.ts')).toBe('beside its source true')
  expect(said('ops.ts')).toBe('beside its source')
  expect(said('try-copy.ts')).toBe('of this machine')
})
