import { execFile } from 'node:child_process'
import { cp, readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from './fixtures.ts'

const ROOT = new URL('../', import.meta.url)
/** Nothing is served from there. */
const PLACE = new URL(`test-results/installed-${process.pid}/`, ROOT)
/** What writes the pages of each. */
const PROGRAMS = { storefront: 'prerender.ts', console: 'name-shop.ts' }
const SHOP = {
  PUBLIC_URL: 'https://quickset.example',
  BRAND_NAME: 'Quick & "Set"',
  BRAND_COMPANY: 'Quickset Limited',
}

test.afterAll(() => rm(PLACE, { recursive: true, force: true }))

test('pages that were built for another are written anew by the settings of whoever installs them, and their scripts stay', async () => {
  const env = { PATH: process.env.PATH, ...SHOP }
  for (const [app, program] of Object.entries(PROGRAMS)) {
    const [built, copy] = [new URL(`apps/${app}/`, ROOT), new URL(`${app}/dist`, PLACE)]
    await cp(new URL('dist', built), copy, { recursive: true, preserveTimestamps: true })
    const words = [new URL(program, built), copy].map((url) => fileURLToPath(url))
    await promisify(execFile)(process.execPath, words, { env })
  }
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
