import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from './fixtures.ts'

const ROOT = new URL('../', import.meta.url)
/** Where a program finds our packages, and nothing is served from. */
const PLACE = new URL(`test-results/installed-${process.pid}/apps/`, ROOT)
/** As a release has them. */
const PARTS = [
  'storefront/dist',
  'storefront/dist-ssr',
  'storefront/prerender',
  'storefront/prerender.ts',
  'storefront/package.json',
  'console/dist',
  'console/name-shop.ts',
  'console/package.json',
]
const SHOP = {
  PUBLIC_URL: 'https://quickset.example',
  BRAND_NAME: 'Quick & "Set"',
  BRAND_COMPANY: 'Quickset Limited',
}

test.afterAll(() => rm(new URL('..', PLACE), { recursive: true, force: true }))

test('pages that were built for another are written anew by the settings of whoever installs them, and their scripts stay', async () => {
  await mkdir(PLACE, { recursive: true })
  for (const part of PARTS) await cp(new URL(`apps/${part}`, ROOT), new URL(part, PLACE), { recursive: true })
  const env = { PATH: process.env.PATH, ...SHOP }
  for (const program of ['storefront/prerender.ts', 'console/name-shop.ts'])
    await promisify(execFile)(process.execPath, [fileURLToPath(new URL(program, PLACE))], { env })
  const read = (file: string) => readFile(new URL(file, PLACE), 'utf8')

  const home = await read('storefront/dist/index.html')
  expect(home).toContain('Quickset Limited')
  expect(home).toContain('<link rel="canonical" href="https://quickset.example/">')
  for (const file of ['index.html', 'spa.html', 'manual/index.html', 'away/503.html'])
    expect(await read(`storefront/dist/${file}`)).not.toMatch(/Hedgerow|localhost:3000/)
  expect(await read('storefront/dist/robots.txt')).toContain('https://quickset.example/')
  expect(await read('console/dist/index.html')).toContain('content="Quick &amp; &quot;Set&quot;"')
  const packed = await readFile(new URL('storefront/dist/index.html.br', PLACE))
  expect(brotliDecompressSync(packed).toString()).toBe(home)

  const namesOf = (html: string) => html.match(/\/assets\/[\w.-]+\.(?:js|css)/g)
  const before = await readFile(new URL('apps/storefront/dist/index.html', ROOT), 'utf8')
  expect(namesOf(home)).toEqual(namesOf(before))
})
