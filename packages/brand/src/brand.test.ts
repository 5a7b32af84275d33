import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { brandFrom, DEFAULT_BRAND } from './brand.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** What customers, applicants and the operator are shown by, and what it is made of. */
const SHIPPED = [
  'apps/api/{src,migrations}/**/*.ts',
  'apps/node-agent/src/**/*.ts',
  'apps/storefront/*.{ts,html}',
  'apps/storefront/{src,prerender}/**/*.{ts,tsx,css,svg}',
  'apps/storefront/public/*.svg',
  'apps/console/*.{ts,html}',
  'apps/console/src/**/*.{ts,tsx}',
  'packages/*/{src,legal}/**/*.{ts,md}',
]
/** Tests say what they see; the demonstration of components is for developers. */
const NOT_SHIPPED = /\.test\.tsx?$|\/testing\/|\/src\/dev\/|packages\/brand\//

const shipped = globSync(SHIPPED, { cwd: ROOT }).filter((file) => !NOT_SHIPPED.test(file))

/** Without what only a reader of the source sees, and without the names of our own packages. */
const wordsOf = async (file: string): Promise<string> =>
  (await readFile(ROOT + file, 'utf8'))
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll('@hedgerow/', '')

const found = async (isIt: (words: string, file: string) => boolean): Promise<string[]> => {
  const tried = await Promise.all(
    shipped.map(async (file) => [file, isIt(await wordsOf(file), file)] as const),
  )
  return tried.flatMap(([file, is]) => (is ? [file] : []))
}

describe('a reseller changes one file', () => {
  test('and there are files that could spell it', () => expect(shipped.length).toBeGreaterThan(400))

  test('no other spells the name', async () => {
    expect(await found((words) => words.includes(DEFAULT_BRAND.name))).toEqual([])
  })

  test('no other spells the company, how to reach it, or its domain', async () => {
    const { company, tagline, social } = DEFAULT_BRAND
    const spelled = [...Object.values(company), tagline, ...social.map(({ url }) => url), 'hedgerow.example']
    expect(await found((words) => spelled.some((one) => words.includes(one)))).toEqual([])
  })

  test('no page names a file, a tunnel or anything else by it', async () => {
    const isPage = (file: string) => /^apps\/(storefront|console)\//.test(file)
    expect(await found((words, file) => isPage(file) && /hedgerow/i.test(words))).toEqual([])
  })

  test('only the settings and the build read where the shop is', async () => {
    const isRead = /\(\w*,? ?'PUBLIC_URL',|env\.PUBLIC_URL\b/
    expect((await found((words) => isRead.test(words))).sort()).toEqual([
      'apps/api/src/platform/settings/shop-variables.ts',
      'apps/storefront/prerender.ts',
    ])
  })
})

test('the environment overrides the name and the company, and an empty variable does not', () => {
  const brand = brandFrom({ BRAND_NAME: 'Towpath', BRAND_EMAIL: 'hello@towpath.example', BRAND_TAGLINE: '' })
  expect(brand.name).toBe('Towpath')
  expect(brand.company).toEqual({ ...DEFAULT_BRAND.company, email: 'hello@towpath.example' })
  expect(brand.tagline).toBe(DEFAULT_BRAND.tagline)
})

describe('the telephone and the links of the example company', () => {
  const { company, social } = DEFAULT_BRAND

  test('are shown by the shop as it is shipped', () => {
    expect(brandFrom({})).toMatchObject({ company: { phone: company.phone }, social })
  })

  test('are on no page of another company, which has its own or none', () => {
    const other = { BRAND_COMPANY: 'Towpath Limited' }
    expect(brandFrom(other)).toMatchObject({ company: { phone: '' }, social: [] })
    const own = { BRAND_PHONE: '+44 20 7946 0999', BRAND_SOCIAL_X: 'https://x.com/towpath' }
    expect(brandFrom({ ...other, ...own })).toMatchObject({
      company: { phone: '+44 20 7946 0999' },
      social: [{ name: 'X', url: 'https://x.com/towpath' }],
    })
  })

  test.each(['javascript:alert(1)', 'http://x.com/towpath', 'https://', 'x.com/towpath'])(
    'are not taken from an address like %s',
    (address) => {
      expect(brandFrom({ BRAND_COMPANY: 'Towpath Limited', BRAND_SOCIAL_X: address }).social).toEqual([])
    },
  )
})
